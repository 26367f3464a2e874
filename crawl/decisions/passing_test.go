package decisions

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"angler/crawl/notices"
	"angler/dict"
	"angler/topic"
)

// Passing equals Aggregations at every threshold: with samples and labels below and above it, with
// texts at several addresses, and with contradicting labels.
func TestPassingIsWhatAggregationsWouldBe(t *testing.T) {
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprint("word", i))
	}
	words := dict.NewLexicon(names)
	turned := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 14))
		page := func(text int) topic.Doc {
			d := topic.Doc{Records: 8, Dated: 8, URL: fmt.Sprintf("http://h%d.test/%d", text%5, text)}
			for i := range uint32(12) {
				if n := uint32(text) * (i + 3) % 5; n > 1 {
					d.List = append(d.List, topic.Term{ID: i, N: n})
				}
			}
			for i := range uint32(24) {
				d.Full = append(d.Full, topic.Term{ID: i, N: 1 + uint32(text)})
			}
			return d
		}
		d := New(Config{Topic: 1, Index: topic.NewIndex()})
		var ids []uint64
		for range 60 {
			id := 1 + r.Uint64N(90)
			d.Index.Add(id, page(r.IntN(40)))
			ids = append(ids, id)
		}
		state := State{Topic: 1, Config: topic.Default(), Labels: map[uint64]topic.Label{}}
		for range 12 { // some of pages that are not captured
			state.Labels[1+r.Uint64N(90)] = []topic.Label{topic.Yes, topic.No, topic.Unsure}[r.IntN(3)]
		}
		state.Samples = []Sample{{ID: ids[0]}, {ID: ids[1]}, {ID: 0}, {ID: 400}}
		state.Negative = []Sample{{ID: ids[2]}}
		var before []uint64
		for step := 0; step <= 20; step++ {
			theta := max(.001, float64(step)/20)
			next := state
			next.Config.Theta = theta
			next.Model = topic.Build(next.Config, []topic.Doc{page(6), page(10)}, words, d.Index.Background())
			d.Index.Apply(next.Model)
			d.state.Store(&next)
			passing, lists := (&Topic{d: d}).Passing(), d.Aggregations()
			if n := passing.Lists(theta); n != len(lists) {
				t.Fatalf("seed %d θ %v: %d lists pass, and there are %d", seed, theta, n, len(lists))
			}
			for _, id := range passing.Confirmed {
				text := d.Scores().Same(id)
				if !slices.ContainsFunc(lists, func(l uint64) bool { return l == id || text != 0 && d.Scores().Same(l) == text }) {
					t.Fatalf("seed %d θ %v: %d passes at every θ, and is none of %v", seed, theta, id, lists)
				}
			}
			if step > 0 {
				var lost []uint64
				for _, id := range before {
					if !slices.Contains(lists, id) {
						lost = append(lost, id)
					}
				}
				told := passing.Open.Between(max(.001, float64(step-1)/20), theta, 1000)
				slices.Sort(lost)
				slices.Sort(told)
				if !slices.Equal(lost, told) {
					t.Fatalf("seed %d θ %v: %v are said to be lost, and are %v", seed, theta, told, lost)
				}
				turned += len(lost)
			}
			before = lists
		}
	}
	if turned < 200 {
		t.Errorf("only %d pages lay between two thresholds", turned)
	}
}

// A pattern also matches a title with spaced or full-width letters.
func TestPatternsReadTitlesFolded(t *testing.T) {
	p, err := compilePatterns([]string{"招标|采购", `(?i)\btenders?\b`})
	if err != nil {
		t.Fatal(err)
	}
	for title, want := range map[string]string{"招 标 公 告": "招标", "设备　采　购": "采购", "ＴＥＮＤＥＲ　１２": "TENDER", "招 生 公 告": ""} {
		if got := p.Find(title); got != want || p.Match(title) != (want != "") {
			t.Errorf("%s: %q, want %q", title, got, want)
		}
	}
	if notices.IsOffTopicTitle("培 训 通 知") != notices.IsOffTopicTitle("培训通知") || notices.IsOffTopicTitle("招 标 培 训 公 告") != notices.IsOffTopicTitle("招标培训公告") {
		t.Error("a training is none where its letters are set apart")
	}
}
