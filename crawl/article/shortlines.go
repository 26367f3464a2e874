package article

import (
	"strings"

	"angler/crawl/htmldoc"
)

// What short lines say of themselves.

// contactWords begin lines of a page's foot, and of the end of some notices. Such
// lines weigh little, but stay where they stand in a text.
var contactWords = []string{"地址", "通讯地址", "联系地址", "单位地址", "办公地址", "学校地址", "电话", "联系电话", "办公电话", "传真", "邮编", "邮政编码",
	"邮箱",
	"电子邮箱", "电子邮件", "E-mail", "Email", "email", "Tel", "TEL", "Fax"}

// contact reports whether a short line gives an address or a telephone number
// and nothing else.
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

// metaLabels stand in the line of source and date below a title.
var metaLabels = htmldoc.NewWordSet("发布", "发表", "更新", "来源", "作者", "编辑", "浏览", "点击", "阅读", "字号", "访问", "录入", "审核", "时间",
	"日期")
