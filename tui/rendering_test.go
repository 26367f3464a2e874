package tui

import (
	"slices"
	"strings"
	"testing"

	"angler/store/config"
	"angler/tui/tuitest"
)

// Two keys switch rendering of a host on and off; the tree and the pane of the run show it.
func TestABranchIsRendered(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {160, 45}} {
		d, e, _ := idle(t, tuitest.Sampled, size[0], size[1])
		d.tabs(2)
		land := landOf(t, e)
		prefix := land.Hosts[0].Prefix
		d.press("A")
		d.press("read its pages", "enter")
		d.until("the setting holds", func() bool { return slices.Contains(e.Snapshot().Rendering.Branches, prefix) })
		if got := e.Set().Render.Pages; !slices.Equal(got, []string{strings.TrimSuffix(prefix, "/")}) {
			t.Errorf("render.pages = %q", got)
		}
		if size[0] > 100 {
			d.comes("rendered")
			d.comes("browser for " + prefix)
		}
		d.press("A")
		d.shows("read its pages without a browser")
		d.press("without a browser", "enter")
		d.until("the setting is gone", func() bool { return len(e.Snapshot().Rendering.Branches) == 0 })

		// The undo key takes back the newest action, which the log of decisions does not hold; the earlier
		// sample stays.
		samples := e.Snapshot().Counts.Samples
		d.shows("as they come")
		d.press("u")
		d.until("the setting holds again", func() bool { return slices.Contains(e.Snapshot().Rendering.Branches, prefix) })
		d.shows("undone: ")
		is(t, "samples", e.Snapshot().Counts.Samples, samples)

		// Switching a host also switches its sections; undo restores their rows.
		for _, whole := range []bool{false, true} {
			rows := []string{prefix + "list/", "elsewhere.test", prefix + "news/"}
			if whole {
				rows = append(rows, strings.TrimSuffix(prefix, "/"))
			}
			must(t, e.Settings.Change("rows", func(s *config.Settings) { s.Render.Pages = rows }))
			d.until("the rows hold", func() bool { return len(e.Snapshot().Rendering.Branches) == len(rows) })
			d.press("A")
			d.press("pages", "enter")
			d.until("the sections' rows are gone", func() bool { return !slices.Contains(e.Set().Render.Pages, rows[0]) })
			d.comes(prefix + ": pages")
			d.press("u")
			d.until("they are back", func() bool {
				return slices.Equal(slices.Sorted(slices.Values(e.Set().Render.Pages)), slices.Sorted(slices.Values(rows)))
			})
		}
	}
}
