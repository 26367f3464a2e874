package screen

import (
	"angler/crawl/view"
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// stamp says how new data are. Two equal stamps need no new load.
type stamp struct {
	pages         int
	model, scores uint64
	labels        view.LearnerInfo // moves when a label does
	acts, extra   int              // extra is the screen's own
}

func (e *Env) stamp() stamp {
	return stamp{pages: e.Snap.Counts.Pages, model: e.Snap.ModelRev, scores: e.Snap.ScoresRev, labels: e.Snap.Learner, acts: e.Acts}
}

// loader fetches one thing from the engine, at most one request at a time and
// no more often than the engine can bear: a page count that moves with every
// snapshot must not make it list its pages five times a second.
type loader[T any] struct {
	env   *Env
	label string
	load  func(context.Context, stamp) (T, error)

	have    stamp
	loaded  bool
	busy    bool
	started time.Time
	took    time.Duration
	seq     int
	err     error
}

type loadedMsg[T any] struct {
	owner *loader[T]
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

// check starts a load when what is wanted is not what is there.
func (l *loader[T]) check(want stamp) tea.Cmd {
	if l.busy || l.env.Bench == nil || l.loaded && l.have == want {
		return nil
	}
	now := l.env.Now()
	if l.loaded && l.have.acts == want.acts && l.have.extra == want.extra && l.have.model == want.model &&
		now.Sub(l.started) < max(pause, share*l.took) {
		return nil // TickMsg asks again
	}
	l.busy, l.started, l.have = true, now, want
	l.seq++
	seq, load := l.seq, l.load
	return l.env.Run(l.label, func(ctx context.Context) tea.Msg {
		v, err := load(ctx, want)
		return loadedMsg[T]{l, seq, v, err}
	})
}

// take returns the value of a message that answers this loader's last request.
func (l *loader[T]) take(m loadedMsg[T]) (v T, ok bool) {
	if m.owner != l || m.seq != l.seq {
		return v, false
	}
	l.busy, l.loaded, l.err = false, true, m.err
	l.took = l.env.Now().Sub(l.started)
	return m.val, m.err == nil
}

// state is what an empty pane says while there is nothing to show: the
// loading, the error, or the given hint.
func (l *loader[T]) state(hint string) string {
	switch {
	case l.err != nil:
		return l.env.F("%s: %s. It is tried again with the next change.", l.env.T(l.label), l.env.reason(l.err))
	case !l.loaded:
		return l.env.T(l.label) + " …"
	}
	return hint
}
