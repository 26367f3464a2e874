package notices

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// NoticeText is the text of a notice to compare.
type NoticeText struct {
	Title string
	Text  string
	Files []string // names of attachments
}

// plain returns normalised lines of title, text and file names.
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
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	for l := range strings.Lines(text) {
		line("", l)
	}
	for _, f := range t.Files {
		line("+ ", f)
	}
	return b.String()
}

// maxText is the maximum number of bytes compared.
const maxText = 256 << 10

// TextChanged reports whether two versions differ.
func TextChanged(before, after NoticeText) bool { return before.plain() != after.plain() }

// diffKind is the kind of a line in a comparison.
type diffKind uint8

// The kinds of lines. A DiffGap stands for unchanged lines.
const (
	DiffSame diffKind = iota
	DiffGone
	DiffAdded
	DiffGap
)

// Sign returns the prefix of lines of this kind.
func (k diffKind) Sign() string { return [...]string{" ", "-", "+", "…"}[k] }

// DiffLine is one line of a comparison.
type DiffLine struct {
	Kind diffKind `json:"kind"`
	Text string   `json:"text"`
	Skip int      `json:"skip,omitempty"` // of a DiffGap: number of lines
}

// around is the number of unchanged lines shown around a change.
const around = 1

// CompareTexts lists the changed lines with context; nil if nothing changed.
func CompareTexts(before, after NoticeText) []DiffLine {
	a, b := before.plain(), after.plain()
	if a == b {
		return nil
	}
	d, err := udiff.ToUnifiedDiff("", "", a, udiff.Lines(a, b), around)
	if err != nil { // impossible for computed edits
		return nil
	}
	var out []DiffLine
	at := 1 // next line number of before
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

// CountChanges returns the numbers of deleted and added lines.
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
