// Package lines tells what has changed in a notice, line by line.
//
// What counts is what the notice says: its title, its text and the names of its
// attachments. Lines of the page around it and counters of its readers do not, nor do
// spaces. The package is pure and safe for concurrent use; a text of 64 KB takes some
// milliseconds, however different the other one is.
package lines

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"angler/crawl/notice/alike"
)

// Text is what a notice says.
type Text struct {
	Title string
	Text  string
	Files []string // names of attachments
}

// Plain is a line for each thing that the notice says.
func (t Text) Plain() string {
	var b strings.Builder
	line := func(prefix, s string) {
		s = strings.Join(strings.Fields(alike.Uncounted(s)), " ")
		if s == "" || prefix == "" && alike.Aside(s) {
			return
		}
		b.WriteString(prefix)
		b.WriteString(s)
		b.WriteByte('\n')
	}
	line("# ", t.Title)
	text := t.Text
	if len(text) > mostText {
		text = strings.ToValidUTF8(text[:mostText], "")
	}
	for l := range strings.Lines(text) {
		line("", l)
	}
	for _, f := range t.Files {
		line("+ ", f)
	}
	return b.String()
}

// mostText bounds what of a text is compared, in bytes.
const mostText = 256 << 10

// Changed reports whether two notices say different things.
func Changed(before, after Text) bool { return before.Plain() != after.Plain() }

// Kind says what became of a line.
type Kind uint8

// The kinds of lines. A Gap stands for lines that did not change.
const (
	Same Kind = iota
	Gone
	Added
	Gap
)

// Sign is what stands before a line of a kind.
func (k Kind) Sign() string { return [...]string{" ", "-", "+", "…"}[k] }

// Line is one line of a comparison.
type Line struct {
	Kind Kind   `json:"kind"`
	Text string `json:"text"`
	Skip int    `json:"skip,omitempty"` // of a Gap: how many lines
}

// around is how many unchanged lines are shown beside a change.
const around = 1

// Compare lists what changed, with a line around it; nil when nothing did.
func Compare(before, after Text) []Line {
	a, b := before.Plain(), after.Plain()
	if a == b {
		return nil
	}
	d, err := udiff.ToUnifiedDiff("", "", a, udiff.Lines(a, b), around)
	if err != nil { // edits of its own making fit
		return nil
	}
	var out []Line
	at := 1 // the line of before that comes next
	for _, h := range d.Hunks {
		if skip := h.FromLine - at; skip > 0 {
			out = append(out, Line{Kind: Gap, Skip: skip})
		}
		at = h.FromLine
		for _, l := range h.Lines {
			x := Line{Text: strings.TrimSuffix(l.Content, "\n")}
			switch l.Kind {
			case udiff.Delete:
				x.Kind = Gone
				at++
			case udiff.Insert:
				x.Kind = Added
			default:
				at++
			}
			out = append(out, x)
		}
	}
	if skip := strings.Count(a, "\n") + 1 - at; skip > 0 {
		out = append(out, Line{Kind: Gap, Skip: skip})
	}
	return out
}

// Count tells how many lines went and came.
func Count(ls []Line) (gone, added int) {
	for _, l := range ls {
		switch l.Kind {
		case Gone:
			gone++
		case Added:
			added++
		}
	}
	return gone, added
}
