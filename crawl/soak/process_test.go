package soak

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// process is a child under way.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan answer   // closed when its output ends
	over    chan struct{} // closed when it has ended
	err     error         // how it ended; read after over
	said    tail          // standard error
}

// start starts a child: the binary of the tests, which roleVar makes one.
func start(ctx context.Context, l *life) (*process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{answers: make(chan answer, 64), over: make(chan struct{})}
	p.cmd = exec.CommandContext(ctx, program, l.args()...)
	p.cmd.Stderr = &p.said
	p.cmd.WaitDelay = time.Second
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start a process of the crawl: %w", err)
	}
	go func() {
		defer close(p.over)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var a answer
			if json.Unmarshal(lines.Bytes(), &a) == nil { // the last line of a killed process may be cut
				p.answers <- a
			}
		}
		close(p.answers)
		p.err = p.cmd.Wait()
	}()
	return p, nil
}

// tell gives an order. A process that has ended is told nothing.
func (p *process) tell(o order) {
	b, err := json.Marshal(o)
	if err == nil {
		_, _ = p.in.Write(append(b, '\n'))
	}
}

// drain waits for the end of the process, at most so long, and kills it then,
// which it reports.
func (p *process) drain(most time.Duration, hear func(answer)) bool {
	var killed atomic.Bool
	timer := time.AfterFunc(most, func() {
		killed.Store(true)
		_ = p.cmd.Process.Kill()
	})
	for a := range p.answers {
		hear(a)
	}
	<-p.over
	timer.Stop()
	return killed.Load()
}

// crashed reports an end that no disturbance explains: a panic, or a signal without
// a sender.
func (p *process) crashed() error {
	var exit *exec.ExitError
	if p.err == nil || errors.As(p.err, &exit) && exit.ExitCode() == 1 {
		return nil
	}
	return fmt.Errorf("a process ended with: %v: %s", p.err, p.said.first())
}

// kill ends a process for good.
func (p *process) kill() { _ = p.cmd.Process.Kill() }

// signal sends a signal; one that has ended already needs none.
func (p *process) signal(sig os.Signal) { _ = p.cmd.Process.Signal(sig) }

// tail keeps the beginning of what is written.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := 64<<10 - len(t.b); room > 0 {
		t.b = append(t.b, b[:min(len(b), room)]...)
	}
	return len(b), nil
}

// first is the beginning in one line.
func (t *tail) first() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	words := strings.Join(strings.Fields(string(t.b)), " ")
	return words[:min(len(words), 400)]
}
