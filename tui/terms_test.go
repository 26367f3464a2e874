package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"angler/crawl/auth"
	"angler/crawl/lab"
	"angler/crawl/view"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

func TestTermsAreMarkedAcceptedAndTakenBack(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 160, 45)
	found, err := e.Terms.FindTerms(t.Context(), 3)
	must(t, err)
	list := found.Terms
	d.press("2", "t")
	d.shows("domain terms", "C-value", list[0].Word, strings.Join(list[0].Segments, " "))
	d.press("space", "space")
	d.shows("2 marked")
	d.press("a")
	for i, want := range []bool{true, true, false} {
		if got := slices.Contains(logged(t, e, "word"), list[i].Word); got != want {
			t.Errorf("%s accepted: %v, want %v", list[i].Word, got, want)
		}
	}
	d.shows("2 accepted")
	d.lacks(strings.Join(list[0].Segments, " "), "an accepted word is still offered")
	d.press("u")
	if slices.Contains(logged(t, e, "word"), list[0].Word) {
		t.Error("u left the word in the dictionary")
	}
	d.shows("l looks again")
	if err := e.Words(t.Context()); err != nil { // the pages are counted again
		t.Fatal(err)
	}
	d.press("l", "g") // the cursor has kept its row, which is no longer the first
	d.comes(list[0].Word)
	d.press("/", list[2].Word, "enter")
	d.shows("1 of ")
	d.press("esc", "esc")
	d.shows("feature words")
}

// TestProposedTermsShow: the status line announces new terms until a person has viewed them;
// rejected terms stay away until an undo.
func TestProposedTermsShow(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 160, 45)
	if d.sees("new term") {
		t.Fatalf("terms are new before anything was proposed:\n%s", d.screen())
	}
	must(t, e.Terms.Propose(t.Context()))
	n := e.Snapshot().Terms.New
	d.comes(widget.Count(n) + " new terms: press 2, then t")
	now := tuitest.Start.Add(time.Minute) // it disappears and does not return
	d.a.o.Now = func() time.Time { return now }
	d.send(clockMsg{})
	d.a.show(d.a.shared.Snap)
	if d.settle(); d.sees("new terms: press") {
		t.Errorf("the status line tells of the terms for ever:\n%s", d.screen())
	}
	d.press("2", "t")
	list := e.Terms.ProposedTerms().Terms
	d.shows("proposed after the harvest of", "● ", list[0].Word)
	d.lacks("new terms: press 2, then t", "the status line still tells of terms that were looked at")
	row := strings.Join(list[0].Segments, " ") + " "
	d.press("r") // the term under the cursor, as none is marked
	d.comes("1 rejected", "rejected 1 term · "+list[0].Word)
	if !slices.Contains(logged(t, e, "reject"), list[0].Word) || slices.Contains(logged(t, e, "word"), list[0].Word) {
		t.Errorf("%s is not rejected", list[0].Word)
	}
	d.lacks(row, "a rejected term is still offered")
	d.press("l")
	d.comes("domain terms")
	d.lacks(row, "a rejected term is found again")
	d.press("u")
	d.press("l")
	d.press("g")
	d.comes(row)
}

// TestUndoBringsAProposedTermBack: undo restores a term at once, without a new search.
func TestUndoBringsAProposedTermBack(t *testing.T) {
	e := tuitest.Open(t, tuitest.Sampled)
	must(t, e.Terms.Propose(t.Context()))
	d, calls := watched(t, e, 160, 45)
	first := e.Terms.ProposedTerms().Terms[0]
	d.press("2", "t")
	d.press("space", "r")
	d.shows("1 rejected")
	d.press("u", "g")
	d.comes(strings.Join(first.Segments, " ") + " ")
	is(t, "searches for terms", calls.Of("FindTerms"), 0)
}

// TestTermsAreTunedOnThePane: patterns, threshold and corpus are settings, and the list follows
// them.
func TestTermsAreTunedOnThePane(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 160, 45)
	d.press("2", "t")
	d.comes("ruled · C-value > 3 · all pages")
	d.press("A", "ctrl+u", "0", "enter")
	d.shows("a number above 0")
	d.press("ctrl+u", "1", "2", ".", "5", "enter")
	d.comes("ruled · C-value > 12.5 · all pages")
	d.press("w")
	d.shows("where terms are looked for", "titles and main texts of notices")
	d.press("down", "down", "enter")
	d.comes("ruled · C-value > 12.5 · notices")
	d.press("p")
	d.shows("20 patterns of parts of speech")
	d.press("down", "enter")
	d.comes("loose · C-value > 12.5 · notices")
	if set := e.Set().Terms; set.Method != "loose" || set.Threshold != 12.5 || set.Corpus != "notices" {
		t.Errorf("angler.toml says %+v", set)
	}
	d.asOf(e, "li", auth.Analyst) // who may not change other settings
	d.press("2", "t", "p", "up", "enter")
	d.comes("ruled · C-value > 12.5 · notices")
	d.asOf(e, "chen", auth.Viewer)
	d.press("2", "t")
	d.shows("role=viewer")
}

func TestLookingForTermsShowsProgressAndCanBeCancelled(t *testing.T) {
	c := can(sampled())
	calls, p := Count(c.parts())
	held := make(chan struct{})
	calls.Hold("FindTerms", func(ctx context.Context) error {
		close(held)
		<-ctx.Done()
		return ctx.Err()
	})
	calls.Fail("CancelJob", errors.New("there is no job")) // counted
	d := drive(t, p, 160, 45)
	d.press("2")
	d.pressKey("t")
	d.await("the search for terms begins", held)
	c.publish(func(s *view.Snapshot) { s.Job = view.Job{Name: "looking for terms", Done: 284, Total: 568} })
	d.until("the progress shows", func() bool {
		return d.sees("looking for terms 284/568") && d.sees("284 of 568 pages · esc cancels")
	})
	d.press("esc")
	d.shows("it was cancelled", "l to look again")
	is(t, "calls of CancelJob", calls.Of("CancelJob"), 1)
	c.publish(func(s *view.Snapshot) { s.Job = view.Job{} })
	d.gone("284/568")
}

// The job is a replay longer than any test.
func TestEscCancelsAJobFromAnyScreen(t *testing.T) {
	e := tuitest.Open(t, tuitest.Labelled)
	ended := make(chan error, 1)
	go func() {
		_, err := e.Lab.Compare(t.Context(), lab.Comparison{Strategies: e.Settings.Strategies(), Target: "lists", Draws: lab.MostDraws})
		ended <- err
	}()
	d, calls := watched(t, e, 120, 40)
	d.until("the job shows", func() bool {
		j := d.a.shared.Snap.Job
		return j.Name != "" && d.sees(j.Name+" ") && d.sees(" of "+widget.Count(j.Total))
	})
	d.press("5", "esc")
	d.shows("is being cancelled")
	is(t, "calls of CancelJob", calls.Of("CancelJob"), 1)
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the job ended with %v", err)
		}
	case <-time.After(10 * time.Minute):
		t.Fatal("the job goes on")
	}
}
