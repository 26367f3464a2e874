package inbox

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"

	"angler/crawl/decisions"
	"angler/crawl/facts"
	"angler/crawl/fields"
	"angler/crawl/notices"
	"angler/topic"
)

// relatedWorld holds heads and marks that change at random.
type relatedWorld struct {
	random *rand.Rand
	heads  heads
	words  *facts.Words
	fields *fields.Set
	marks  map[uint64]*decisions.Marks
	before []map[uint64]*decisions.Marks // for undo
	undone int
}

func newRelatedWorld(t *testing.T, seed uint64) *relatedWorld {
	t.Helper()
	set, err := fields.Preset(fields.Tenders)
	must(t, err)
	return &relatedWorld{random: rand.New(rand.NewPCG(7, seed)), words: facts.NewWords(), fields: set,
		heads: heads{wanted: true, loaded: true, turn: semaphore.NewWeighted(1), byID: map[uint64]*NoticeHead{},
			moved: map[uint64]bool{}},
		marks: map[uint64]*decisions.Marks{}}
}

// notice adds a notice, or changes one. Many belong to few projects and have few texts.
func (w *relatedWorld) notice() {
	day := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	id, project := 1+w.random.Uint64N(150), w.random.IntN(12)
	kind := []string{fields.Tender, fields.Correction, fields.Award}[w.random.IntN(3)]
	title := fmt.Sprintf("%s实验楼改造项目%s公告", []string{"东湖", "西山", "南江", "北岭"}[project%4], kind)
	h := &NoticeHead{ID: id, Host: fmt.Sprintf("h%d.test", w.random.IntN(4)), Title: title, At: day.AddDate(0, 0, w.random.IntN(20))}
	if w.random.IntN(4) == 0 {
		h.Changed = day
	}
	w.heads.add(h)
	text := uint64(project) * 0x9e3779b97f4a7c15
	s := &facts.NoticeFacts{ID: id, Set: w.fields, Result: &fields.Result{Values: []fields.Value{
		{Field: "kind", Text: kind, Norm: kind},
		{Field: "number", Text: fmt.Sprintf("DHU-2026-00%d", 10+project), Norm: fmt.Sprintf("DHU-2026-00%d", 10+project)},
		{Field: "buyer", Text: "东湖大学", Norm: "东湖大学"}}},
		Sketch: facts.Sketch{Known: w.random.IntN(8) > 0, Size: uint32(w.random.IntN(2000)),
			Families: notices.Families(w.random.Uint32N(64)),
			Simhash:  notices.Simhash{Words: text ^ 1<<w.random.IntN(64), Figures: text, Long: true}}}
	w.heads.setFacts(w.words, []*facts.NoticeFacts{s})
}

// decide changes the marks of a notice: stars, verdicts and corrections.
func (w *relatedWorld) decide() {
	id, by := 1+w.random.Uint64N(150), &decisions.Remark{}
	m := decisions.Marks{}
	if was := w.marks[id]; was != nil {
		m = *was
	}
	flip := func(r **decisions.Remark) {
		if *r == nil {
			*r = by
		} else {
			*r = nil
		}
	}
	switch w.random.IntN(6) {
	case 0:
		flip(&m.Star)
	case 1:
		flip(&m.Apart)
	case 2:
		flip(&m.Alone)
	case 3:
		m.Joined = w.random.Uint64N(150)
	default:
		m.Verdict = []topic.Label{topic.Yes, topic.No, topic.NoLabel}[w.random.IntN(3)]
	}
	w.before = append(w.before, w.marks)
	w.marks = maps.Clone(w.marks)
	w.marks[id] = &m
}

// undo takes back the last decision.
func (w *relatedWorld) undo() {
	if n := len(w.before); n > 0 {
		w.marks, w.before = w.before[n-1], w.before[:n-1]
		w.undone++
	}
}

// Relations that follow changes equal those computed anew.
func TestRelationsFollowChanges(t *testing.T) {
	set := notices.NewFamilySet(fields.Tenders, nil)
	w, k := newRelatedWorld(t, 1), &relationIndex{}
	for range 120 {
		w.notice()
	}
	check, groups, threads, doubts := true, 0, 0, 0
	for round := range 400 {
		switch w.random.IntN(8) {
		case 0, 1:
			w.notice()
		case 2:
			w.undo()
		case 3:
			check = w.random.IntN(4) > 0
		default:
			w.decide()
		}
		list, err := w.heads.all(t.Context(), nil, time.Time{})
		must(t, err)
		k.took = 0 // no rest
		if rest := k.update(list, w.marks, set, check); rest > 0 {
			t.Fatalf("round %d: a rest of %v", round, rest)
		}
		fresh := &relationIndex{}
		fresh.update(list, w.marks, set, check)
		if !reflect.DeepEqual(k.now, fresh.now) {
			t.Fatalf("round %d: the relations are %+v, computed anew %+v", round, k.now.counts, fresh.now.counts)
		}
		groups, threads, doubts = groups+k.now.counts.Groups, threads+k.now.counts.Threads, doubts+k.now.counts.Doubtful
	}
	if groups == 0 || threads == 0 || doubts == 0 || w.undone == 0 {
		t.Errorf("%d groups, %d threads, %d doubts and %d undone decisions were compared", groups, threads, doubts, w.undone)
	}
}

// A star computes nothing, a verdict no groups and projects. While those rest, a verdict counts for the new heads.
func TestMarksComputeOnlyTheirPart(t *testing.T) {
	set := notices.NewFamilySet(fields.Tenders, nil)
	w, k := newRelatedWorld(t, 2), &relationIndex{}
	for range 120 {
		w.notice()
	}
	list, err := w.heads.all(t.Context(), nil, time.Time{})
	must(t, err)
	id := list[0].ID
	say := func(m decisions.Marks) { w.marks = map[uint64]*decisions.Marks{id: &m} }
	k.update(list, w.marks, set, true)
	first := k.now
	if say(decisions.Marks{Star: &decisions.Remark{}}); k.update(list, w.marks, set, true) != 0 || k.now != first {
		t.Error("a star computed relations")
	}
	if say(decisions.Marks{Verdict: topic.No}); k.update(list, w.marks, set, true) != 0 || k.now == first || k.now.kin != first.kin {
		t.Error("a verdict did not compute doubts alone")
	}
	w.notice()
	if list, err = w.heads.all(t.Context(), nil, time.Time{}); err != nil {
		t.Fatal(err)
	}
	k.took = time.Hour
	judged := k.now
	if k.update(list, w.marks, set, true) <= 0 || k.now != judged {
		t.Error("relations did not rest")
	}
	say(decisions.Marks{Verdict: topic.Yes})
	if k.update(list, w.marks, set, true) <= 0 || k.now == judged || k.now.kin != first.kin || !sameList(k.judged, list) {
		t.Error("a verdict waited for the rest")
	}
	if say(decisions.Marks{Apart: &decisions.Remark{}}); k.update(list, w.marks, set, true) != 0 || k.now.kin == first.kin || !sameList(k.heads, list) {
		t.Error("a correction waited for the rest")
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
