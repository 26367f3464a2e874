package terminal

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// cell is one cell of a frame: its text and the parameters of the SGR sequence that makes its style
// from the plain one.
type cell struct {
	s   string
	pen string
	w   int8 // 1 or 2; 0: the right half of a wide cell
}

// parseLine reads one line of a frame into row, which keeps its length. It drops everything but
// text and SGR.
func parseLine(row []cell, line string) {
	x, pen := 0, ""
	for len(line) > 0 && x < len(row) {
		if c := line[0]; c >= 0x20 && c < 0x7f && (len(line) == 1 || line[1] < 0x80) {
			row[x] = cell{line[:1], pen, 1}
			x, line = x+1, line[1:]
			continue
		}
		seq, w, n, _ := ansi.DecodeSequence(line, ansi.NormalState, nil)
		if n == 0 {
			break
		}
		line = line[n:]
		switch {
		case w == 0:
			if p, ok := strings.CutPrefix(seq, "\x1b["); ok && strings.HasSuffix(p, "m") {
				pen = style(pen, p[:len(p)-1])
			}
		case w > 2:
		case x+w > len(row): // only half of a wide cell fits
			row[x] = cell{" ", pen, 1}
			x++
		default:
			row[x] = cell{seq, pen, int8(w)}
			if w == 2 {
				row[x+1] = cell{"", pen, 0}
			}
			x += w
		}
	}
	for ; x < len(row); x++ {
		row[x] = cell{" ", "", 1}
	}
}

// style returns the pen after an SGR with parameters p.
func style(pen, p string) string {
	switch rest, reset := strings.CutPrefix(p, "0;"); {
	case p == "" || p == "0":
		return ""
	case reset:
		return rest
	case pen == "" || colour(pen) && colour(p):
		return p
	}
	return pen + ";" + p
}

// painter writes the difference of two frames.
type painter struct {
	b    []byte
	x, y int    // cursor of the client; y < 0: unknown
	pen  string // pen of the client
}

// row writes the cells of row y in which now differs from was.
func (p *painter) row(y int, was, now []cell) {
	end := len(now) // blank from here on: erase instead of writing
	for end > 0 && now[end-1] == (cell{" ", "", 1}) {
		end--
	}
	for x := 0; x < len(now); x++ {
		c := &now[x]
		if *c == was[x] || c.w == 0 && was[x].w == 0 {
			continue
		}
		if x >= end && len(now)-x > 4 {
			p.to(x, y, nil)
			p.paint("")
			p.b = append(p.b, "\x1b[K"...)
			return
		}
		if c.w == 0 {
			continue // written with its left half
		}
		p.to(x, y, now)
		p.paint(c.pen)
		p.b = append(p.b, c.s...)
		p.x = x + int(c.w)
		if len(c.s) > 1 && c.w == 1 && !sure(c.s) {
			p.y = -1 // some terminals count it as two cells
		}
		if p.x >= len(now) {
			p.y = -1 // terminals differ at the margin
		}
	}
}

// sure reports whether s is a sign of one cell on every terminal.
func sure(s string) bool {
	r := []rune(s)
	return len(r) == 1 && (r[0] >= 0x2500 && r[0] < 0x25a0 || r[0] == '·' || r[0] == '…')
}

// to moves the cursor. A few unchanged cells are cheaper to write again.
func (p *painter) to(x, y int, now []cell) {
	if p.y == y && p.x == x {
		return
	}
	if gap := x - p.x; p.y == y && gap > 0 {
		same, n := now != nil, 0
		for i := p.x; same && i < x; i++ {
			same = now[i].pen == p.pen && now[i].w == 1
			n += len(now[i].s)
		}
		switch {
		case same && n <= 4:
			for i := p.x; i < x; i++ {
				p.b = append(p.b, now[i].s...)
			}
		case gap == 1:
			p.b = append(p.b, "\x1b[C"...)
		default:
			p.b = append(strconv.AppendInt(append(p.b, "\x1b["...), int64(gap), 10), 'C')
		}
	} else {
		p.b = append(strconv.AppendInt(append(p.b, "\x1b["...), int64(y+1), 10), ';')
		p.b = append(strconv.AppendInt(p.b, int64(x+1), 10), 'H')
	}
	p.x, p.y = x, y
}

func (p *painter) paint(pen string) {
	switch {
	case pen == p.pen:
		return
	case pen == "":
		p.b = append(p.b, "\x1b[m"...)
	case p.pen == "", colour(p.pen) && colour(pen):
		p.b = append(append(append(p.b, "\x1b["...), pen...), 'm')
	default:
		p.b = append(append(append(p.b, "\x1b[0;"...), pen...), 'm')
	}
	p.pen = pen
}

// colour reports whether a pen is only a foreground colour, which the next colour replaces.
func colour(pen string) bool {
	switch {
	case strings.HasPrefix(pen, "38;2;"):
		return strings.Count(pen, ";") == 4
	case strings.HasPrefix(pen, "38;5;"):
		return strings.Count(pen, ";") == 2
	}
	return len(pen) == 2 && (pen[0] == '3' || pen[0] == '9')
}
