package screen

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/widget"
)

// DataVersion is the version of data. Equal versions need no new load.
type DataVersion struct {
	Pages         int
	Model, Scores uint64
	Labels        view.LearnerInfo // changes when a label does
	Acts, Extra   int              // Extra: other state that the data depend on
}

// DataVersion returns the current version of all data that a screen may have loaded.
func (sh *Shared) DataVersion() DataVersion {
	return DataVersion{Pages: sh.Snap.Counts.Pages, Model: sh.Snap.ModelRev, Scores: sh.Snap.ScoresRev,
		Labels: sh.Snap.Learner, Acts: sh.Acts}
}

// Loader loads one thing from the engine, at most one request at a time and not too often: a page
// count that changes with every snapshot must not make the engine list its pages five times a
// second.
type Loader[T any] struct {
	ui     *UI
	shared *Shared
	label  string
	load   func(DataVersion) func(context.Context) (T, error)
	take   func(T) tea.Cmd

	Have     DataVersion // version of the loaded data, or of those being loaded
	Busy     bool        // a request is running
	Err      error       // error of the last request
	Progress bool        // see Reply
	loaded   bool
	started  time.Time
	took     time.Duration
}

// NewLoader returns an empty loader; label is shown during a slow load. load runs in the update
// loop and collects the parameters of a request. The function it returns runs concurrently, must
// not read state that the screen changes, and ends with its context when esc is pressed. take gets
// the value in the update loop.
func NewLoader[T any](u *UI, sh *Shared, label string, load func(at DataVersion) func(context.Context) (T, error),
	take func(T) tea.Cmd) Loader[T] {
	return Loader[T]{ui: u, shared: sh, label: label, load: load, take: take}
}

// pause is the least time between two loads caused only by the crawl's progress. Loads take a
// bounded share of the time, so that a crawl at full speed costs the screen less than a twentieth
// of a core.
const (
	pause = time.Second
	share = 30
)

// Check starts a load if the wanted version differs from the loaded one.
func (l *Loader[T]) Check(want DataVersion) tea.Cmd {
	if l.Busy || l.loaded && l.Have == want {
		return nil
	}
	now := l.shared.Now()
	if l.loaded && l.Have.Acts == want.Acts && l.Have.Extra == want.Extra && l.Have.Model == want.Model &&
		now.Sub(l.started) < max(pause, share*l.took) {
		return nil // TickMsg tries again
	}
	l.Busy, l.started, l.Have = true, now, want
	load, progress := l.load(want), l.Progress
	return l.ui.Run(l.label, func(ctx context.Context) tea.Msg {
		v, err := load(ctx)
		return Reply{Progress: progress, Take: func() tea.Cmd {
			l.Busy, l.loaded, l.Err = false, true, err
			l.took = l.shared.Now().Sub(l.started)
			if err != nil {
				return nil
			}
			return l.take(v)
		}}
	})
}

// Count formats the number of loaded things, "…" before they are loaded.
func (l *Loader[T]) Count(n int) string {
	if !l.loaded && l.Err == nil {
		return "…"
	}
	return widget.Count(n)
}

// State returns the text of an empty pane: loading, the error, or the given hint.
func (l *Loader[T]) State(hint string) string {
	switch {
	case l.Err != nil:
		return l.shared.F("%s: %s. It is tried again with the next change.", l.shared.T(l.label),
			l.shared.Reason(l.Err))
	case !l.loaded:
		return l.shared.T(l.label) + " …"
	}
	return hint
}
