package page_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"angler/crawl/article"
	"angler/crawl/fields"
	"angler/crawl/page"
	"angler/crawl/webtest"
)

// demoForms are the sentences and rows in which the demo web's tender notices state their fields. The
// first form that matches a notice counts. A form without a group means that the notice does not
// state the field.
var demoForms = map[string][]*regexp.Regexp{
	"number": {
		regexp.MustCompile(`(?m)^(?:项目编号|采购编号)\t(.+)$`),
		regexp.MustCompile(`项目编号：([A-Z0-9\-]+)`),
		regexp.MustCompile(`（([A-Z0-9\-]+)）经评审`),
	},
	"buyer": {
		regexp.MustCompile(`(?m)^采购单位\t(.+)$`),
		regexp.MustCompile(`采购(?:人|单位)：([^，。]+)`),
	},
	"agent": {
		regexp.MustCompile(`(?m)^代理机构\t(.+)$`),
		regexp.MustCompile(`代理机构：([^，。]+)`),
	},
	"budget": {
		regexp.MustCompile(`(?m)^预算金额\t([\d.]+)万元$`),
		regexp.MustCompile(`采购预算：人民币([\d.]+)万元`),
		regexp.MustCompile(`预算金额：([\d.]+)万元`),
	},
	"deadline": {
		regexp.MustCompile(`投标截止时间\t(\S+)`),
		regexp.MustCompile(`报价截止时间\t(\S+)`),
		regexp.MustCompile(`投标截止时间及开标时间为([^，]+)，`),
	},
	"opening": {
		regexp.MustCompile(`投标截止时间及开标时间为([^，]+)，`),
		regexp.MustCompile(`开标时间：([^。]+)。`),
	},
	"winner": {
		regexp.MustCompile(`(?m)^中标供应商\t(.+)$`),
		regexp.MustCompile(`(?m)^第一名\t([^\t]+)\t`),
		regexp.MustCompile(`确定(.+?)为中标人`),
	},
	"amount": {
		regexp.MustCompile(`(?m)^中标金额\t([\d.]+)元$`),
		regexp.MustCompile(`(?m)^第一名\t[^\t]+\t([\d.]+)\t`),
		regexp.MustCompile(`中标价为([\d.]+)元`),
	},
}

var failed = regexp.MustCompile(`流标|废标|终止`)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestFieldsOfTheDemoWebsTenders(t *testing.T) {
	web, err := webtest.Demo(webtest.Options{Seed: 1})
	must(t, err)
	set, err := fields.Preset(fields.Tenders)
	must(t, err)
	type score struct{ stated, right, wrong int }
	scores := map[string]*score{}
	notices := 0
	for truth := range web.Truths() {
		if truth.Type != "detail" || !truth.Tender {
			continue
		}
		notices++
		host, path, _ := strings.Cut(strings.TrimPrefix(truth.URL, "http://"), "/")
		p, err := page.Parse(page.Source{URL: truth.URL, Body: web.Page(host, "/"+path).Body}, page.Options{Main: article.MethodAuto, Tables: true})
		must(t, err)
		r := set.Extract(fields.Notice{Title: p.Title, Head: p.Head, URL: p.URL, Text: p.Main, Tables: p.Tables, Published: p.Date.Time})
		for name, forms := range demoForms {
			want, unit := "", ""
			if (name == "winner" || name == "amount") && failed.MatchString(truth.Title) {
				continue // the generator gives a title of failure to a text of success
			}
			for _, re := range forms {
				if m := re.FindStringSubmatch(truth.Text); m != nil {
					want = m[1]
					if strings.Contains(re.String(), "万元") {
						unit = "万元"
					}
					break
				}
			}
			s := scores[name]
			if s == nil {
				s = &score{}
				scores[name] = s
			}
			switch {
			case want == "":
			case name == "winner":
				want = strings.NewReplacer("（", "(", "）", ")").Replace(want)
			case name == "budget" || name == "amount":
				a, _ := fields.ParseMoney(want, unit)
				want = a.Yuan
			case name == "deadline" || name == "opening":
				m, _ := fields.ParseTime(want)
				want = m.Time.Format("2006-01-02T15:04Z07:00")
			}
			if want == "" && !slices.Contains([]string{"winner", "amount", "budget"}, name) {
				continue
			}
			if want != "" {
				s.stated++
			}
			got := r.Of(name)
			switch {
			case len(got) == 0:
				if want != "" {
					t.Logf("%s: %s is missed, %q", truth.URL, name, want)
				}
			case want != "" && slices.ContainsFunc(got, func(v fields.Value) bool { return v.Norm == want }):
				s.right++
			case want == "" && name == "budget" && strings.Contains(truth.Text, "预算金额（万元）"): // a list of several
			default:
				s.wrong++
				t.Logf("%s: %s is %q, not %q", truth.URL, name, got[0].Norm, want)
			}
		}
	}
	if notices < 100 {
		t.Fatalf("only %d tenders", notices)
	}
	for name, s := range scores {
		p, rec := float64(s.right)/float64(max(1, s.right+s.wrong)), float64(s.right)/float64(max(1, s.stated))
		t.Logf("%-9s P %.3f R %.3f of %d", name, p, rec, s.stated)
		if s.stated < 10 || p < .99 || rec < .99 {
			t.Errorf("%s: P %.3f, R %.3f of %d stated; want .99 each", name, p, rec, s.stated)
		}
	}
}
