//go:build unix

package tuitest

import (
	"strings"
	"testing"

	"angler/crawl/demo"
	"angler/crawl/webtest"
	"angler/store"
)

// TestTopicOnTheCommandLine: features, score and harvest use the changes of topic.
func TestTopicOnTheCommandLine(t *testing.T) {
	x := newCrawl(t, webtest.Options{Pages: 400, Hosts: 4})
	dir, lists := x.dir, demo.TenderLists(x.web, 3)
	x.sample(lists...)
	type feature struct {
		Word       string
		Weight     float64
		On, Expert bool
	}
	features := func() map[string]feature {
		out := map[string]feature{}
		for _, f := range Lines[feature](t, Must(t, "topic", "words", dir, "--json", "--top", "0").Out) {
			out[f.Word] = f
		}
		return out
	}
	type above struct{ Above bool }
	judged := func() bool {
		return Lines[above](t, Must(t, append([]string{"topic", "score", dir, "--json", lists[0]}, x.proxy...)...).Out)[0].Above
	}
	before := features()
	if before["招标"].Weight <= 0 || !judged() {
		t.Fatalf("no topic to begin with: %+v", before)
	}
	r := Must(t, "topic", "set", dir, "--off", "招标", "--expert", "磋商谈判", "--stop", "公告", "--m", "5", "--theta", "1")
	if !strings.HasPrefix(r.Out, "topic: m 5; θ 1; expert word 磋商谈判; word 招标 off; stop word 公告\n") {
		t.Errorf("said %q", r.Out)
	}
	after, scoring := features(), 0
	for _, f := range after {
		if f.Weight > 0 {
			scoring++
		}
	}
	if _, stands := after["公告"]; stands || after["招标"].On || after["招标"].Weight != 0 || !after["磋商谈判"].Expert || scoring != 5 || judged() {
		t.Errorf("%d words score: %+v", scoring, after)
	}
	if r := Run(t, "topic", "set", dir, "--m", "6", "--off", "没有这个词"); r.Status != 2 || !strings.Contains(r.Err, "no sample holds the word 没有这个词") || r.Out != "" {
		t.Errorf("a word that is nowhere: %+v", r)
	}
	expect(t, 2, "tf/idf", "topic", "set", dir, "--scheme", "bm25")
	Must(t, "history", "undo", dir)
	if again := features(); len(again) != len(before) || again["公告"].Weight != before["公告"].Weight || !judged() {
		t.Errorf("after the undo %d words, before %d", len(again), len(before))
	}
	ws, err := store.Open(dir)
	must(t, err)
	defer ws.Close()
	expect(t, 0, "is open elsewhere; it is read as it was at", "topic", dir)
	for _, args := range [][]string{{"topic", "set", dir, "--m", "7"}, {"history", "undo", dir}} {
		if r := Run(t, args...); r.Status != 1 || !strings.Contains(r.Err, "in use by process") || strings.Count(r.Err, "\n") != 1 {
			t.Errorf("%v on a workspace in use: %+v", args, r)
		}
	}
}
