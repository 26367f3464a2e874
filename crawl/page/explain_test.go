package page

import (
	"encoding/json"
	"strings"
	"testing"

	"angler/crawl/article"
)

func explain(t testing.TB, src string) (*Page, *Explanation) {
	t.Helper()
	p, e, err := Explain(Source{URL: "http://zb.jnlg.test/x/1.htm", Body: []byte(src)}, Options{Now: benchNow})
	must(t, err)
	return p, e
}

// chosen returns the blocks with a role: "title", "records" or "text".
func chosen(e *Explanation, as string) []BlockRow {
	var out []BlockRow
	for _, b := range e.Blocks {
		if strings.Contains(b.Chosen, as) {
			out = append(out, b)
		}
	}
	return out
}

func TestExplainNotice(t *testing.T) {
	p, e := explain(t, syntheticPage(false))
	text := chosen(e, "text")
	if len(text) == 0 || !strings.Contains(text[0].Path, "div.read") || text[0].Mass < .8 {
		t.Errorf("text was found in %+v", text)
	}
	if title := chosen(e, "title"); len(title) != 1 || !strings.Contains(title[0].Path, "div.main") {
		t.Errorf("title was found in %+v", title)
	}
	for _, b := range e.Blocks {
		if strings.Contains(b.Path, "ul") && (!b.Noise || b.Mass > .05 || b.Beta < 1) {
			t.Errorf("a menu: %+v", b)
		}
	}
	why := strings.Join(e.Why, "\n")
	for _, want := range []string{"type detail", "title by " + p.TitleWhy, "date by " + p.DateWhy, "text by " + p.MainMethod, "mass found"} {
		if !strings.Contains(why, want) {
			t.Errorf("%q is not among the reasons:\n%s", want, why)
		}
	}
}

func TestExplainList(t *testing.T) {
	_, e := explain(t, syntheticPage(true))
	if len(e.Groups) < 2 || !e.Groups[0].Chosen || e.Groups[0].Items != 40 || e.Groups[0].Dated != 40 || e.Groups[1].Score >= e.Groups[0].Score {
		t.Errorf("groups %+v", e.Groups)
	}
	if r := chosen(e, "records"); len(r) != 1 || !strings.HasSuffix(r[0].Path, "ul.news_list") || r[0].Links != 40 {
		t.Errorf("records were found in %+v", r)
	}
}

// Explain returns the same page as Parse.
func TestExplainAgreesWithParse(t *testing.T) {
	for _, list := range []bool{true, false} {
		src := Source{URL: "http://zb.jnlg.test/x/1.htm", Body: []byte(syntheticPage(list))}
		p, e, err := Explain(src, Options{Now: benchNow})
		must(t, err)
		q := mustParse(t, src, Options{Now: benchNow, Main: article.MethodAuto})
		a, _ := json.Marshal(p)
		b, _ := json.Marshal(q)
		if string(a) != string(b) || len(e.Blocks) != len(p.Blocks) {
			t.Errorf("list %v: %d rows of %d blocks\n%.300s\n%.300s", list, len(e.Blocks), len(p.Blocks), a, b)
		}
	}
}

func TestExplanationForPeople(t *testing.T) {
	_, e := explain(t, syntheticPage(true))
	var b strings.Builder
	must(t, e.Write(&b))
	for _, want := range []string{"ul.news_list [records]", "type list", "*"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
	if _, _, err := Explain(Source{URL: "http://a.test/", Body: []byte("%PDF-1.4\n%\xe2\xe3")}, Options{}); err == nil {
		t.Error("a PDF was explained")
	}
}
