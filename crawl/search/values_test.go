package search

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/RoaringBitmap/roaring/v2/roaring64"

	"angler/crawl/facts"
	"angler/crawl/fields"
	"angler/crawl/filter"
)

// sayings are what notices say, by id.
type sayings struct {
	fields *fields.Set
	mu     sync.Mutex
	of     map[uint64]*facts.NoticeFacts
}

func tenders(t *testing.T) *fields.Set {
	t.Helper()
	set, err := fields.Preset(fields.Tenders)
	must(t, err)
	return set
}

func (s *sayings) set(id uint64, list ...fields.Value) *facts.NoticeFacts {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of[id] = &facts.NoticeFacts{ID: id, Set: s.fields, Result: &fields.Result{Values: list}}
	return s.of[id]
}

func (s *sayings) each(_ context.Context, f func(*facts.NoticeFacts) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.of {
		if err := f(x); err != nil {
			return err
		}
	}
	return nil
}

// TestValues: a value that stands nowhere in its notice is found with the index and
// without it: at once, in the index, after it was taken back, after an opening, and beside
// another process. Its field's title and sums are no words.
func TestValues(t *testing.T) {
	have := slices.Clone(some)
	w, ids := workspaceOf(t, have...)
	said := &sayings{fields: tenders(t), of: map[uint64]*facts.NoticeFacts{}}
	buyer := func(name string) fields.Value {
		return fields.Value{Field: "buyer", Text: name, Norm: name, Source: fields.FromPerson}
	}
	said.set(ids[0], buyer("东湖大学"), fields.Value{Field: "kind", Text: "成交公告", Norm: "中标", Source: fields.FromTitle})
	said.set(ids[1], fields.Value{Field: "budget", Text: "77.5万", Norm: "775000", Source: fields.FromPerson}, fields.Value{Field: "number", Text: "石油", Norm: "石油", From: 3, To: 9})
	values := map[int][]string{0: {"东湖大学", "中标"}, 1: {"77.5万"}}
	var words []filter.Word
	for _, text := range []string{"东湖大学", "东湖", "湖大", "中标", "成交公告", "77.5", "775000", "采购人", "石油", "南屏医科大学", "lake university", "公告"} {
		words = append(words, filter.Word{Text: text})
	}
	words = append(words, filter.Word{Text: "东胡大学", Near: 1})
	with := func(f *fixture) { f.Values = said.each }
	same := func(when string, searches ...*Search) {
		t.Helper()
		for _, s := range searches {
			got := held(t, s, words...)
			for i, word := range words {
				want := roaring64.New()
				for k := range have {
					if heldBy(&have[k], nil, nil, word) || slices.ContainsFunc(values[k], word.In) {
						want.Add(ids[k])
					}
				}
				if !got[i].Equals(want) {
					t.Errorf("%s: %v is found in %v; it is in %v", when, word, got[i].ToArray(), want.ToArray())
				}
			}
		}
	}
	f := keep(t, w, plain, with)
	f.ready()
	same("made with the index", f.Search, New(f.Config))
	taken := func() bool { f.mu.Lock(); defer f.mu.Unlock(); return len(f.waiting) == 0 }
	tell := func(x *facts.NoticeFacts, changed int) {
		t.Helper()
		if got := f.Said([]*facts.NoticeFacts{x}); len(got) != changed {
			t.Errorf("%v have other words", got)
		}
	}
	tell(said.set(ids[0], buyer("Lake University"), buyer("南屏医科大学")), 1)
	values[0] = []string{"lake university", "南屏医科大学"}
	same("before the keeper had a turn", f.Search, New(f.Config))
	tell(said.of[ids[0]], 0)
	until(t, "the value waits for the index", taken)
	same("in the index", f.Search)
	scores, err := f.Rank([]filter.Word{{Text: "医科大学"}}, nil)
	if err != nil || scores.Of(ids[0]) <= 0 {
		t.Errorf("its relevance is %v, %v", scores, err)
	}
	part, lit, name, err := f.Within(&have[0], []filter.Word{{Text: "医科"}}, 40)
	if err != nil || name != "" || part != "采购人：南屏医科大学" || len(lit) != 1 || part[lit[0].From:lit[0].To] != "医科" {
		t.Errorf("the snippet %q, %v of %q, %v", part, lit, name, err)
	}
	tell(said.set(ids[0]), 1)
	delete(values, 0)
	same("taken back", f.Search)
	until(t, "what was taken back waits for the index", taken)
	same("taken back in the index", f.Search)
	f.stop()
	said.set(ids[2], buyer("东湖大学")) // without a notification
	values[2] = []string{"东湖大学"}
	f = keep(t, w, plain, with)
	f.ready()
	same("after an opening", f.Search)
	f.stop()
	said.set(ids[3], buyer("东湖大学"))
	values[3] = []string{"东湖大学"}
	beside := &keeper{Search: New(f.Config), dir: w.Dir() + "/" + Folder}
	ix, err := openIndex(beside.dir, true)
	must(t, err)
	must(t, beside.adopt(t.Context(), ix))
	defer beside.shut()
	same("only read", beside.Search)
}
