package ways

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"time"
)

// program runs a command, without a shell, with the message as JSON on its
// standard input. It has sent the message when it exits with 0.
type program struct{ base }

// grace is how long a command that was told to end may keep its output open.
const grace = 2 * time.Second

// Send implements Way.
func (p program) Send(ctx context.Context, m *Message) error {
	wait := p.set.Wait()
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	body, err := payloadOf(m)
	if err != nil {
		return err
	}
	c := exec.CommandContext(ctx, p.set.Command[0], p.set.Command[1:]...)
	c.Dir, c.Stdin, c.WaitDelay = p.env.Dir, bytes.NewReader(append(body, '\n')), grace
	ofGroup(c)
	var out tail
	c.Stdout, c.Stderr = &out, &out
	if err := c.Run(); err != nil {
		says := err.Error()
		if len(out.b) > 0 {
			says += ": " + string(out.b)
		}
		return bounded(ctx, wait, err, fmt.Errorf("command: %s", said(says)))
	}
	return nil
}

// tail keeps the end of what a command says.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if n := len(t.b) - mostSaid; n > 0 {
		t.b = append(t.b[:0], t.b[n:]...)
	}
	return len(p), nil
}
