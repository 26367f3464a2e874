package crawl_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/crawl/demo"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/config"
	"angler/topic"
)

// harvested is a demo whose notices have come home, without proposals.
func harvested(t *testing.T, dir string) *demo.Engine {
	t.Helper()
	b := openDemo(t, dir, crawl.Options{Override: func(s *config.Settings) { s.Terms.Propose = false }})
	sampled(t, b, 3)
	for _, do := range []func(context.Context, run.Options) (run.Summary, error){b.Runs.Discover, b.Runs.Harvest} {
		if s, err := do(t.Context(), run.Options{MaxPages: 400}); err != nil {
			t.Fatalf("%+v, %v", s, err)
		}
	}
	if b.Workspace().Counts().Notices == 0 {
		t.Fatal("no notices came home")
	}
	return b
}

func termWords(f *decisions.FoundTerms, wanted func(decisions.FoundTerm) bool) (words []string) {
	for _, t := range f.Terms {
		if wanted(t) {
			words = append(words, t.Word)
		}
	}
	return words
}

func isNew(t decisions.FoundTerm) bool { return t.New }

func tuneTerms(t *testing.T, b *demo.Engine, key, value string) {
	t.Helper()
	must(t, errOf(b.Settings.ChangeSetting("terms."+key, value)))
}

// TestTermsAreProposedAfterAHarvest: without being asked, and every viewer is told.
func TestTermsAreProposedAfterAHarvest(t *testing.T) {
	alone(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	b := openDemo(t, "", crawl.Options{})
	sampled(t, b, 3)
	snaps, end := b.Subscribe()
	defer end()
	must(t, errOf(b.Runs.Discover(ctx, run.Options{MaxPages: 400})))
	if p := b.Terms.ProposedTerms(); p.Proposal != 0 || len(p.Terms) > 0 {
		t.Fatalf("proposed before any harvest: %+v", p)
	}
	must(t, errOf(b.Runs.Harvest(ctx, run.Options{MaxPages: 400})))
	var s *view.Snapshot
	told := func() bool {
		terms := b.Terms.ProposedTerms().Terms
		return slices.ContainsFunc(s.Events, func(ev view.Event) bool {
			return len(terms) > 0 && strings.Contains(ev.Text.String(), " new terms: ") && strings.Contains(ev.Text.String(), terms[0].Word)
		})
	}
	for s == nil || s.Terms.Proposal == 0 || !told() {
		select {
		case s = <-snaps:
		case <-ctx.Done():
			t.Fatalf("nothing was proposed, or no event tells of it: %+v", b.Terms.ProposedTerms())
		}
	}
	p := b.Terms.ProposedTerms()
	if s.Terms.New == 0 || s.Terms.New != len(termWords(p, isNew)) || p.Proposal != s.Terms.Proposal || p.Overdue {
		t.Errorf("viewers see %+v, proposed are %d of %v, overdue %v", s.Terms, len(p.Terms), p.At, p.Overdue)
	}
}

// The number of new terms is that of all of them, not of those that the proposal keeps.
func TestNewTermsAreCountedBeyondTheBound(t *testing.T) {
	b := harvested(t, t.TempDir())
	tuneTerms(t, b, "method", "loose")
	tuneTerms(t, b, "threshold", "0.01")
	must(t, b.Terms.Propose(t.Context()))
	p := b.Terms.ProposedTerms()
	if p.Above <= len(p.Terms) {
		t.Fatalf("%d terms, all of %d are kept", len(p.Terms), p.Above)
	}
	if n := b.Snapshot().Terms.New; n != p.Above {
		t.Errorf("%d new terms are told, there are %d", n, p.Above)
	}
}

// TestProposedTermsAreNewOnce: rejected terms stay away, undo brings them back, and
// what was proposed once is not new again, after a restart too.
func TestProposedTermsAreNewOnce(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	b := harvested(t, dir)
	propose := func() *decisions.FoundTerms {
		t.Helper()
		must(t, b.Terms.Propose(ctx))
		return b.Terms.ProposedTerms()
	}
	tuneTerms(t, b, "corpus", "lists")
	lists := propose()
	if len(lists.Terms) < 5 || len(termWords(lists, isNew)) != len(lists.Terms) || lists.By.Corpus != "lists" {
		t.Fatalf("%d terms of lists, %d new", len(lists.Terms), len(termWords(lists, isNew)))
	}
	known := termWords(lists, func(decisions.FoundTerm) bool { return true })
	if again := termWords(propose(), isNew); len(again) > 0 {
		t.Errorf("nothing came, and %v are new", again)
	}
	tuneTerms(t, b, "corpus", "notices")
	notices := propose()
	fresh := termWords(notices, isNew)
	if len(fresh) < 2 || slices.ContainsFunc(fresh, func(w string) bool { return slices.Contains(known, w) }) {
		t.Fatalf("new in notices: %v, in lists: %v", fresh, known)
	}

	no := fresh[0]
	holds := func(f *decisions.FoundTerms, word string) bool {
		return slices.ContainsFunc(f.Terms, func(t decisions.FoundTerm) bool { return t.Word == word })
	}
	must(t, b.Terms.RejectTerms([]string{no}))
	if p := b.Terms.ProposedTerms(); holds(p, no) || b.Snapshot().Terms.New != len(fresh)-1 {
		t.Errorf("%s is proposed after it was rejected, %d are new", no, b.Snapshot().Terms.New)
	}
	if f, err := b.Terms.FindTerms(ctx, 0); err != nil || holds(f, no) || f.Above != len(f.Terms) {
		t.Errorf("%s is found after it was rejected, %v", no, err)
	}
	undo(t, b.Topic)
	if !holds(b.Terms.ProposedTerms(), no) {
		t.Errorf("undo did not bring %s back", no)
	}
	must(t, errOf(b.Topic.Redo()))
	must(t, b.Close())

	b = openDemo(t, dir, crawl.Options{})
	if p := b.Terms.ProposedTerms(); !p.At.Equal(notices.At) || len(termWords(p, isNew)) != len(fresh)-1 || holds(p, no) {
		t.Errorf("after a restart: proposed at %v, %d new, %s among them: %v", p.At, len(termWords(p, isNew)), no, holds(p, no))
	}
	if p := propose(); len(termWords(p, isNew)) > 0 || holds(p, no) {
		t.Errorf("after a restart %v are new", termWords(p, isNew))
	}
	if err := b.Terms.AcceptTerms([]string{no}); err != nil { // the analyst thinks better of it
		t.Fatal(err)
	}
	must(t, b.Words(ctx))
	if tokens := b.Topic.Segment(no); len(tokens) != 1 {
		t.Errorf("%s is cut into %v after it was accepted", no, tokens)
	}
	consistent(t, b.Engine)
}

// TestTermsOfACorpus: each corpus is read as what it is, and threshold and patterns
// of the settings count at once.
func TestTermsOfACorpus(t *testing.T) {
	alone(t)
	b := harvested(t, "")
	find := func() *decisions.FoundTerms {
		t.Helper()
		f, err := b.Terms.FindTerms(t.Context(), 0)
		must(t, err)
		return f
	}
	all := find()
	tuneTerms(t, b, "corpus", "lists")
	lists := find()
	tuneTerms(t, b, "corpus", "notices")
	notices := find()
	if n := b.Workspace().Counts().Notices; notices.Pages != n || lists.Pages == 0 || lists.Pages >= all.Pages || all.Pages > b.Workspace().Counts().Pages {
		t.Errorf("%d of %d pages, %d lists, %d of %d notices were read", all.Pages, b.Workspace().Counts().Pages, lists.Pages, notices.Pages, n)
	}
	tuneTerms(t, b, "threshold", "20")
	high := find()
	if high.Above == 0 || high.Above >= notices.Above || slices.ContainsFunc(high.Terms, func(t decisions.FoundTerm) bool { return t.CValue <= 20 }) {
		t.Errorf("%d terms above 20, %d above 3", high.Above, notices.Above)
	}
	tuneTerms(t, b, "method", "loose")
	loose := find()
	tuneTerms(t, b, "method", "ruled")
	tuneTerms(t, b, "patterns", `["v+n"]`)
	own := find()
	if loose.Above <= high.Above || own.Above == 0 || slices.ContainsFunc(own.Terms, func(t decisions.FoundTerm) bool { return t.POS != "v+n" }) {
		t.Errorf("%d loose terms, %d ruled, %d by own patterns", loose.Above, high.Above, own.Above)
	}
	for key, c := range map[string]struct{ value, want string }{
		"patterns":  {`["n+n", "n+"]`, `"n+"`},
		"method":    {"strict", "neither ruled nor loose"},
		"corpus":    {"web", "none of all, lists, notices"},
		"threshold": {"0", "not above 0"},
	} {
		if _, err := b.Settings.ChangeSetting("terms."+key, c.value); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("terms.%s = %s: %v, want %q", key, c.value, err, c.want)
		}
	}
}

// waited is a context that tells when it is waited for.
type waited struct {
	context.Context
	told func()
}

func (w waited) Done() <-chan struct{} {
	w.told()
	return w.Context.Done()
}

// TestProposingGivesWay: nothing is read while a harvest is under way.
func TestProposingGivesWay(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	b := harvested(t, "")
	waiting, free := make(chan struct{}), make(chan struct{})
	b.SetRun(view.Harvest, free)
	done := make(chan error, 1)
	go func() { done <- b.Terms.Propose(waited{ctx, sync.OnceFunc(func() { close(waiting) })}) }()
	<-waiting
	if b.Terms.ProposedTerms().Proposal != 0 {
		t.Error("proposed while a harvest is under way")
	}
	if f, err := b.Terms.FindTerms(ctx, 0); err != nil || len(f.Terms) == 0 { // people are not held up
		t.Errorf("%v", err)
	}
	b.SetRun("", nil)
	close(free)
	if err := <-done; err != nil || b.Terms.ProposedTerms().Proposal == 0 {
		t.Errorf("after the harvest: %v", err)
	}
}

// TestAnAcceptedWordWinsOnStoredPages accepts a word that no shortest path would
// ever take, because the words around it are common: pages counted before hold it.
func TestAnAcceptedWordWinsOnStoredPages(t *testing.T) {
	alone(t)
	b := harvested(t, "")
	has := func(word string) bool {
		return slices.ContainsFunc(b.Topic.Features(), func(f topic.Feature) bool { return f.Word == word })
	}
	const word = "标公告" // of 招标公告
	must(t, b.Terms.AcceptTerms([]string{word}))
	must(t, b.Words(t.Context()))
	if !has(word) {
		t.Errorf("%s is no feature after it was accepted", word)
	}
	undo(t, b.Topic)
	must(t, b.Words(t.Context()))
	if has(word) {
		t.Errorf("%s is still a feature after undo", word)
	}
}

// TestMeasuringTerms: the gold of what was found is perfect, and accepting it does
// not take it out of the measure.
func TestMeasuringTerms(t *testing.T) {
	alone(t)
	b := harvested(t, "")
	tuneTerms(t, b, "corpus", "notices")
	f, err := b.Terms.FindTerms(t.Context(), 0)
	must(t, err)
	words := termWords(f, func(decisions.FoundTerm) bool { return true })
	slices.Sort(words)
	words = slices.Compact(words) // from two ways to cut
	for _, accept := range []bool{false, true} {
		if accept {
			must(t, b.Terms.AcceptTerms(words[:2]))
			must(t, b.Words(t.Context()))
		}
		m, err := b.Terms.Measure(t.Context(), append([]string{"招标"}, words...))
		must(t, err)
		loose, ruled := m.Methods[0], m.Methods[1]
		if m.Words != len(words)+1 || m.Whole != 1 || m.Stand != len(words) || loose.Method != "loose" || ruled.Method != "ruled" ||
			ruled.Found != len(words) || ruled.Right != len(words) || ruled.F1 != 1 || loose.Precision >= 1 || loose.Recall > 1 || loose.Found <= loose.Right {
			t.Errorf("accepted %v: %+v of %d words", accept, m, len(words))
		}
	}
	if _, err := b.Terms.Measure(t.Context(), []string{"招标", "哪里都没有"}); err == nil || !strings.Contains(err.Error(), "stands in the corpus") {
		t.Errorf("a list that measures nothing: %v", err)
	}
}
