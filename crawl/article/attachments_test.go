package article

import "testing"

func TestCutCounter(t *testing.T) {
	for in, want := range map[string]string{
		"附件【招标文件.docx】已下载378次":  "附件【招标文件.docx】",
		"附件【招标文件.docx】已下载 次":    "附件【招标文件.docx】",
		"招标文件.pdf（下载次数：12）":     "招标文件.pdf",
		"请在本网站下载招标文件":           "",
		"截至昨日，该软件已下载378次，受到欢迎。": "",
		"招标公告": "",
	} {
		if got, ok := cutCounter(in); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %v", in, got, ok)
		}
	}
}
