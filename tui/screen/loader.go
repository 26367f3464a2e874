package screen

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/widget"
)

// DataVersion says how new data are. Two equal stamps need no new load.
type DataVersion struct {
	Pages         int
	Model, Scores uint64
	Labels        view.LearnerInfo // moves when a label does
	Acts, Extra   int              // Extra: whatever else the screen's data depend on
}

// DataVersion is the newest state of everything a screen may have loaded.
func (sh *Shared) DataVersion() DataVersion {
	return DataVersion{Pages: sh.Snap.Counts.Pages, Model: sh.Snap.ModelRev, Scores: sh.Snap.ScoresRev,
		Labels: sh.Snap.Learner, Acts: sh.Acts}
}

// Loader fetches one thing from the engine, at most one request at a time and
// no more often than the engine can bear: a page count that moves with every
// snapshot must not make it list its pages five times a second.
type Loader[T any] struct {
	ui     *UI
	shared *Shared
	label  string
	load   func(DataVersion) func(context.Context) (T, error)

	Have    DataVersion // of what is loaded, or is being loaded
	Busy    bool        // a request is under way
	Err     error       // why the last one failed
	loaded  bool
	started time.Time
	took    time.Duration
	seq     int
}

// NewLoader returns a loader that has loaded nothing; label is what the reader
// sees of a slow load. load runs in the update loop and takes what a request needs of
// the screen; the function that it returns runs beside the screen, must read nothing that
// the screen changes, and ends with its context when esc is pressed.
func NewLoader[T any](u *UI, sh *Shared, label string,
	load func(at DataVersion) func(context.Context) (T, error)) Loader[T] {
	return Loader[T]{ui: u, shared: sh, label: label, load: load}
}

// LoadedMsg answers a request of a Loader; only Take reads it.
type LoadedMsg[T any] struct {
	owner *Loader[T]
	seq   int
	val   T
	err   error
}

// pause is the least time between two loads that only the crawl's progress
// asks for; a load takes at most a share of the time, so that a crawl at full
// speed costs the screen under a twentieth of a core.
const (
	pause = time.Second
	share = 30
)

// Check starts a load when what is wanted is not what is there.
func (l *Loader[T]) Check(want DataVersion) tea.Cmd {
	if l.Busy || l.loaded && l.Have == want {
		return nil
	}
	now := l.shared.Now()
	if l.loaded && l.Have.Acts == want.Acts && l.Have.Extra == want.Extra && l.Have.Model == want.Model &&
		now.Sub(l.started) < max(pause, share*l.took) {
		return nil // TickMsg asks again
	}
	l.Busy, l.started, l.Have = true, now, want
	l.seq++
	seq, load := l.seq, l.load(want)
	return l.ui.Run(l.label, func(ctx context.Context) tea.Msg {
		v, err := load(ctx)
		return LoadedMsg[T]{l, seq, v, err}
	})
}

// Take returns the value of a message that answers this loader's last request.
func (l *Loader[T]) Take(m LoadedMsg[T]) (v T, ok bool) {
	if m.owner != l || m.seq != l.seq {
		return v, false
	}
	l.Busy, l.loaded, l.Err = false, true, m.err
	l.took = l.shared.Now().Sub(l.started)
	return m.val, m.err == nil
}

// Count is how many there are of something that is loaded, "…" until it is.
func (l *Loader[T]) Count(n int) string {
	if !l.loaded && l.Err == nil {
		return "…"
	}
	return widget.Count(n)
}

// State is what an empty pane says while there is nothing to show: the
// loading, the error, or the given hint.
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
