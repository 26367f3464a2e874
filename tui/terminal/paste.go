package terminal

// Bracketed paste: the text between these markers was pasted.
const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// paste follows a stream and cuts a paste after most bytes; 0: no limit. It looks only for the
// bytes of the markers, wherever they are, because Bubble Tea does the same. Only the first byte of
// a marker is an escape, so a mismatch starts again.
type paste struct {
	most int
	at   int // matched bytes of a marker
	n    int // bytes since the paste began; 0: no paste
	over bool
	out  int // bytes outside of pastes since the last call of outside
}

// outside returns the bytes outside of pastes since its last call, including markers that start a
// paste.
func (p *paste) outside() int {
	n := p.out
	p.out = 0
	return n
}

// pass appends the bytes of b that go on to dst, as many as fit; len(b) bytes and an end marker
// always suffice.
func (p *paste) pass(dst, b []byte) []byte {
	for _, c := range b {
		begun, ended := p.see(c)
		if p.n == 0 {
			p.out++
		}
		switch {
		case begun && p.n == 0:
			p.n = 1
		case ended && p.over: // the end was sent already
			p.n, p.over = 0, false
			continue
		case ended:
			p.n = 0
		case p.over:
			continue
		case p.n > 0:
			if p.n++; p.most > 0 && p.n > p.most && p.at == 0 && cap(dst)-len(dst) > len(pasteEnd) {
				p.over = true
				dst = append(append(dst, c), pasteEnd...)
				continue
			}
		}
		dst = append(dst, c)
	}
	return dst
}

// see takes one byte and reports whether it completes a marker.
func (p *paste) see(c byte) (begun, ended bool) {
	switch {
	case p.at == 4 && (c == '0' || c == '1'):
		// The last digit but one tells which marker it is.
		p.at = 5
		if c == '1' {
			p.at = 6
		}
		return false, false
	case p.at >= 5 && c == '~':
		begun, ended = p.at == 5, p.at == 6
		p.at = 0
		return begun, ended
	case p.at < 4 && c == pasteBegin[p.at]:
		p.at++
	case c == 0x1b:
		p.at = 1
	default:
		p.at = 0
	}
	return false, false
}
