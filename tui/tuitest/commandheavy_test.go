//go:build unix && heavy

package tuitest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angler/crawl/webtest"
)

// TestHeadlessFromSamplesToNotices runs the README's steps on the command line.
func TestHeadlessFromSamplesToNotices(t *testing.T) {
	x := newCrawl(t, webtest.Options{})
	web, dir, proxy := x.web, x.dir, x.proxy[1]
	var lists []string
	other := ""
	for truth := range web.Truths() {
		switch {
		case truth.Type != "list" || len(truth.Records) < 10:
		case truth.Tender && len(lists) < 3:
			lists = append(lists, truth.URL)
		case !truth.Tender && other == "":
			other = truth.URL
		}
	}
	x.sample(lists...)
	if r := Must(t, "samples", "list", dir); len(Lines[map[string]any](t, r.Out)) != 3 {
		t.Errorf("samples: %s", r.Out)
	}
	negativeSamples(t, dir, proxy, other)
	r := x.run("crawl", "--json", "--max-pages", "900")
	pages := Lines[map[string]any](t, r.Out)
	if len(pages) < 500 {
		t.Errorf("%d pages reported", len(pages))
	}
	for _, key := range []string{"url", "status", "type", "title", "date", "score", "aggregation", "label", "depth", "anchor_ratio", "records", "fetched_at"} {
		if _, ok := pages[0][key]; !ok {
			t.Errorf("a page row lacks %s: %v", key, pages[0])
		}
	}
	if !strings.Contains(r.Err, "900 fetched") {
		t.Errorf("standard error does not sum up: %q", r.Err)
	}
	r = x.run("harvest", "--json")
	if n := len(Lines[map[string]any](t, r.Out)); n == 0 {
		t.Error("no notice reported")
	}
	notices := Lines[map[string]any](t, Must(t, "export", dir, "notices").Out)
	if len(notices) == 0 {
		t.Fatal("no notices exported")
	}
	for _, key := range []string{"url", "title", "date", "text", "source", "attachments", "score", "quality", "first_seen"} {
		if _, ok := notices[0][key]; !ok {
			t.Errorf("a notice lacks %s: %v", key, notices[0])
		}
	}
	for _, what := range []string{"pages", "aggregations", "frontier", "links"} {
		if rows := Lines[map[string]any](t, Must(t, "export", dir, what, "--format", "jsonl").Out); len(rows) == 0 {
			t.Errorf("no %s exported", what)
		}
	}
	exportFormats(t, dir, len(notices))
	if r := Must(t, "topic", "words", dir, "--top", "10"); !strings.Contains(r.Out, "TF/IDF") || strings.Count(r.Out, "\n") != 11 {
		t.Errorf("features:\n%s", r.Out)
	}
	scores := Lines[struct{ Above bool }](t, Must(t, "topic", "score", dir, "--json", "--proxy", proxy, lists[0], web.Seeds()[0]).Out)
	if len(scores) != 2 || !scores[0].Above || scores[1].Above {
		t.Errorf("scores of a sample and a home page: %+v", scores)
	}
	explained := Must(t, "topic", "explain", dir, lists[0], "--proxy", proxy).Out
	for _, want := range []string{"TextLen", "robots", "allowed", "score", "θ", "招标"} {
		if !strings.Contains(explained, want) {
			t.Errorf("explain lacks %q:\n%s", want, explained)
		}
	}
	if r := Must(t, "version"); !strings.HasPrefix(r.Out, "angler ") {
		t.Errorf("version: %q", r.Out)
	}
}

func TestLabelsAndTermsOnTheCommandLine(t *testing.T) {
	x := newCrawl(t, webtest.Options{})
	web, dir := x.web, x.dir
	var tender []string
	for truth := range web.Truths() {
		if truth.Tender && truth.Type == "list" && len(truth.Records) >= 10 {
			tender = append(tender, truth.URL)
		}
	}
	x.sample(tender[0])
	x.run("crawl")
	for range 12 {
		f := strings.Fields(Must(t, "labels", "queue", dir, "-n", "1").Out)
		if len(f) < 3 {
			t.Fatalf("queue: %q", f)
		}
		truth, _ := web.Truth(f[2])
		verdict := map[bool]string{true: "yes", false: "no"}[truth.Tender && truth.Type == "list"]
		Must(t, "labels", "set", dir, f[2]+"="+verdict)
	}
	rows := Lines[struct {
		Name string
		Yes  int
		F1   *struct{ Value, Low, High float64 }
	}](t, Must(t, "topic", "eval", dir, "--json").Out)
	if len(rows) < 5 || rows[0].Yes == 0 || rows[0].F1 == nil || rows[0].F1.Low > rows[0].F1.Value || rows[0].F1.High < rows[0].F1.Value {
		t.Errorf("evaluation %+v", rows)
	}
	if r := Must(t, "topic", "eval", dir); !strings.Contains(r.Out, "learner") || !strings.Contains(r.Out, "AUC") {
		t.Errorf("eval:\n%s", r.Out)
	}
	Must(t, "labels", "judge", dir, "learner")
	csv := Must(t, "labels", "list", dir, "--csv").Out
	if strings.Count(csv, "\n") != 13 || !strings.HasPrefix(csv, "url,label,by,at\n") {
		t.Errorf("exported labels:\n%s", csv)
	}
	file := filepath.Join(t.TempDir(), "labels.csv")
	must(t, os.WriteFile(file, []byte(csv+"http://unknown.test/,yes,,\nbroken\n"), 0o644))
	r := Must(t, "labels", "import", dir, file)
	if !strings.Contains(r.Err, "12 labels imported, 2 lines skipped") || !strings.Contains(r.Err, "line 15") {
		t.Errorf("import: %q", r.Err)
	}
	expect(t, 1, "not a stored page", "labels", "set", dir, "http://unknown.test/=yes")
	if r := Run(t, "labels", "set", dir, tender[0]+"=perhaps"); r.Status != 2 {
		t.Errorf("a label that is none: status %d, %q", r.Status, r.Err)
	}
	terms := Lines[struct {
		Word   string
		CValue float64 `json:"c_value"`
	}](t, Must(t, "terms", dir, "--json", "--top", "20").Out)
	if len(terms) != 20 || terms[0].CValue < terms[19].CValue || terms[19].CValue < 3 {
		t.Errorf("terms %+v", terms)
	}
	Must(t, "terms", "accept", dir, terms[0].Word)
	if r := Must(t, "text", "segment", "--dir", dir, terms[0].Word); !strings.HasPrefix(r.Out, terms[0].Word+"/") {
		t.Errorf("%s is cut into %q after it was accepted", terms[0].Word, r.Out)
	}
	if r := Must(t, "text", "segment", "招标公告"); !strings.Contains(r.Out, "招标/") {
		t.Errorf("segment: %q", r.Out)
	}
	if flat, gse := Must(t, "text", "segment", "东湖大学实验室设备采购项目公开招标公告").Out, Must(t, "text", "segment", "--segmenter", "gse", "东湖大学实验室设备采购项目公开招标公告").Out; flat != gse {
		t.Errorf("flat cuts %q, gse %q", flat, gse)
	}
}

// negativeSamples marks an unwanted page, finds it in the list and in the feature words, removes
// it, and marks it again.
func negativeSamples(t *testing.T, dir, proxy, other string) {
	t.Helper()
	if r := Must(t, "samples", "negative", dir, "--proxy", proxy, other); !strings.HasPrefix(r.Out, "negative sample "+other) {
		t.Errorf("marking says %q", r.Out)
	}
	count := func(want int) {
		t.Helper()
		n := 0
		for _, row := range Lines[map[string]any](t, Must(t, "samples", "list", dir).Out) {
			if row["anti"] == true && row["url"] == other {
				n++
			}
		}
		if n != want {
			t.Errorf("%d negative samples are listed, want %d", n, want)
		}
	}
	count(1)
	took := false
	for _, row := range Lines[map[string]any](t, Must(t, "topic", "words", dir, "--json", "--top", "0").Out) {
		part, _ := row["taken"].(float64)
		took = took || part > 0
	}
	if !took {
		t.Error("the negative sample takes no weight of any word")
	}
	Must(t, "samples", "remove", dir, other)
	count(0)
	Must(t, "samples", "negative", dir, "--proxy", proxy, other)
	count(1)
}
