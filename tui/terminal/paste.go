package terminal

// Bracketed paste: what stands between these was pasted and not typed.
const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// paste follows a stream and cuts off what is pasted beyond most bytes; 0 = nothing. It looks
// for the bytes of the markers alone, wherever they stand: what the program
// behind it may take for a paste, it takes for one too. No other byte of a
// marker is an escape, so a mismatch begins anew.
type paste struct {
	most int
	at   int // bytes of a marker that have come
	n    int // bytes since the paste began; 0 = there is none
	over bool
	out  int // bytes that stood outside of pastes, since outside was asked
}

// outside is how many bytes stood outside of pastes since it was asked last,
// markers that begin one included.
func (p *paste) outside() int {
	n := p.out
	p.out = 0
	return n
}

// pass appends to dst what of b goes on; never more than fits. It takes
// len(b) bytes and the end of a paste to be sure.
func (p *paste) pass(dst, b []byte) []byte {
	for _, c := range b {
		begun, ended := p.see(c)
		if p.n == 0 {
			p.out++
		}
		switch {
		case begun && p.n == 0:
			p.n = 1
		case ended && p.over: // the end was given already
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

// see takes one byte and tells whether it completes a marker.
func (p *paste) see(c byte) (begun, ended bool) {
	switch {
	case p.at == 4 && (c == '0' || c == '1'):
		// Which marker it is the last digit but one says.
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
