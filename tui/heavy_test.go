//go:build heavy

package tui

import (
	"sync"
	"testing"

	"angler/crawl/auth"
	"angler/crawl/view"
	"angler/tui/keymap"
)

// TestEverySceneFromTheStart drives every scene at every size and in both languages, from its first
// key on: a key may have another effect on a small screen.
func TestEverySceneFromTheStart(t *testing.T) {
	for i, st := range states {
		for _, size := range sizes[1:] {
			for _, code := range []string{"en", "zh"} {
				t.Run(goldenName(st.name, size[0], size[1], code), func(t *testing.T) {
					t.Parallel()
					d := drawState(t, code, i, size[0], size[1])
					checkScene(t, d, size[0], size[1])
					everyDepth(t, d, size[0], size[1])
				})
			}
		}
	}
}

func TestEverySizeWithoutAGap(t *testing.T) { everySize(t, 1) }

// moments are the states in which every key is pressed.
var moments = []standing{
	{"idle", taught, view.Idle, ""},
	{"running", labelled, view.Running, ""},
	{"paused", sampled, view.Paused, ""},
	{"stopping", sampled, view.Draining, ""},
	{"harvested", harvested, view.Idle, ""},
	{"negative samples", unwanted, view.Idle, ""},
	{"no samples", unjudged, view.Idle, ""},
	{"empty", bare, view.Idle, ""},
	{"workers", crowded, view.Running, ""},
	{"a job", harvested, view.Idle, ""},
	{"viewer", labelled, view.Running, auth.Viewer},
	{"viewer while idle", taught, view.Idle, auth.Viewer},
	{"viewer while paused", sampled, view.Paused, auth.Viewer},
	{"viewer beside a job", harvested, view.Idle, auth.Viewer},
	{"analyst while paused", sampled, view.Paused, auth.Analyst},
	{"analyst beside a job", labelled, view.Idle, auth.Analyst},
	{"admin while stopping", sampled, view.Draining, auth.Admin},
}

// TestEveryKeyDoesWhatItSays presses every key of every pane of every screen in every state: an
// enabled key does what its help says, a disabled one says why.
func TestEveryKeyDoesWhatItSays(t *testing.T) {
	effectsOfScreens()
	var mu sync.Mutex
	worked := map[*keymap.Entry]bool{}
	t.Run("states", func(t *testing.T) {
		walk := func(m standing, turn int) {
			t.Run(m.name, func(t *testing.T) {
				t.Parallel()
				done := walks(t, m, turn)
				mu.Lock()
				defer mu.Unlock()
				for e := range done {
					worked[e] = true
				}
			})
		}
		for _, m := range moments {
			walk(m, 0)
		}
		// Every role in every state: over the states each role presses every key.
		for i, m := range moments {
			for _, r := range []auth.Role{auth.Viewer, auth.Analyst, auth.Admin} {
				if m.role == "" {
					walk(standing{m.name + " as " + string(r), m.at, m.state, r}, 1+i%oneOf)
				}
			}
		}
	})
	for _, e := range keymap.All() {
		if !worked[e] && inOtherTests[e] == "" {
			t.Errorf("%s worked in no state", e.ID)
		}
	}
}
