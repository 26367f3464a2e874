package crawl

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"angler/crawl/decisions"
	"angler/crawl/jobs"
	"angler/crawl/reader"
	"angler/crawl/view"
	"angler/message"
	"angler/store"
	"angler/store/config"
	"angler/topic"
)

// A State is brought from action to action by what each changed. After any
// actions, undone and done again, it must be what a fresh reading of the log
// gives.
func TestTheStateIsWhatTheLogSays(t *testing.T) {
	e := workspace(t, "http://a.test/")
	must(t, e.Words(t.Context()))
	links := make([]store.Link, 12)
	for i := range links {
		links[i].URL = fmt.Sprintf("http://a.test/%d.htm", i)
	}
	found, err := e.ws.Admit(links, 1)
	must(t, err)
	var batch []*store.Capture
	for _, f := range found {
		body := store.Compress(fmt.Appendf(nil, "<html><head><title>采购公告 %d</title></head><body><p>实验室设备采购项目招标公告第 %d 号。</p></body></html>", f.Row.ID, f.Row.ID))
		batch = append(batch, &store.Capture{ID: f.Row.ID, State: store.Complete, Body: body, Page: &store.Page{URL: f.Row.URL, Status: 200, Charset: "utf-8", Head: "采购公告"}})
	}
	if _, err := e.ws.Commit(nil, batch); err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	page := func() uint64 { return found[rnd.IntN(len(found))].Row.ID }
	word := func() string { return []string{"竞争性磋商", "单一来源", "东湖大学"}[rnd.IntN(3)] }
	pattern := func() string { return []string{"/1", "/2", "/3[.]htm"}[rnd.IntN(3)] }
	acts := map[string]func() error{
		"sample":   func() error { _, err := e.Topic.ToggleSample(page()); return err },
		"negative": func() error { _, err := e.Topic.ToggleNegative(page()); return err },
		"label": func() error {
			return e.Labels.SetLabel(page(), []topic.Label{topic.Yes, topic.No, topic.Unsure, topic.NoLabel}[rnd.IntN(4)])
		},
		"θ": func() error {
			return e.Topic.ChangeConfig(func(c *topic.Config) message.Text { c.Theta = float64(rnd.IntN(9)) / 10; return "θ" })
		},
		"accept": func() error { return e.Topic.AcceptTerms([]string{word()}) },
		"reject": func() error { return e.Topic.RejectTerms([]string{word()}) },
		"stop":   func() error { return e.Topic.StopWord(word()) },
		"steer": func() error {
			return e.Topic.Steer(pattern(), []string{decisions.Drop, decisions.Boost, decisions.Bury, ""}[rnd.IntN(4)])
		},
		"undo": func() error { _, err := e.Topic.Undo(); return err },
		"redo": func() error { _, err := e.Topic.Redo(); return err },
	}
	names := []string{"sample", "negative", "label", "label", "label", "θ", "accept", "reject", "stop", "steer", "undo", "undo", "redo"}
	for i := range 150 {
		name := names[rnd.IntN(len(names))]
		err := acts[name]()
		if err != nil && !errors.Is(err, store.ErrNothingToUndo) && !errors.Is(err, store.ErrNothingToRedo) {
			t.Fatalf("action %d, %s: %v", i, name, err)
		}
		if i%10 == 9 {
			same(t, i, e.decisions.State(), reread(t, e))
		}
	}
}

// An action that cannot come into force is not logged, and nothing of it is left.
func TestWhatFailsIsNotDecided(t *testing.T) {
	e := workspace(t, "http://a.test/")
	must(t, e.Words(t.Context()))
	must(t, e.Topic.StopWord("大学"))
	if err := e.Words(t.Context()); err != nil { // of the dictionary without the stop word: until then samples are not read
		t.Fatal(err)
	}
	stop := filepath.Join(e.ws.Dir(), "dict", "stop.txt")
	must(t, os.MkdirAll(stop, 0o700))
	for name, act := range map[string]func() error{
		"stop": func() error { return e.Topic.StopWord("公告") },
		"undo": func() error { _, err := e.Topic.Undo(); return err },
	} {
		if err := act(); err == nil {
			t.Errorf("%s: no error", name)
		}
		if events, err := e.ws.Decisions.Events(10); err != nil || len(events) != 1 {
			t.Errorf("%s: %d events in the log, %v", name, len(events), err)
		}
	}
	must(t, os.Remove(stop))
	must(t, e.Topic.AcceptTerms([]string{"竞争性磋商"}))
	got := e.decisions.State()
	if !slices.Equal(got.Stopped, []string{"大学"}) || len(got.Samples) > 0 {
		t.Errorf("stopped %q, %d samples", got.Stopped, len(got.Samples))
	}
	same(t, 0, got, reread(t, e))
}

// TestWhatCannotStandIsNotUndone opens logs whose last action removed something that
// cannot come back. Undo must fail and log nothing.
func TestWhatCannotStandIsNotUndone(t *testing.T) {
	for name, lost := range map[string]store.Change{
		"a sample without its page": {Kind: "sample", Key: "http://a.test/lost", After: []byte(`{"URL":"http://a.test/lost"}`)},
		"a label of no page":        {Kind: "label", Key: "x", After: []byte("1")},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			set := config.Default()
			set.Seeds = []string{"http://a.test/"}
			must(t, store.Create(dir, set))
			ws, err := store.Open(dir)
			must(t, err)
			lost.Topic = store.FirstTopic
			_, added := ws.Decisions.Do("wang", "add", lost)
			lost.After = nil
			_, removed := ws.Decisions.Do("wang", "remove", lost)
			must(t, errors.Join(added, removed, ws.Close()))
			e, err := Open(t.Context(), dir, Options{By: "wang"})
			must(t, err)
			defer e.Close()
			must(t, e.Words(t.Context()))
			was := e.decisions.State()
			if _, err := e.Topic.UndoLate(true); err == nil {
				t.Error("no error")
			}
			if events, err := e.ws.Decisions.Events(10); err != nil || len(events) != 2 {
				t.Errorf("%d events in the log, %v", len(events), err)
			}
			same(t, 0, e.decisions.State(), was)
		})
	}
}

// reread reads the log of an engine into a State of its own.
func reread(t *testing.T, e *Engine) *decisions.State {
	t.Helper()
	r := reader.New(reader.Config{Store: e.ws, Lexicon: e.reader.Lexicon, Resolver: e.reader.Resolver, Now: e.opt.Now, MaxBody: e.settings.MaxBody})
	d := decisions.New(decisions.Config{Store: e.ws, Topic: store.FirstTopic, Reader: r, Index: topic.NewIndex(), Fetch: e.fetcher, Jobs: &jobs.Jobs{Context: t.Context()},
		Events: new(view.EventLog), Settings: e.settings.Now, Now: e.opt.Now,
		Changed: func(*decisions.Effects) error { return nil }})
	must(t, d.Load())
	return d.State()
}

func same(t *testing.T, i int, got, want *decisions.State) {
	t.Helper()
	if !reflect.DeepEqual(got.Config, want.Config) || !maps.Equal(got.Labels, want.Labels) || !reflect.DeepEqual(got.Marks(), want.Marks()) {
		t.Fatalf("after action %d: config %+v, labels %v, samples %v; the log says %+v, %v, %v", i, got.Config, got.Labels, got.Marks(), want.Config, want.Labels, want.Marks())
	}
	words := func(s *decisions.State) string { return fmt.Sprint(s.Accepted, s.Rejected, s.Stopped) }
	rules := func(s *decisions.State) (out []string) {
		for _, r := range s.Rules {
			out = append(out, r.Pattern+" "+r.Action+" "+r.By)
		}
		return out
	}
	if words(got) != words(want) || !reflect.DeepEqual(rules(got), rules(want)) {
		t.Fatalf("after action %d: words %s, rules %q; the log says %s, %q", i, words(got), rules(got), words(want), rules(want))
	}
}
