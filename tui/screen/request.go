package screen

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
)

// Reply is the answer to work in the background. The program calls Take in its update loop.
type Reply struct {
	Take     func() tea.Cmd
	Progress bool // caused by the crawl's progress: it may be shown a little later
}

// Load makes a Cmd of work. take gets its result in the update loop.
func Load[T any](u *UI, label string, work func(context.Context) (T, error), take func(T, error) tea.Cmd) tea.Cmd {
	return u.Run(label, func(ctx context.Context) tea.Msg {
		v, err := work(ctx)
		return Reply{Take: func() tea.Cmd { return take(v, err) }}
	})
}

// Request is one kind of work of which only the newest answer counts. It belongs to the update
// loop; the zero value is ready.
type Request struct {
	Number int // of the newest request
	cancel context.CancelFunc
}

// Start is Load for a request: it cancels the one before, whose answer is dropped.
func Start[T any](r *Request, u *UI, label string, work func(context.Context) (T, error),
	take func(T, error) tea.Cmd) tea.Cmd {
	r.Drop()
	mine, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	number := r.Number
	return Load(u, label, func(ctx context.Context) (T, error) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(mine, stop)()
		return work(ctx)
	}, func(v T, err error) tea.Cmd {
		if r.Number != number {
			return nil
		}
		r.Drop() // frees the context
		return take(v, err)
	})
}

// Busy reports whether an answer is awaited.
func (r *Request) Busy() bool { return r.cancel != nil }

// Cancel ends the work; its answer still arrives.
func (r *Request) Cancel() {
	if r.cancel != nil {
		r.cancel()
	}
}

// Drop ends the work and drops its answer.
func (r *Request) Drop() {
	r.Cancel()
	r.cancel = nil
	r.Number++
}
