package keymap

import (
	"slices"
	"strings"
	"testing"

	"angler/crawl/auth"
)

// reserved are the keys with one meaning everywhere.
var reserved = map[string]string{
	"?": "help", "f1": "help", ":": "palette", "/": "filter", "n": "next_hit", "N": "last_hit", "enter": "open", "esc": back, "tab": "next_pane", "shift+tab": "last_pane",
	" ": "mark", "V": "mark_range", "*": "mark_all", "y": "yes", "x": "no", "-": "unsure", "u": "undo", "ctrl+r": "redo", "z": "zoom", "c": "copy", "f": "freeze", "e": "export",
	"S": "discovery", "H": "harvest", "P": "pause", "T": "step", "X": "stop", "m": "star", "d": "done", ";": "note", "i": "explain", "s": "sample",
	"[": step, "]": step, "{": step, "}": step,
}

func TestNoKeyMeansTwoThings(t *testing.T) {
	ids := map[string]bool{}
	for _, e := range All() {
		if ids[e.ID] {
			t.Errorf("two actions are called %s", e.ID)
		}
		ids[e.ID] = true
		if len(e.Keys) == 0 || e.Help == "" || e.Action.Name() == "" || auth.Owner.Denied(e.Action) != "" {
			t.Errorf("%s lacks keys, help, a name or who may", e.ID)
		}
		for _, k := range e.Keys {
			if key, ok := Known(k); !ok || key != k {
				t.Errorf("%s: %q is no key", e.ID, k)
			}
			if want := reserved[k]; want != "" && e.meaning() != want && e != ReadDown { // a text has no rows to mark
				t.Errorf("%s takes %q, which is %s everywhere", e.ID, k, want)
			}
			if e.Place != Everywhere {
				continue
			}
			for _, o := range All() {
				if o != e && slices.Contains(o.Keys, k) && o.meaning() != e.meaning() {
					t.Errorf("%s shadows %q of %s, which works everywhere", o.ID, k, e.ID)
				}
			}
		}
	}
	if c := new(Map).clash(); c != nil {
		t.Errorf("%q is %s and %s", c.Key, c.A.ID, c.B.ID)
	}
}

// Keys that control a run or send data out are not plain letters.
func TestNothingStartsByAccident(t *testing.T) {
	for _, e := range All() {
		switch e.Action {
		case auth.Discovery, auth.Harvest, auth.Pause, auth.Resume, auth.Step, auth.Stop, auth.Probe, auth.Retry, Browse.Action:
			for _, k := range e.Keys {
				if len(k) == 1 && k >= "a" && k <= "z" {
					t.Errorf("%s stands on %s", e.ID, k)
				}
			}
		}
	}
}

func TestKeysAreChanged(t *testing.T) {
	m, err := Change(map[string]any{"pause": "ctrl+p", "palette": []any{":", "f2"}, "no": "k", "up": "up", "last_notice": "up", "mark": "insert"})
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Keys(Pause); !slices.Equal(got, []string{"ctrl+p"}) {
		t.Errorf("pause stands on %q", got)
	}
	if got := m.Keys(Palette); !slices.Equal(got, []string{":", "f2"}) {
		t.Errorf("the palette stands on %q", got)
	}
	if got := m.Keys(Yes); !slices.Equal(got, []string{"y"}) || m.of(Yes) != nil {
		t.Errorf("yes stands on %q", got)
	}
}

func TestBadKeysAreRefusedPrecisely(t *testing.T) {
	for _, c := range []struct {
		set  map[string]any
		says string
	}{
		{map[string]any{"paus": "p"}, "[keys] paus: no action is called that; did you mean pause?"},
		{map[string]any{"qq": "p"}, "; the help lists the actions with their names"},
		{map[string]any{"pause": "ctrl+m"}, `[keys] pause: "ctrl+m" is no key`},
		{map[string]any{"pause": "pp"}, `"pp" is no key`},
		{map[string]any{"pause": "f13"}, `"f13" is no key`},
		{map[string]any{"pause": "\x1b"}, "is no key"},
		{map[string]any{"pause": ""}, `"" is no key`},
		{map[string]any{"pause": int64(3)}, "write a key in quotes"},
		{map[string]any{"pause": []any{int64(3)}}, "3 is no key; write it in quotes"},
		{map[string]any{"pause": []any{}}, "an action needs a key"},
		{map[string]any{"pause": "y"}, `[keys] pause = "y": y is yes's already; give one of them another key`},
		{map[string]any{"pause": "space"}, `[keys] pause = "space": space is mark's already`},
		{map[string]any{"workers": "O"}, "[keys] workers = \"O\": O is browse's already"},
		{map[string]any{"workers": "k", "strategy": "g"}, "already"},
	} {
		m, err := Change(c.set)
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") || m != nil {
			t.Errorf("%v: %v, want %q", c.set, err, c.says)
		}
	}
	// Keys of screens that never show together do not clash.
	if _, err := Change(map[string]any{"workers": "h"}); err != nil {
		t.Errorf("h on Crawl, which is Samples' too: %v", err)
	}
}

// Sentences show the arrow keys as signs, like the footer and the help.
func TestSentencesNameArrows(t *testing.T) {
	var f Force
	for id, want := range map[string]string{"unfold": "→", "fold": "←", "kin": "t", "mark": "space"} {
		if got := f.Named(id); got != want {
			t.Errorf("%s is named %q, want %q", id, got, want)
		}
	}
}
