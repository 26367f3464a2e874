package i18n

import "testing"

func TestTerms(t *testing.T) {
	zh := chinese()
	for why, want := range map[string]string{
		"P(target) .42 hub .41 anchor 0 parent 0 url .50 kept .53 w .68": "P(目标) .42 枢纽 .41 锚文本 0 父页 0 网址 .50 保留 .53 权重 .68",
		"boosted, anchor .80 parent -.61 inlink 2":                       "提前，锚文本 .80 父页 -.61 入链 2",
		"HTTP status 500, P(target) .42":                                 zh.Line("HTTP status 500") + "，P(目标) .42",
		"revisit, authority 3":                                           "重访，权威度 3",
		"authority 3 inlink 1":                                           "权威度 3 入链 1",
		"seed 1":                                                         "种子 1",
		"robots: Disallow: /a, /b":                                       zh.Line("robots: Disallow: /a") + "，/b",
		"":                                                               "",
	} {
		if got := zh.Terms(why); got != want {
			t.Errorf("%q is %q, want %q", why, got, want)
		}
		if got := (*Lang)(nil).Terms(why); got != why {
			t.Errorf("%q is %q in English", why, got)
		}
	}
}
