package i18n

import (
	"encoding/json"
	"strings"
	"testing"
)

// Of two matching sentences of the engine the one with more fixed text wins; text in its holes is
// translated, including values of settings.
func TestTheMoreTellingSentenceIsMeant(t *testing.T) {
	for said, want := range map[string]string{
		"http://a.cn/x answers with status 502":                                                  "http://a.cn/x 返回状态 502",
		"the server answers with status 502":                                                     "服务器返回状态 502",
		"the search server at http://a.cn answers with status 502; look at its log":              "搜索服务 http://a.cn 返回状态 502；请查看其日志",
		"a.cn answers with status 403: name or password may be wrong, or the host refuses us":    "a.cn 返回状态 403：用户名或密码可能不对，或站点拒绝访问",
		"the page that hands out the token, http://a.cn, answers with status 502":                "发放令牌的网页 http://a.cn 返回状态 502",
		"analyst: strategy learned":                                                              "analyst：策略 自学习",
		"text by mass: the page has hardly any punctuation":                                      "正文依据 文本量：网页几乎没有标点",
		"text by readability: mass found 12 characters, readability 33 with 2 punctuation marks": "正文依据 Readability：文本量法得 12 字，Readability 得 33 字，含 2 个标点",
	} {
		if got := chinese().Line(said); got != want {
			t.Errorf("%q is %s, want %s", said, got, want)
		}
	}
	if got := chinese().Value("crawl.queues", "host"); got != "每站点一个" {
		t.Errorf("host is %s among the queues", got)
	}
	if got := chinese().Value("workspace", "host"); got != "host" {
		t.Errorf("host is %s where it means nothing", got)
	}
	if got := (*Lang)(nil).Value("scope.kind", "host"); got != "host" {
		t.Errorf("host is %s in English", got)
	}
}

// The file is sorted, so that no text is in it twice.
func TestCatalogueIsInOrder(t *testing.T) {
	last := ""
	for n, line := range strings.Split(string(zhFile), "\n") {
		var entry map[string]string
		if json.Unmarshal([]byte("{"+strings.TrimSuffix(line, ",")+"}"), &entry) != nil {
			last = "" // another object begins or ends
		}
		for key := range entry {
			if key <= last {
				t.Errorf("line %d: %q belongs before %q", n+1, key, last)
			}
			last = key
		}
	}
}

// Every counted noun has one place for its number.
func TestNounsHoldTheirNumber(t *testing.T) {
	for noun, zh := range chinese().cat.Nouns {
		if strings.Count(zh, "%") != 1 || !strings.Contains(zh, "%s") {
			t.Errorf("%q is counted as %q", noun, zh)
		}
	}
}
