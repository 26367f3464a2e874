package tui

import (
	"fmt"
	"html"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"angler/tui/widget"
)

// The pictures of README and tutorial are frames of the workbench, drawn as SVG cell by cell;
// -update draws them again.
func TestReadmePicture(t *testing.T) {
	const w, h = 132, 38
	for _, picture := range []struct {
		file  string // in testdata
		keys  []string
		shown string // the document that shows it
	}{
		{"workbench.svg", []string{"3", "[", "[", "[", "[", "["}, "README.md"},
		{"screens/home.svg", []string{"0"}, "docs/tutorial.md"},
		{"screens/samples.svg", []string{"1"}, "docs/tutorial.md"},
		{"screens/features.svg", []string{"2"}, "docs/tutorial.md"},
		{"screens/crawl.svg", []string{"4"}, "docs/tutorial.md"},
		{"screens/harvest.svg", []string{"5"}, "docs/tutorial.md"},
		{"screens/label.svg", []string{"6"}, "docs/tutorial.md"},
	} {
		d := drive(t, can(labelled()).parts(), w, h)
		theme, err := widget.Pick("dark", false, env(map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor"}))
		must(t, err)
		d.a.theme = theme
		d.a.resize(w, h)
		for _, key := range picture.keys {
			d.press(key)
		}
		got := svg(d.a.View(), w, h)
		if len(got) > 200<<10 {
			t.Errorf("%s takes %d KB", picture.file, len(got)>>10)
		}
		path := "../testdata/" + picture.file
		if *update {
			must(t, os.WriteFile(path, []byte(got), 0o644))
			continue
		}
		want, err := os.ReadFile(path)
		must(t, err)
		if got != string(want) {
			t.Errorf("%s is not what the program draws; run: go test ./tui -run Readme -update", path)
		}
		if text, err := os.ReadFile("../" + picture.shown); err != nil || !strings.Contains(string(text), "testdata/"+picture.file+")") {
			t.Errorf("%s does not show %s, %v", picture.shown, picture.file, err)
		}
	}
}

// Size of a cell in the picture.
const (
	cellW, cellH = 9, 19
	ground       = "#16181d"
	ink          = "#d8dce3"
)

// pen is the style set by the sequences of a frame.
type pen struct {
	fg, bg string
	bold   bool
	invert bool
}

// set applies one sequence: 0, 1, 7, 38;2;r;g;b and 48;2;r;g;b, which are all in a frame of true
// colours.
func (p *pen) set(seq string) {
	f := strings.Split(seq, ";")
	for i := 0; i < len(f); i++ {
		switch f[i] {
		case "", "0":
			*p = pen{}
		case "1":
			p.bold = true
		case "7":
			p.invert = true
		case "38", "48":
			c := "#"
			for _, v := range f[i+2 : i+5] {
				n, _ := strconv.Atoi(v)
				c += fmt.Sprintf("%02x", n)
			}
			if f[i] == "38" {
				p.fg = c
			} else {
				p.bg = c
			}
			i += 4
		}
	}
}

// colours returns the drawn colours.
func (p *pen) colours() (fg, bg string) {
	fg, bg = p.fg, p.bg
	if fg == "" {
		fg = ink
	}
	if p.invert {
		if bg == "" {
			bg = ground
		}
		fg, bg = bg, fg
	}
	return fg, bg
}

// svg draws a frame. Text is in runs of fixed length, so that every cell is in place with any font.
// Borders, bars and braille are drawn as shapes, because fonts leave gaps between them.
func svg(view string, w, h int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="'DejaVu Sans Mono','Noto Sans Mono CJK SC','Noto Sans CJK SC','Microsoft YaHei','PingFang SC',Consolas,monospace" font-size="15">`+"\n",
		w*cellW, h*cellH, w*cellW, h*cellH)
	fmt.Fprintf(&b, `<title>angler: the threshold screen</title><rect width="100%%" height="100%%" fill="%s"/>`+"\n", ground)
	for y, line := range strings.Split(view, "\n") {
		drawLine(&b, line, y)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func drawLine(b *strings.Builder, line string, y int) {
	var p pen
	var run strings.Builder
	var runPen pen
	runX, runW, wide := 0, 0, false
	flush := func() {
		if text := strings.TrimRight(run.String(), " "); text != "" {
			fg, _ := runPen.colours()
			weight := ""
			if runPen.bold {
				weight = ` font-weight="700"`
			}
			length := (runW - (run.Len() - len(text))) * cellW // each removed blank is a byte and a cell
			fmt.Fprintf(b, `<text xml:space="preserve" x="%d" y="%d" fill="%s"%s textLength="%d">%s</text>`+"\n",
				runX*cellW, y*cellH+14, fg, weight, length, html.EscapeString(text))
		}
		run.Reset()
		runW = 0
	}
	x := 0
	for len(line) > 0 {
		if seq, ok := strings.CutPrefix(line, "\x1b["); ok {
			end := strings.IndexByte(seq, 'm')
			p.set(seq[:end])
			line = seq[end+1:]
			continue
		}
		r, n := utf8.DecodeRuneInString(line)
		cell := line[:n]
		line = line[n:]
		cw := widget.Width(cell)
		fg, bg := p.colours()
		if bg != "" {
			fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", x*cellW, y*cellH, cw*cellW, cellH, bg)
		}
		shape := shapeOf(r, x*cellW, y*cellH, fg)
		if shape != "" || p != runPen || (cw == 2) != wide || run.Len() == 0 && cell == " " {
			flush()
			runX, runPen, wide = x, p, cw == 2
		}
		switch {
		case shape != "":
			b.WriteString(shape)
			runX = x + cw
		case run.Len() == 0 && cell == " ":
			runX = x + cw
		default:
			run.WriteString(cell)
			runW += cw
		}
		x += cw
	}
	flush()
}

// shapeOf draws a border, a bar or a braille cell; "" for text.
func shapeOf(r rune, x, y int, fg string) string {
	mx, my := x+cellW/2, y+cellH/2
	stroke := func(d string) string {
		return fmt.Sprintf(`<path d="%s" stroke="%s" fill="none"/>`+"\n", d, fg)
	}
	right, low := x+cellW, y+cellH
	switch {
	case r == '─':
		return stroke(fmt.Sprintf("M%d %d.5H%d", x, my, right))
	case r == '│' || r == '┃' || r == '┊':
		return stroke(fmt.Sprintf("M%d.5 %dV%d", mx, y, low))
	case r == '╭':
		return stroke(fmt.Sprintf("M%d.5 %dV%dQ%d.5 %d.5 %d %d.5", mx, low, my+4, mx, my, right, my))
	case r == '╮':
		return stroke(fmt.Sprintf("M%d.5 %dV%dQ%d.5 %d.5 %d %d.5", mx, low, my+4, mx, my, x, my))
	case r == '╰':
		return stroke(fmt.Sprintf("M%d.5 %dV%dQ%d.5 %d.5 %d %d.5", mx, y, my-3, mx, my, right, my))
	case r == '╯':
		return stroke(fmt.Sprintf("M%d.5 %dV%dQ%d.5 %d.5 %d %d.5", mx, y, my-3, mx, my, x, my))
	case r >= '▁' && r <= '█':
		high := int(r-'▁'+1) * cellH / 8
		return fmt.Sprintf(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", x, low-high, cellW, high, fg)
	case r > 0x2800 && r < 0x2900:
		var d strings.Builder
		for bit, at := range [8][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}} {
			if (r-0x2800)&(1<<bit) != 0 {
				fmt.Fprintf(&d, "M%d %dh2", x+2+at[0]*4, y+3+at[1]*4)
			}
		}
		return fmt.Sprintf(`<path d="%s" stroke="%s" stroke-width="2"/>`+"\n", d.String(), fg)
	}
	return ""
}
