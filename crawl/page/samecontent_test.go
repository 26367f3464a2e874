package page

import (
	"strings"
	"testing"
)

func TestAlikePages(t *testing.T) {
	text := strings.Repeat("清水学院第三实验室拟采购显微镜一批，欢迎符合条件的供应商参加投标。\n", 9) + "访问量：1024"
	was := &Page{Title: "公告", Text: text}
	for _, c := range []struct {
		what        string
		now         *Page
		same, known bool
	}{
		{"equal", &Page{Title: "公告", Text: text}, true, true},
		{"a counter", &Page{Title: "公告", Text: strings.Replace(text, "1024", "1025", 1)}, true, true},
		{"another title", &Page{Title: "通知", Text: text}, false, true},
		{"another line", &Page{Title: "公告", Text: text + "\n项目编号：QS-2026-003，预算金额：三十五万元，采购人：清水学院"}, false, true},
		{"fewer lines", &Page{Title: "公告", Text: text[len(text)/2:]}, false, true},
		{"no text", &Page{Title: "公告", Text: "请稍候"}, false, false},
		{"a text that scripts bring", &Page{Title: "公告", Text: text, Scripts: []string{"http://a.test/a.js"}}, false, false},
	} {
		if same, known := SameContent(was, c.now); same != c.same || known != c.known {
			t.Errorf("%s: %v, %v", c.what, same, known)
		}
	}
}
