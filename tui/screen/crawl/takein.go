package crawl

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/archive"
	"angler/crawl/auth"
	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file imports pages without requests: those of a web archive, and the notices that stored
// pages announce.

// takeIn is its key.
type takeIn struct {
	*screen.UI
	*screen.Shared
	runs     screen.Runs
	archives screen.Archives
	role     auth.Role
}

func (t takeIn) key() screen.Binding {
	busy := screen.If(t.Snap.State != view.Idle, "a run is under way; {stop} stops it")
	return screen.Bind(keymap.TakeIn, busy, screen.Do(t.choose))
}

func (t takeIn) choose() {
	sh, n := t.Shared, t.Snap.Counts
	unjudged := screen.If(n.Samples == 0 && n.Labels == 0, "there is no sample to judge pages by")
	t.Offer("import without a request", []widget.Item{
		{Name: "pages of a web archive …", Note: "WARC, compressed or not, of this or another program",
			Off: sh.Line(t.role.Denied(auth.TakeIn)),
			Do:  screen.Do(t.askArchive)},
		{Name: "notices of stored pages", Note: "notices that stored lists announce and that are stored, too",
			Off: unjudged,
			Do:  func() tea.Cmd { return t.Act(sh.T("reading stored pages"), t.runs.StartStored) }},
	})
}

func (t takeIn) askArchive() {
	t.Ask(&widget.Prompt[string]{
		Editor: widget.Editor{Label: "archive:", Hint: "FILE.warc.gz · esc cancels and keeps the pages read so far"},
		Check:  widget.SomeText("type a file name"),
		Do:     t.take,
	})
}

func (t takeIn) take(path string) tea.Cmd {
	sh, archives := t.Shared, t.archives
	return t.Run("taking in an archive", func(ctx context.Context) tea.Msg {
		got, err := archives.ImportFile(ctx, path)
		if errors.Is(err, context.Canceled) {
			err = errors.New("cancelled; the pages read so far are kept")
		}
		what := sh.T("the archive")
		if err == nil {
			what = imported(sh, filepath.Base(path), &got)
		}
		return screen.ActMsg{What: what, Err: err}
	})
}

// imported describes the result of importing an archive, and why it may be empty.
func imported(sh *screen.Shared, name string, got *archive.Imported) string {
	out := sh.F("%s from %s", sh.N(got.Pages, "page"), widget.Clean(name))
	if got.Unchanged > 0 {
		out += " · " + sh.F("%s known already", got.Unchanged)
	}
	left := slices.SortedFunc(maps.Keys(got.Left), func(a, b string) int {
		return cmp.Or(cmp.Compare(got.Left[b], got.Left[a]), cmp.Compare(a, b))
	})
	if len(left) > 0 {
		n := 0
		for _, k := range got.Left {
			n += k
		}
		out += " · " + sh.F("%s left out, most of them: %s", n, sh.T(left[0]))
	}
	switch {
	case got.Unjudged:
		return out + " · " + sh.T("no notices: there is no sample to judge pages by")
	case got.Lists == 0:
		return out + " · " + sh.T("no notices: none of the pages is a list")
	}
	return out + " · " + sh.N(got.Notices, "new notice")
}
