//go:build heavy

package tui

import (
	"slices"
	"testing"

	"angler/crawl/auth"
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

// TestEveryKeyDoesWhatItSays presses every key of every pane of every screen in every state, and over
// the states each role presses every key.
func TestEveryKeyDoesWhatItSays(t *testing.T) {
	states := slices.Clone(moments)
	for i, m := range moments {
		for _, r := range []auth.Role{auth.Viewer, auth.Analyst, auth.Admin} {
			if m.role == "" {
				states = append(states, standing{m.name + " as " + string(r), m.at, m.state, r, 1 + i%oneOf})
			}
		}
	}
	everyKey(t, states)
}
