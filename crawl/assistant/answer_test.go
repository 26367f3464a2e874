package assistant

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseAnswer(t *testing.T) {
	for content, want := range map[string][2]string{
		`{"answer": "yes", "quote": "桥梁工程"}`:                                             {"yes", "桥梁工程"},
		"```json\n{\"answer\":\"No\",\"quote\":\"\"}\n```":                               {"no", ""},
		"Here it is: {\"quote\":\"a\\nb\",\"answer\":\" UNSURE \"} I hope it helps.":     {"unsure", "a\nb"},
		`<think>{"answer":"yes"} or {"answer":"no"}?</think>{"answer":"no","quote":"x"}`: {"no", "x"},
		`{"plan": {"answer": "yes", "quote": "inside"}}`:                                 {"yes", "inside"},
		`{broken {"answer":"yes"}`:                                                       {"yes", ""},
		`{"answer": true}`:                                                               {}, `{"answer": "maybe"}`: {}, `yes`: {}, ``: {}, `{"answer": ["yes"]}`: {},
		strings.Repeat("{", maxObjects) + `{"answer":"yes"}`: {},
		strings.Repeat(" ", maxContent) + `{"answer":"yes"}`: {},
	} {
		said, quote, ok := parseAnswer(content)
		if said != want[0] || quote != want[1] || ok != (want[0] != "") {
			t.Errorf("%.80q: %q %q %v, want %q", content, said, quote, ok, want)
		}
	}
}

func TestQuotesAreInTheNotice(t *testing.T) {
	notice := "淮河特大桥 招标公告\n预算金额: 800万元\n\n本项目为桥梁\n工程施工"
	for quote, want := range map[string]string{
		"桥梁工程施工":         "桥梁工程施工", // the line breaks in between
		" 预算金额:\n800万元 ": "预算金额: 800万元",
		"预算金额: 900万元":    "", // a lie
		"桥":              "", // it stands anywhere
		"    ":           "",
		"":               "",
		"桥梁\x1b[31m工程施工": "", // an escape sequence is not in the notice
		"本项目为桥梁工程施工，预算很多": "",
	} {
		if got := checkQuote(quote, notice); got != want {
			t.Errorf("%q is quoted as %q, want %q", quote, got, want)
		}
	}
	if got := checkQuote(strings.Repeat("长", 2*maxQuote), strings.Repeat("长", 3*maxQuote)); utf8.RuneCountInString(got) > maxQuote {
		t.Errorf("%d characters are kept", utf8.RuneCountInString(got))
	}
}

func FuzzParseAnswer(f *testing.F) {
	f.Add(`{"answer":"yes","quote":"桥梁工程"}`, "桥梁工程")
	f.Add("```json\n{\"answer\":\"no\"}\n```", "")
	f.Add(`<think>{{{{"answer":1}</think>{"answer":"unsure","quote":"\u001b[2J\ufffe"}`, "\x1b[2J text")
	f.Add(strings.Repeat(`{"answer":`, 50), strings.Repeat("{", 99))
	f.Fuzz(func(t *testing.T, content, notice string) {
		said, quote, ok := parseAnswer(content)
		if ok != (said == "yes" || said == "no" || said == "unsure") || len(quote) > 3*maxContent {
			t.Errorf("%q with %d bytes of quote, %v", said, len(quote), ok)
		}
		shown := checkQuote(quote, notice)
		if utf8.RuneCountInString(shown) > maxQuote || !utf8.ValidString(shown) || strings.ContainsFunc(shown, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			t.Errorf("a quote is shown as %q", shown)
		}
		if shown != "" && !strings.Contains(fold(notice), fold(quote)) {
			t.Errorf("%q is not in %q", shown, notice)
		}
	})
}
