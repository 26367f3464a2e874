package notices

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// NoticeText is what a notice says.
type NoticeText struct {
	Title string
	Text  string
	Files []string // names of attachments
}

// plain is a line for each thing that the notice says.
func (t NoticeText) plain() string {
	var b strings.Builder
	line := func(prefix, s string) {
		s = strings.Join(strings.Fields(withoutCounters(s)), " ")
		if s == "" || prefix == "" && isFurnitureLine(s) {
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

// TextChanged reports whether two notices say different things.
func TextChanged(before, after NoticeText) bool { return before.plain() != after.plain() }

// DiffKind says what became of a line.
type DiffKind uint8

// The kinds of lines. A DiffGap stands for lines that did not change.
const (
	DiffSame DiffKind = iota
	DiffGone
	DiffAdded
	DiffGap
)

// Sign is what stands before a line of a kind.
func (k DiffKind) Sign() string { return [...]string{" ", "-", "+", "…"}[k] }

// DiffLine is one line of a comparison.
type DiffLine struct {
	Kind DiffKind `json:"kind"`
	Text string   `json:"text"`
	Skip int      `json:"skip,omitempty"` // of a DiffGap: how many lines
}

// around is how many unchanged lines are shown beside a change.
const around = 1

// CompareTexts lists what changed, with a line around it; nil when nothing did.
func CompareTexts(before, after NoticeText) []DiffLine {
	a, b := before.plain(), after.plain()
	if a == b {
		return nil
	}
	d, err := udiff.ToUnifiedDiff("", "", a, udiff.Lines(a, b), around)
	if err != nil { // edits of its own making fit
		return nil
	}
	var out []DiffLine
	at := 1 // the line of before that comes next
	for _, h := range d.Hunks {
		if skip := h.FromLine - at; skip > 0 {
			out = append(out, DiffLine{Kind: DiffGap, Skip: skip})
		}
		at = h.FromLine
		for _, l := range h.Lines {
			x := DiffLine{Text: strings.TrimSuffix(l.Content, "\n")}
			switch l.Kind {
			case udiff.Delete:
				x.Kind = DiffGone
				at++
			case udiff.Insert:
				x.Kind = DiffAdded
			default:
				at++
			}
			out = append(out, x)
		}
	}
	if skip := strings.Count(a, "\n") + 1 - at; skip > 0 {
		out = append(out, DiffLine{Kind: DiffGap, Skip: skip})
	}
	return out
}

// CountChanges tells how many lines went and came.
func CountChanges(ls []DiffLine) (gone, added int) {
	for _, l := range ls {
		switch l.Kind {
		case DiffGone:
			gone++
		case DiffAdded:
			added++
		}
	}
	return gone, added
}
