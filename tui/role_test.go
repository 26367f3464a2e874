package tui

import (
	"io"
	"maps"
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
)

// writes are the methods of an engine that change state visible to others.
var writes = []string{"ToggleSample", "ChangeConfig", "SetLabel", "SetJudge", "FindTerms", "AcceptTerms", "RejectTerms", "CancelJob", "Undo", "Redo", "RedoAgreed",
	"StartDiscovery", "StartProbe", "StartHarvest", "Pause", "Resume", "Step", "Stop", "SetStrategy", "SetWorkers", "SetDelay", "SetDepth", "SetBudget", "StartStored", "ImportFile", "Steer", "Retry", "Compare", "AddSeeds",
	"AddSample", "RemoveSample", "ToggleNegative", "AddNegative", "LabelURLs", "StopWord", "ExportFile", "BackupFile", "ChangeSetting", "Star", "Done", "Judge", "Note", "SaveView", "DropView", "SetValue", "AsRead", "TestTelling", "MuteList", "StartSeeds", "LinkedSeeds", "ListSeeds", "LookAt", "AcceptSeeds", "RejectSeeds", "TryRecipe", "ProposeRecipes", "RecipeFromCURL", "SaveRecipe", "SwitchRecipe", "RemoveRecipes", "OrderWorkers", "StopWorkers", "AcceptProposal", "RefuseProposal"}

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

// pressKey presses a key by Bubble Tea's name.
func (d *driver) pressKey(name string) {
	for t := tea.KeyType(-120); t < 128; t++ {
		if k := (tea.KeyMsg{Type: t}); t != tea.KeyRunes && k.String() == name {
			d.send(k)
			return
		}
	}
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)})
}

// No text, on an edge or in an empty list, offers a viewer a key that refuses them.
func TestNoTextOffersWhatARoleMayNotDo(t *testing.T) {
	for _, code := range i18n.Names {
		l, err := i18n.Pick(code, env(nil))
		must(t, err)
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
		if got := d.a.shared.T(s); got != want {
			t.Errorf("a viewer reads %q, want %q", got, want)
		}
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
		if got := strings.Contains(d.screen(), " applies"); got != offers {
			t.Errorf("%s reads that a key applies: %v\n%s", r, got, d.screen())
		}
	}
}

// harmless are the bindings for viewers: they change only their own screen, or send data to them. A
// new binding must be listed here or in needed.
var harmless = []string{
	"Crawl", "Features", "Harvest", "Lab", "Label", "Samples", "Threshold",
	"all", "all hosts", "browser", "close", "draws", "target", "trouble", "back", "back to the words", "before", "best F1", "cancel", "clear filter", "coarse", "copy URL", "down",
	"evaluate", "Home", "next step", "read", "filter", "fine", "first", "freeze", "half", "help", "host", "last", "leave-one-out", "mark", "mouse", "next",
	"decisions", "told", "explain", "PageRank", "similarity", "open", "otsu", "page", "palette", "pane", "quit", "redraw", "suspend", "reverse", "scroll", "later", "range", "sort", "type", "unmark", "up", "view",
	"workspace", "zoom", "views", "next notice", "field", "columns", "unfold", "sections", "fold", "project", "proposals", "proposed seeds", "open/judged", "back to the crawl", "recipes", "back to the lists",
}

// needed are the other bindings with the least role.
var needed = map[string]auth.Role{
	"save t": auth.Admin, "correct": auth.Analyst, "star": auth.Analyst, "fetch documents": auth.Analyst, "done": auth.Analyst, "note": auth.Analyst,
	"sample": auth.Analyst, "add": auth.Analyst, "negative": auth.Analyst, "add negative": auth.Analyst, "gamma": auth.Analyst, "minimal weight": auth.Analyst, "yes": auth.Analyst, "no": auth.Analyst, "unsure": auth.Analyst, "batch": auth.Analyst, "learner decides": auth.Analyst, "rule decides": auth.Analyst,
	"on/off": auth.Analyst, "add word": auth.Analyst, "weight 1": auth.Analyst, "weight": auth.Analyst,
	"scheme": auth.Analyst, "norm": auth.Analyst, "words": auth.Analyst, "terms": auth.Analyst, "accept": auth.Analyst, "reject": auth.Analyst, "patterns": auth.Analyst, "threshold": auth.Analyst, "corpus": auth.Analyst, "look again": auth.Analyst,
	"stop word": auth.Analyst, "user word": auth.Analyst,
	"apply": auth.Analyst, "automatic": auth.Analyst, "undo": auth.Analyst, "redo": auth.Analyst,
	"sample the sites": auth.Analyst, "discovery": auth.Analyst, "harvest": auth.Analyst, "pause": auth.Analyst, "resume": auth.Analyst, "step": auth.Analyst, "stop": auth.Analyst,
	"order": auth.Admin, "steer": auth.Analyst, "rules": auth.Analyst, "act": auth.Analyst, "retry": auth.Analyst, "import": auth.Analyst, "replay": auth.Analyst, "use it": auth.Admin,
	"strategy": auth.Admin, "workers": auth.Admin, "seeds": auth.Admin, "accept seeds": auth.Admin, "accept recipe": auth.Admin, "pause recipe": auth.Admin, "remove recipe": auth.Admin, "paste cURL": auth.Admin, "look at a page": auth.Analyst, "reject seeds": auth.Analyst, "search the web": auth.Analyst, "read a list": auth.Analyst, "count links": auth.Analyst, "settings": auth.Admin, "delay": auth.Admin, "depth": auth.Admin, "budget": auth.Admin, "scope": auth.Admin,
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
	ranks := []auth.Role{"", auth.Viewer, auth.Analyst, auth.Admin, auth.Owner}
	for name, b := range found {
		least, ok := needed[name]
		switch {
		case ok:
		case slices.Contains(harmless, name):
			least = auth.Viewer
		case name == "export": // the file would be the server's
			least = auth.Owner
		default:
			t.Errorf("no table says who may use %q (%s, %s): add it to needed, or to harmless", name, b.Printed(), b.Help)
		}
		for _, r := range ranks {
			may := slices.Index(ranks, r) >= slices.Index(ranks, least)
			if denied := r.Denied(b.Action) != ""; denied == may {
				t.Errorf("%q as %q: denied %v, want %v", name, r, denied, !may)
			}
		}
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(needed)), harmless, []string{"export"}) {
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
				d.pressKey(c.key)
				d.settle()
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
			if open := d.a.over.form != nil; open != (r == auth.Admin) {
				t.Errorf("the settings are open: %v", open)
			}
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
