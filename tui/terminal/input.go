package terminal

import (
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	maxSeq   = 64      // bytes of a control sequence; longer ones are dropped
	maxReply = 4 << 10 // bytes of a terminal's reply
)

// Line describes the source of keys: how long to wait for it, and its limits.
type Line struct {
	// Escape is how long an escape at the end of the input may still start a sequence. Then it is the
	// key.
	Escape time.Duration

	// Limits of all bytes, of bytes of keys, each a second and at once, and of the bytes of a paste; 0:
	// no limit.
	Bytes, BytesAtOnce int
	Keys, KeysAtOnce   int
	Paste              int
}

// Limits of a client: all bytes and bytes of keys, each a second and at once. A paste is one
// message of any length. Each key costs an update and a frame, so a flood of keys at the rate of a
// paste would use a whole core. Wheels and held keys send some hundred bytes a second.
const (
	sendRate  = 8 << 10
	sendBurst = 16 << 10
	typeRate  = 512
	typeBurst = 4 << 10
)

// maxPaste bounds a client's paste in bytes. Bubble Tea keeps a paste until its end and reads all
// of it again with every packet. So an endless paste would use up memory and a whole core.
const maxPaste = 64 << 10

// Far is the line to a remote client, who may be hostile. Here is the terminal of the process,
// where sequences are hardly ever torn.
var (
	Far = Line{Escape: 60 * time.Millisecond, Bytes: sendRate, BytesAtOnce: sendBurst, Keys: typeRate,
		KeysAtOnce: typeBurst, Paste: maxPaste}
	Here = Line{Escape: 25 * time.Millisecond}
)

// Input reads keys. No Read ends inside a control sequence or a UTF-8 rune, so that a mouse report
// in two packets never becomes letters, which are commands. It is for one reader.
type Input struct {
	chunks <-chan []byte
	ended  <-chan struct{} // closed when the source is no longer read
	done   <-chan struct{}
	err    error // why the source ended; set before chunks is closed
	line   Line
	buf    []byte
	skip   bool // inside a sequence that is too long
	reply  int  // bytes read of a terminal's reply; 0 = outside of one
	alone  bool // the last key was an escape; its continuation came too late
	paste  paste
	typed  bucket
	after  func(time.Duration) <-chan time.Time
	heard  func(n int)
}

// NewInput reads src until it ends or done is closed. heard, if not nil, gets the number of bytes
// of each arrival. It slows a flood down to the limits of line by not reading. The goroutine that
// waits for src ends with src; see Ended.
func NewInput(src io.Reader, line Line, done <-chan struct{}, heard func(n int)) *Input {
	chunks, ended := make(chan []byte), make(chan struct{})
	in := &Input{chunks: chunks, ended: ended, done: done, line: line, heard: heard, after: time.After,
		typed: newBucket(line.Keys, line.KeysAtOnce), paste: paste{most: line.Paste}}
	go func() {
		defer close(ended)
		defer close(chunks)
		sent := newBucket(line.Bytes, line.BytesAtOnce)
		for {
			b := make([]byte, 256)
			n, err := src.Read(b)
			if !sent.take(n, done) {
				return
			}
			if n > 0 {
				select {
				case chunks <- b[:n]:
				case <-done:
					return
				}
			}
			if err != nil {
				in.err = err
				return
			}
		}
	}()
	return in
}

// Read implements io.Reader.
func (in *Input) Read(p []byte) (int, error) {
	// Bubble Tea takes a full buffer as a sign that more follows and would hold back an escape at its
	// end.
	if len(p) > 1 {
		p = p[:len(p)-1]
	}
	for {
		in.drop()
		in.mend()
		if n := whole(in.buf, max(len(p)/2, len(p)-len(pasteEnd))); n > 0 && !in.waits() {
			in.alone = false
			out := in.paste.pass(p[:0:len(p)], homeEnd(in.buf[:n]))
			in.buf = in.buf[n:]
			if !in.typed.take(in.paste.outside(), in.done) {
				return 0, io.EOF
			}
			if len(out) > 0 {
				return len(out), nil
			}
			continue
		}
		var late <-chan time.Time
		if in.waits() {
			late = in.after(in.line.Escape)
		}
		select {
		case b, ok := <-in.chunks:
			if !ok {
				// the rest is half a sequence and is dropped
				if in.err == nil {
					in.err = io.EOF
				}
				return 0, in.err
			}
			if in.heard != nil {
				in.heard(len(b))
			}
			in.buf = append(in.buf, b...)
		case <-late:
			in.alone, in.reply = len(in.buf) == 1 && in.buf[0] == 0x1b, 0
			n := copy(p, in.buf)
			in.buf = in.buf[n:]
			return n, nil
		case <-in.done:
			return 0, io.EOF
		}
	}
}

// drop discards a terminal's reply, and a sequence that is broken off or too long, up to its end.
func (in *Input) drop() {
	for in.reply > 0 && len(in.buf) > 0 || opensReply(in.buf) {
		c := in.buf[0]
		if c == 0x1b && len(in.buf) == 1 { // an end of the reply, or a key
			return
		}
		switch {
		case in.reply == 0:
			in.reply, in.buf = 2, in.buf[2:]
		case c == 0x07:
			in.reply, in.buf = 0, in.buf[1:]
		case c == 0x1b && in.buf[1] == '\\':
			in.reply, in.buf = 0, in.buf[2:]
		case c < 0x20 || in.reply > maxReply: // a key: the reply is broken off
			in.reply = 0
		default:
			in.reply++
			in.buf = in.buf[1:]
		}
	}
	for n := torn(in.buf); n > 0; n = torn(in.buf) {
		in.buf = in.buf[n:]
	}
	if !in.skip && whole(in.buf, len(in.buf)) == 0 && len(in.buf) > maxSeq {
		in.skip, in.buf = true, in.buf[2:]
	}
	for in.skip && len(in.buf) > 0 {
		c := in.buf[0]
		in.buf = in.buf[1:]
		in.skip = c < 0x40 || c > 0x7e
	}
}

// mend completes a mouse report whose early escape was taken for a key: people do not type [< after
// escape.
func (in *Input) mend() {
	if in.alone && len(in.buf) > 1 {
		in.alone = false
		if in.buf[0] == '[' && in.buf[1] == '<' {
			in.buf = append([]byte{0x1b}, in.buf...)
		}
	}
}

// waits reports whether the input may be a key or the start of a sequence. That is so for ESC; for
// ESC O, which is alt+O or a function key; for the start of a reply; and for [ after an early
// escape, see mend.
func (in *Input) waits() bool {
	b := in.buf
	return len(b) == 1 && (b[0] == 0x1b || in.alone && b[0] == '[') ||
		len(b) == 2 && b[0] == 0x1b && (b[1] == 'O' || b[1] == 0x1b || mayReply(b[1]))
}

// mayReply reports whether ESC and c may open a reply of the terminal: OSC, DCS or APC.
func mayReply(c byte) bool { return c == ']' || c == 'P' || c == '_' }

// opensReply reports whether b begins with a terminal's reply, such as its background colour, name
// or clipboard. It ends with BEL or ESC \. A reply that comes late must not become keys.
func opensReply(b []byte) bool {
	if len(b) < 3 || b[0] != 0x1b {
		return false
	}
	digit := b[2] >= '0' && b[2] <= '9'
	switch b[1] {
	case ']':
		return digit
	case 'P':
		return digit || strings.IndexByte(">!+$|", b[2]) >= 0
	}
	return b[1] == '_' && b[2] == 'G'
}

// homeEnd rewrites Home and End of the application mode, which Bubble Tea takes for alt+O and a
// letter. Another program may have left the terminal in that mode.
func homeEnd(b []byte) []byte {
	for i := range max(0, len(b)-2) {
		if b[i] == 0x1b && b[i+1] == 'O' && (b[i+2] == 'H' || b[i+2] == 'F') {
			b[i+1] = '['
		}
	}
	return b
}

// whole returns the length of the longest prefix of b, at most limit bytes, that ends between two
// keys.
func whole(b []byte, limit int) int {
	n := 0
	for n < len(b) {
		k := key(b[n:])
		if k == 0 || n+k > limit {
			break
		}
		n += k
	}
	return n
}

// key returns the length of the first key of b; 0 if it is incomplete.
func key(b []byte) int {
	if b[0] != 0x1b {
		return letter(b)
	}
	if len(b) == 1 {
		return 0
	}
	switch b[1] {
	case '[':
		return csi(b)
	case 'O':
		if len(b) < 3 {
			return 0
		}
		return 3
	case 0x1b: // escape, then the sequence of the second escape; or alt+escape
		if k := key(b[1:]); k > 0 {
			return 1 + k
		}
		if len(b) > 2 && mayReply(b[2]) {
			return 1
		}
		return 0
	}
	if len(b) == 2 && mayReply(b[1]) || opensReply(b) { // see drop
		return 0
	}
	if k := letter(b[1:]); k > 0 { // alt and a letter
		return 1 + k
	}
	return 0
}

func letter(b []byte) int {
	if !utf8.FullRune(b) {
		return 0
	}
	_, n := utf8.DecodeRune(b)
	return n
}

// csi measures ESC [ parameters, intermediates, final byte. Three bytes follow the old mouse
// report, ESC [ M. An invalid byte ends the sequence.
func csi(b []byte) int {
	i := 2
	for i < len(b) && b[i] >= 0x20 && b[i] <= 0x3f {
		i++
	}
	switch {
	case i >= len(b):
		return 0
	case b[i] == 'M' && i == 2:
		if len(b) < 6 {
			return 0
		}
		return 6
	case b[i] == '[' && i == 2: // the Linux console's F1 … F5
		if len(b) < 4 {
			return 0
		}
		return 4
	case b[i] < 0x20: // broken off, see torn
		return 0
	}
	return i + 1
}

// torn returns the length of a control sequence at the start of b that another control character
// breaks off; it is dropped.
func torn(b []byte) int {
	esc := 0
	for esc < len(b) && b[esc] == 0x1b {
		esc++
	}
	if esc == 0 || esc == len(b) || b[esc] != '[' {
		return 0
	}
	i := esc + 1
	for i < len(b) && b[i] >= 0x20 && b[i] <= 0x3f {
		i++
	}
	if i < len(b) && b[i] < 0x20 {
		return i
	}
	return 0
}
