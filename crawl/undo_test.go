package crawl_test

import (
	"errors"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/message"
	"angler/topic"
)

// thetas returns what sets θ as one of several people, and what says which θ holds.
func thetas(t *testing.T, b *crawl.Engine) (set func(e *crawl.Engine, v float64), is func(v float64)) {
	set = func(e *crawl.Engine, v float64) {
		t.Helper()
		must(t, e.Topic.ChangeConfig(func(c *topic.Config) message.Text { c.Theta = v; return "θ" }))
	}
	return set, func(v float64) {
		t.Helper()
		if got := b.Topic.Config().Theta; got != v {
			t.Errorf("θ is %v, want %v", got, v)
		}
	}
}

// One's own action of now is undone by one key; another person's, one of
// another session and one of over an hour ago only after a question.
func TestUndoAsksFirst(t *testing.T) {
	now := new(clock)
	b := openDemo(t, "", crawl.Options{By: "wang", Now: now.Now})
	theta, is := thetas(t, b.Engine)
	asks := func(e *crawl.Engine, own bool) *decisions.UndoQuestion {
		t.Helper()
		_, err := e.Topic.Undo()
		q, ok := errors.AsType[*decisions.UndoQuestion](err)
		if !ok || q.By != "wang" || q.What != "θ" || q.Own != own {
			t.Fatalf("undo: %v", err)
		}
		return q
	}
	theta(b.Engine, .1)
	theta(b.Engine, .2)
	if _, err := b.Topic.Undo(); err != nil {
		t.Fatalf("one's own fresh action: %v", err)
	}
	is(.1)
	must(t, errOf(b.Topic.Redo()))
	li, again := b.As(auth.Actor{Name: "li", Role: auth.Admin, Remote: true}), b.As(auth.Actor{Name: "wang", Role: auth.Admin, Remote: true})
	q := asks(li, false)
	asks(again, true) // wang, who came back
	is(.2)

	// What was agreed to is that one action and no other.
	theta(li, .3)
	if _, err := li.Topic.UndoAgreed(q.Seq); err == nil {
		t.Error("an action was undone without a question")
	}
	is(.3)
	if _, err := li.Topic.Undo(); err != nil {
		t.Errorf("li's own: %v", err)
	}
	if _, err := li.Topic.UndoAgreed(q.Seq); err != nil {
		t.Errorf("agreed: %v", err)
	}
	is(.1)

	// What li did again is li's, until an hour has passed.
	must(t, errOf(li.Topic.Redo()))
	if _, err := li.Topic.Undo(); err != nil {
		t.Errorf("li's redo: %v", err)
	}
	now.jump(time.Hour - time.Minute)
	theta(b.Engine, .4)
	if _, err := b.Topic.Undo(); err != nil {
		t.Errorf("fresh: %v", err)
	}
	theta(b.Engine, .5)
	now.jump(2 * time.Hour)
	asks(b.Engine, true)
	is(.5)
}

// What one took back oneself just now is done again by one key; what another person
// took back, or what was taken back in another session or over an hour ago, only after
// a question, and what was agreed to is that and nothing else.
func TestRedoAsksFirst(t *testing.T) {
	now := new(clock)
	b := openDemo(t, "", crawl.Options{By: "wang", Now: now.Now})
	li := b.As(auth.Actor{Name: "li", Role: auth.Admin, Remote: true})
	theta, is := thetas(t, b.Engine)
	undo := func(e *crawl.Engine) {
		t.Helper()
		undo(t, e.Topic)
	}
	asks := func(e *crawl.Engine, by string, own bool) *decisions.UndoQuestion {
		t.Helper()
		_, err := e.Topic.Redo()
		q, ok := errors.AsType[*decisions.UndoQuestion](err)
		if !ok || q.By != by || q.What != "θ" || q.Own != own || !q.Redo {
			t.Fatalf("redo: %v", err)
		}
		return q
	}
	theta(b.Engine, .1)
	theta(b.Engine, .2)
	undo(b.Engine)
	q := asks(li, "wang", false)
	asks(b.As(auth.Actor{Name: "wang", Role: auth.Admin, Remote: true}), "wang", true) // wang, who came back
	is(.1)
	if _, err := b.Topic.Redo(); err != nil {
		t.Fatalf("one's own undo of now: %v", err)
	}
	is(.2)

	// The same action was taken back once more: the question was of the first time.
	undo(b.Engine)
	if _, err := li.Topic.RedoAgreed(q.Seq); err == nil {
		t.Error("an undo was turned round without a question")
	}
	is(.1)
	if _, err := li.Topic.RedoAgreed(asks(li, "wang", false).Seq); err != nil {
		t.Fatalf("agreed: %v", err)
	}
	is(.2)
	undo(li) // the redo was li's

	now.jump(2 * time.Hour)
	asks(li, "li", true)
	is(.1)
	if _, err := li.Topic.RedoAgreed(asks(b.Engine, "li", false).Seq); err != nil {
		t.Error(err)
	}
	is(.2)
}
