package browser

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
)

// This file speaks the DevTools protocol over a pair of pipes: JSON messages, each ended by a zero
// byte.

// maxMessage bounds a message from the browser, in bytes.
const maxMessage = 64 << 20

// maxQueue bounds the waiting events of a page. A page with more is ended.
const maxQueue = 4096

var errPipe = errors.New("the browser ended")

// event is a message that answers no command.
type event struct {
	Method string
	Params json.RawMessage
}

// conn is a connection to a browser. It is safe for concurrent use.
type conn struct {
	out  *os.File
	done chan struct{} // closed when the browser's pipe ends

	writing sync.Mutex

	mu       sync.Mutex // guards the fields below
	last     int
	waiting  map[int]chan *answer
	sessions map[string]*session
}

// session receives the events of a page.
type session struct {
	events chan event
	flood  chan struct{} // closed when the queue overflowed
	once   sync.Once
}

// answer is the browser's reply to a command.
type answer struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// newConn takes over the pipes of a browser and closes both at the end.
func newConn(in, out *os.File) *conn {
	c := &conn{out: out, done: make(chan struct{}), waiting: map[int]chan *answer{}, sessions: map[string]*session{}}
	go c.read(in)
	return c
}

// read dispatches the browser's messages until its pipe ends.
func (c *conn) read(in *os.File) {
	defer func() {
		_ = in.Close()
		_ = c.out.Close()
		close(c.done)
	}()
	r := bufio.NewReaderSize(in, 64<<10)
	var long []byte
	for {
		part, err := r.ReadSlice(0)
		if len(long)+len(part) > maxMessage {
			return
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			long = append(long, part...)
			continue
		case err != nil:
			return
		}
		text := part
		if len(long) > 0 {
			text = append(long, part...)
		}
		c.take(bytes.TrimSuffix(text, []byte{0}))
		if long = text[:0]; cap(long) > 1<<20 || len(text) == len(part) {
			long = nil
		}
	}
}

func (c *conn) take(text []byte) {
	var m struct {
		ID        int                       `json:"id"`
		SessionID string                    `json:"sessionId"`
		Method    string                    `json:"method"`
		Params    json.RawMessage           `json:"params"`
		Result    json.RawMessage           `json:"result"`
		Error     *struct{ Message string } `json:"error"`
	}
	if json.Unmarshal(text, &m) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if m.ID != 0 {
		if w := c.waiting[m.ID]; w != nil {
			delete(c.waiting, m.ID)
			w <- &answer{m.Result, m.Error}
		}
		return
	}
	if s := c.sessions[m.SessionID]; s != nil {
		select {
		case s.events <- event{m.Method, m.Params}:
		default:
			s.once.Do(func() { close(s.flood) })
		}
	}
}

// listen sends the events of a session to s until forget.
func (c *conn) listen(id string, s *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sessions[id] = s
}

func (c *conn) forget(s *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, known := range c.sessions {
		if known == s {
			delete(c.sessions, id)
		}
	}
}

// call sends a command and waits for its reply, which is decoded into result unless result is nil.
func (c *conn) call(ctx context.Context, session, method string, params, result any) error {
	w := make(chan *answer, 1)
	id, err := c.write(session, method, params, w)
	if err != nil {
		return err
	}
	defer func() {
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
	}()
	select {
	case a := <-w:
		switch {
		case a.Error != nil:
			return fmt.Errorf("%s: %s", method, a.Error.Message)
		case result != nil:
			if err := json.Unmarshal(a.Result, result); err != nil {
				return fmt.Errorf("%s: %w", method, err)
			}
		}
		return nil
	case <-c.done:
		return errPipe
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// send sends a command and ignores the reply.
func (c *conn) send(session, method string, params any) {
	_, _ = c.write(session, method, params, nil)
}

func (c *conn) write(session, method string, params any, w chan *answer) (id int, err error) {
	if params == nil {
		params = struct{}{}
	}
	c.mu.Lock()
	c.last++
	id = c.last
	if w != nil {
		c.waiting[id] = w
	}
	c.mu.Unlock()
	text, err := json.Marshal(struct {
		ID        int    `json:"id"`
		SessionID string `json:"sessionId,omitempty"`
		Method    string `json:"method"`
		Params    any    `json:"params"`
	}{id, session, method, params})
	if err != nil {
		return 0, err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if _, err = c.out.Write(append(text, 0)); err != nil {
		return 0, errPipe
	}
	return id, nil
}
