package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// signals ends a context by signals. The first interrupt, termination or hangup requests a clean
// end: the run stops, fetched pages and learned data are stored, the database is closed. The second
// interrupt or termination reports what the end waits for, and the third ends the process at once.
//
// A terminal that goes away hangs up, often more than once, so a hangup after the first signal is
// not counted. A hangup that was ignored at the start of the process (nohup) stays ignored. A
// server uses hangups as requests to read its settings again (reloads), even if they were ignored
// at the start.
type signals struct {
	caught chan os.Signal
	end    context.CancelFunc
	say    io.Writer
	exit   func(status int)

	serving atomic.Bool
	hangups chan struct{} // capacity 1
	told    int           // number of requests to end; for the watching goroutine
}

// watchSignals returns a context that ends with the first signal, and the function that turns
// hangups into requests for a server. stop returns the signals to the system.
func watchSignals(say io.Writer, exit func(int)) (ctx context.Context, reloads func() <-chan struct{}, stop func()) {
	ctx, end := context.WithCancel(context.Background())
	s := &signals{caught: make(chan os.Signal, 8), end: end, say: say, exit: exit, hangups: make(chan struct{}, 1)}
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	signal.Notify(s.caught, list...)
	// A reader that has left is an error of the write, see output. The signal would end the
	// process while the workspace is open.
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	over := make(chan struct{})
	go func() {
		for {
			select {
			case sig := <-s.caught:
				s.take(sig)
			case <-over:
				return
			}
		}
	}()
	return ctx, s.reloads, func() {
		signal.Stop(s.caught)
		signal.Stop(broken)
		close(over)
		end()
	}
}

// reloads turns hangups into requests on the channel. Hangups before the last one was received
// count as one.
func (s *signals) reloads() <-chan struct{} {
	s.serving.Store(true)
	signal.Notify(s.caught, syscall.SIGHUP)
	return s.hangups
}

// take handles one signal. Only the watching goroutine calls it.
func (s *signals) take(sig os.Signal) {
	hangup := sig == syscall.SIGHUP
	if hangup && s.serving.Load() {
		select {
		case s.hangups <- struct{}{}:
		default:
		}
		return
	}
	if hangup && s.told > 0 {
		return
	}
	s.told++
	switch s.told {
	case 1:
		s.end()
	case 2:
		fmt.Fprintln(s.say, "\nangler: ending already: it waits until the pages on their way are stored and the database is closed; "+
			"once more ends it at once, and what is not stored yet is fetched and learned again")
	default:
		status := 128 + int(syscall.SIGTERM)
		if number, ok := sig.(syscall.Signal); ok {
			status = 128 + int(number)
		}
		s.exit(status)
	}
}
