package article

import (
	"strings"

	"angler/crawl/htmldoc"
)

// contactWords are the first words of lines in the footer of a page, and at the end of some
// notices. Such lines have little mass, but stay in a text.
var contactWords = []string{"地址", "通讯地址", "联系地址", "单位地址", "办公地址", "学校地址", "电话", "联系电话", "办公电话", "传真", "邮编", "邮政编码",
	"邮箱",
	"电子邮箱", "电子邮件", "E-mail", "Email", "email", "Tel", "TEL", "Fax"}

// contact reports whether a short line begins with a label of an address or a telephone number, and
// a colon.
func contact(s string) bool {
	if strings.IndexByte(s, ':') < 0 && !strings.Contains(s, "：") {
		return false
	}
	s = strings.TrimLeft(s, " \n")
	for _, w := range contactWords {
		if rest, ok := strings.CutPrefix(s, w); ok {
			rest = strings.TrimLeft(rest, " ")
			return strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "：")
		}
	}
	return false
}

// metaLabels are labels in the byline below a title.
var metaLabels = htmldoc.NewWordSet("发布", "发表", "更新", "来源", "作者", "编辑", "浏览", "点击", "阅读", "字号", "访问", "录入", "审核", "时间",
	"日期")
