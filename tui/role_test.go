package tui

import (
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/auth"
	"angler/crawl/demo"
	"angler/crawl/view"
	"angler/tui/i18n"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

// writes are the methods of an engine that change state visible to others.
var writes = strings.Fields(`
ToggleSample ChangeConfig SetLabel SetJudge FindTerms AcceptTerms RejectTerms CancelJob Undo Redo RedoAgreed
StartDiscovery StartProbe StartHarvest Pause Resume Step Stop SetStrategy SetWorkers SetDelay SetDepth SetBudget
StartStored ImportFile Steer Retry Compare AddSeeds AddSample RemoveSample ToggleNegative AddNegative LabelURLs
StopWord ExportFile BackupFile ChangeSetting Star Done Judge Note SaveView DropView SetValue AsRead TestTelling
MuteList StartSeeds LinkedSeeds ListSeeds LookAt AcceptSeeds RejectSeeds TryRecipe ProposeRecipes RecipeFromCURL
SaveRecipe SwitchRecipe RemoveRecipes OrderWorkers StopWorkers AcceptProposal RefuseProposal`)

// as gives the driver's workbench to a person with a role.
func (d *driver) as(name string, r auth.Role) {
	d.a.o.Role, d.a.o.Who, d.a.o.Shared, d.a.o.Output = r, name, true, io.Discard
	d.a.equip(d.a.parts)
	d.start(d.a.goTo(d.a.at))
	d.settle()
}

// asOf is as for a workbench over an engine, which checks the role too.
func (d *driver) asOf(e *demo.Engine, name string, r auth.Role) {
	d.a.parts = screen.PartsOf(e.As(auth.Actor{Name: name, Role: r, Remote: true}))
	d.as(name, r)
}

// TestViewerChangesNothing presses every key of every screen, and answers every
// prompt, as a viewer.
func TestViewerChangesNothing(t *testing.T) {
	for _, state := range []view.RunState{view.Idle, view.Running, view.Paused} {
		t.Run(string(state), func(t *testing.T) {
			e := tuitest.Open(t, tuitest.Labelled)
			if state != view.Idle {
				e = tuitest.Running(t, tuitest.Labelled)
			}
			if state == view.Paused {
				e.Runs.Pause()
			}
			calls, p := Count(screen.PartsOf(e.As(auth.Actor{Name: "li", Role: auth.Viewer, Remote: true})))
			d := drive(t, p, 120, 40)
			d.until("the state shows", func() bool { return d.a.shared.Snap.State == state })
			config, settings, counts := e.Topic.Config(), *e.Set(), e.Snapshot().Counts
			d.as("li", auth.Viewer)
			refused := 0
			for at := range d.a.screens {
				for _, b := range d.a.screens[at].Keys() {
					for _, k := range b.Keys {
						d.start(d.a.goTo(at))
						d.settle()
						d.a.over.help, d.a.over.chooser, d.a.over.prompt = nil, nil, nil
						d.pressKey(k)
						if strings.Contains(d.a.flash, "role=viewer") {
							refused++
						}
						if d.a.over.chooser != nil || d.a.over.prompt != nil {
							d.press("3")
							d.pressKey("enter")
						}
						d.settle()
					}
				}
			}
			for _, b := range d.a.global() {
				if b.Name() == "quit" {
					continue
				}
				d.pressKey(b.Keys[0])
				if b.Off == "" && strings.Contains(d.a.flash, "failed") {
					t.Errorf("%s fails instead of being off: %s", b.Name(), d.a.flash)
				}
				d.settle()
				d.a.over.help, d.a.over.chooser = nil, nil
			}
			for _, m := range writes {
				if n := calls.Of(m); n != 0 {
					t.Errorf("%s was called %d times by a viewer", m, n)
				}
			}
			now := e.Snapshot().Counts
			if state != view.Idle { // what was in flight may still be stored
				now, counts = byPeople(now), byPeople(counts)
			}
			if !reflect.DeepEqual(config, e.Topic.Config()) || !reflect.DeepEqual(settings, *e.Set()) || counts != now {
				t.Errorf("a viewer changed something: %+v, %+v, %+v instead of %+v", e.Topic.Config(), *e.Set(), now, counts)
			}
			if refused < 15 {
				t.Errorf("only %d keys said that they are not for viewers", refused)
			}
		})
	}
}

// byPeople returns the counts that only a person changes.
func byPeople(n view.Counts) view.Counts {
	return view.Counts{Samples: n.Samples, Negative: n.Negative, Labels: n.Labels}
}

// No text, on an edge or in an empty list, offers a viewer a key that refuses them.
func TestNoTextOffersWhatARoleMayNotDo(t *testing.T) {
	for _, code := range i18n.Names {
		l := lang(t, code)
		l = l.Naming(func(id string) string {
			if keymap.Denied(auth.Viewer, id) {
				return "DENIED"
			}
			return "KEY"
		})
		limited := l.Without(func(id string) bool { return keymap.Denied(auth.Viewer, id) })
		offers := 0
		for s, at := range texts(t) {
			verbs := regexp.MustCompile(`%[-+.0-9]*[a-z]`).FindAllString(strings.ReplaceAll(s, "%%", ""), -1)
			args := make([]any, len(verbs))
			for i, v := range verbs {
				args[i] = "arg"
				if strings.HasSuffix(v, "d") {
					args[i] = 7
				}
			}
			say := func(l *i18n.Lang) string {
				if len(args) == 0 {
					return l.T(s)
				}
				return l.F(s, args...)
			}
			if strings.Contains(say(l), "DENIED") {
				offers++
				if got := say(limited); strings.Contains(got, "DENIED") || strings.Contains(got, "%!") {
					t.Errorf("%s: a viewer reads %q", at, got)
				}
			}
		}
		if offers < 40 {
			t.Errorf("%s: only %d texts offer such a key", code, offers)
		}
	}
	for s, want := range map[string]string{
		"{theta_apply} applies · {theta_back} goes back":                                                   "esc goes back",
		"nothing runs: {discovery} starts a discovery, {harvest} a harvest":                                "nothing runs",
		"Nothing waits. Press {discovery} to start a discovery, {harvest} to visit the aggregation pages.": "Nothing waits.",
	} {
		d := drive(t, can(sampled()).parts(), 100, 30)
		d.a.o.Role = auth.Viewer
		is(t, "a viewer reads", d.a.shared.T(s), want)
	}
}

// The edge of the threshold pane offers a viewer with a previewed θ only the way back.
func TestTheEdgeOffersWhatARoleMayDo(t *testing.T) {
	for r, offers := range map[auth.Role]bool{auth.Viewer: false, auth.Analyst: true} {
		d := drive(t, can(sampled()).parts(), 120, 40)
		d.as("li", r)
		d.press("3")
		d.comes("in force θ")
		d.press("]")
		d.comes("goes back")
		if got := d.sees(" applies"); got != offers {
			t.Errorf("%s reads that a key applies: %v\n%s", r, got, d.screen())
		}
	}
}

// harmless are the bindings for viewers: they change only their own screen, or send data to them. A
// new binding must be listed here or in needed.
var harmless = names(`
Crawl, Features, Harvest, Lab, Label, Samples, Threshold, all, all hosts, browser, close, draws, target, trouble,
back, back to the words, before, best F1, cancel, clear filter, coarse, copy URL, down, evaluate, Home,
next step, read, filter, fine, first, freeze, half, help, host, last, leave-one-out, mark, mouse, next,
decisions, told, explain, PageRank, similarity, open, otsu, page, palette, pane, quit, redraw, suspend, reverse,
scroll, later, range, sort, type, unmark, up, view, workspace, zoom, views, next notice, field, columns, unfold,
sections, fold, project, proposals, proposed seeds, open/judged, back to the crawl, recipes, back to the lists`)

// needed are the other bindings by the least role.
var needed = map[auth.Role][]string{
	auth.Analyst: names(`
correct, star, fetch documents, done, note, sample, add, negative, add negative, gamma, minimal weight, yes, no,
unsure, batch, learner decides, rule decides, on/off, add word, weight 1, weight, scheme, norm, words, terms,
accept, reject, patterns, threshold, corpus, look again, stop word, user word, apply, automatic, undo, redo,
sample the sites, discovery, harvest, pause, resume, step, stop, steer, rules, act, retry, import, replay,
look at a page, reject seeds, search the web, read a list, count links`),
	auth.Admin: names(`
save t, order, use it, strategy, workers, seeds, accept seeds, accept recipe, pause recipe, remove recipe,
paste cURL, settings, delay, depth, budget, scope`),
	auth.Owner: {"export"}, // the file would be the server's
}

// names splits a list at its commas.
func names(list string) []string {
	return widget.Map(strings.Split(list, ","), strings.TrimSpace)
}

// TestEveryBindingIsDecided collects the bindings of all screens in all states of the golden files.
func TestEveryBindingIsDecided(t *testing.T) {
	found := map[string]screen.Binding{}
	for i := range len(states) + 1 {
		var d *driver
		if i < len(states) {
			d = drawState(t, "en", i, 120, 40)
		} else {
			c := can(sampled())
			c.publish(func(s *view.Snapshot) { s.State = view.Paused })
			d = drive(t, c.parts(), 120, 40)
		}
		lists := [][]screen.Binding{d.a.global()}
		for _, s := range d.a.screens {
			lists = append(lists, s.Keys(), s.Bindings())
		}
		for _, b := range slices.Concat(lists...) {
			found[b.Name()] = b
		}
	}
	least := map[string]auth.Role{}
	for r, names := range needed {
		for _, name := range names {
			least[name] = r
		}
	}
	for _, name := range harmless {
		least[name] = auth.Viewer
	}
	ranks := []auth.Role{"", auth.Viewer, auth.Analyst, auth.Admin, auth.Owner}
	for name, b := range found {
		if least[name] == "" {
			t.Errorf("no table says who may use %q (%s, %s): add it to needed, or to harmless", name, b.Printed(), b.Help)
		}
		for _, r := range ranks {
			may := slices.Index(ranks, r) >= slices.Index(ranks, least[name])
			if denied := r.Denied(b.Action) != ""; denied == may {
				t.Errorf("%q as %q: denied %v, want %v", name, r, denied, !may)
			}
		}
	}
	for name := range least {
		if _, ok := found[name]; !ok {
			t.Errorf("%q is decided about, but is no key", name)
		}
	}
	for _, r := range ranks {
		if r.Denied(auth.Action{}) == "" {
			t.Errorf("%q may do an action of no table", r)
		}
	}
}

// TestNothingOfTheServerIsOffered opens everything that could show the server's machine, as a
// person over SSH.
func TestNothingOfTheServerIsOffered(t *testing.T) {
	e := tuitest.Open(t, tuitest.Sampled)
	for _, r := range []auth.Role{auth.Viewer, auth.Analyst, auth.Admin} {
		t.Run(string(r), func(t *testing.T) {
			d := workbench(t, e, 120, 40)
			d.a.o.Places, d.a.o.Browse = nil, nil // as package sshd leaves them
			d.asOf(e, "zhou", r)
			for _, c := range []struct {
				key  string
				says string
			}{{"ctrl+o", "shows one workspace only"}, {"O", "no browser here"}} {
				d.press(c.key)
				if !strings.Contains(d.a.flash, c.says) || d.a.over.chooser != nil || d.a.over.prompt != nil || d.quit {
					t.Errorf("%s: says %q", c.key, d.a.flash)
				}
			}
			d.press("5")
			d.settle()
			d.press("e")
			if !strings.Contains(d.a.flash, "ssh HOST export") || d.a.over.chooser != nil {
				t.Errorf("e: says %q", d.a.flash)
			}
			d.press(",")
			d.settle()
			is(t, "the settings are open", d.a.over.form != nil, r == auth.Admin)
		})
	}
}

func TestWhatOthersDidAndWhoIsThere(t *testing.T) {
	c := can(unjudged())
	d := drive(t, c.parts(), 160, 30)
	d.as("li", auth.Viewer)
	c.publish(func(s *view.Snapshot) {
		s.Viewers = []view.Viewer{{Name: "wang", Role: "analyst"}, {Name: "li", Role: "viewer"}}
		s.Events = []view.Event{{Seq: 1, At: d.a.o.Now().Add(-12e9), By: "wang", What: "θ .340 (was .310)", Text: "wang: θ .340 (was .310)"}}
	})
	d.until("the news come", func() bool { return len(d.a.shared.Snap.Events) == 1 })
	d.shows("wang · li (viewer)", "θ .340 (was .310) by wang, 12 s ago", "read only")
	for w, want := range map[int]string{128: "wang · li (viewer)", 120: "wang · li ", 108: " angler ", 60: "[1 Samples]"} {
		d.send(tea.WindowSizeMsg{Width: w, Height: 30})
		if tabs, _, _ := strings.Cut(d.screen(), "\n"); !strings.Contains(tabs, want) {
			t.Errorf("at %d cells the tabs are %q, want %q in them", w, tabs, want)
		}
	}
	c.publish(func(s *view.Snapshot) {
		s.Events = []view.Event{{Seq: 2, At: d.a.o.Now().Add(-5e9), By: "li", What: "label yes"}, {Seq: 3, At: d.a.o.Now(), Text: "a host rests"}}
	})
	d.until("other news come", func() bool { return len(d.a.shared.Snap.Events) == 2 })
	d.lacks(" ago", "one's own action, or the program's, is news")
	c.publish(func(s *view.Snapshot) { s.State = view.Running })
	d.until("it runs", func() bool { return d.a.shared.Snap.State == view.Running })
	d.press("q")
	if d.a.asking || !d.a.quit {
		t.Error("leaving a shared workbench asks whether to stop the crawl")
	}
}
