package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	maxMessage = 1 << 20     // bytes
	patience   = time.Minute // for answers to what was asked before the input ended
)

// lines is a transport of one message a line. Unlike the SDK's, it answers a malformed line with an
// error and reads on, does not escape <, > and &, and answers pending requests after the end of the
// input.
type lines struct {
	in  io.Reader
	out io.Writer
}

// Connect starts the reader.
func (t *lines) Connect(context.Context) (sdk.Connection, error) {
	c := &conn{in: bufio.NewReaderSize(t.in, 64<<10), out: t.out, read: make(chan received),
		closed:  make(chan struct{}),
		settled: make(chan struct{})}
	go c.readAll()
	return c, nil
}

// received is a message, or the error that ended the input.
type received struct {
	msg jsonrpc.Message
	err error
}

// conn is one session.
type conn struct {
	in     *bufio.Reader
	read   chan received
	closed chan struct{}
	once   sync.Once

	writing sync.Mutex // guards out
	out     io.Writer

	mu      sync.Mutex
	pending int           // questions without an answer
	ended   bool          // the input has ended
	settled chan struct{} // closed once it has, and nothing is pending
}

// SessionID returns "", because a connection is one session.
func (c *conn) SessionID() string { return "" }

// Close ends the session. It closes neither reader nor writer.
func (c *conn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// readAll reads the messages. A blocked read of the input may outlive the session.
func (c *conn) readAll() {
	for {
		line, long, err := c.line()
		if msg := c.message(line, long); msg != nil {
			select {
			case c.read <- received{msg: msg}:
			case <-c.closed:
				return
			}
		}
		if err != nil {
			select {
			case c.read <- received{err: err}:
			case <-c.closed:
			}
			return
		}
	}
}

// line reads a line. long means that the line exceeded the limit and was dropped.
func (c *conn) line() (line []byte, long bool, err error) {
	for {
		part, err := c.in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxMessage; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// message parses a line. It answers a malformed line with an error and returns nil.
func (c *conn) message(line []byte, long bool) jsonrpc.Message {
	line = bytes.TrimSpace(line)
	switch {
	case long:
		c.refuse(jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message has more than %d bytes", maxMessage))
		return nil
	case len(line) == 0:
		return nil
	case !json.Valid(line): // it bounds the depth as well
		c.refuse(jsonrpc.CodeParseError, "the line is no JSON; send one message a line")
		return nil
	}
	msg, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		c.refuse(jsonrpc.CodeInvalidRequest, "the line is no JSON-RPC 2.0 message; batches are not read")
		return nil
	}
	return msg
}

// refuse answers a malformed line with an error.
func (c *conn) refuse(code int64, why string) {
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil,
		"error": map[string]any{"code": code, "message": why}})
	if err == nil {
		_ = c.write(b) // the next answer meets the same failure
	}
}

// Read returns the next message. At the end of the input it waits for pending answers.
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case r := <-c.read:
		if q, ok := r.msg.(*jsonrpc.Request); ok && q.ID.IsValid() {
			c.count(1, false)
		}
		if r.err != nil {
			c.count(0, true)
			select {
			case <-c.settled:
			case <-c.closed:
			case <-ctx.Done():
			case <-time.After(patience):
			}
		}
		return r.msg, r.err
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// count adds n to the number of pending requests.
func (c *conn) count(n int, ended bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	was := c.ended && c.pending == 0
	c.pending, c.ended = c.pending+n, c.ended || ended
	if c.ended && c.pending == 0 && !was {
		close(c.settled)
	}
}

// Write writes a message.
func (c *conn) Write(_ context.Context, msg jsonrpc.Message) error {
	if _, answer := msg.(*jsonrpc.Response); answer {
		defer c.count(-1, false)
	}
	b, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	return c.write(b)
}

func (c *conn) write(message []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(plain(message), '\n'))
	return err
}

// plainSigns lists the characters that encoding/json escapes for HTML.
var plainSigns = map[string]byte{"003c": '<', "003e": '>', "0026": '&'}

// plain undoes the HTML escapes of encoding/json.
func plain(b []byte) []byte {
	out := make([]byte, 0, len(b)+1)
	for i := 0; i < len(b); i++ {
		out = append(out, b[i])
		if b[i] != '\\' || i+1 == len(b) {
			continue
		}
		if b[i+1] == 'u' && i+6 <= len(b) {
			if sign, ok := plainSigns[string(b[i+2:i+6])]; ok {
				out[len(out)-1] = sign
				i += 5
				continue
			}
		}
		i++
		out = append(out, b[i])
	}
	return out
}
