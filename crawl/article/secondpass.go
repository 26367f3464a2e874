package article

import (
	"fmt"
	"slices"
	"strings"

	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// The second pass of P2 2.2.1, algorithm 2: a result is believed if it has more
// than α punctuation marks and fewer than β link characters. If not, the element
// with the best text and punctuation per text node takes its place, in the value of
// which <p> and <strong> count.
//
// P2 made it for photo stories: a picture and two lines, on whose pages the
// copyright lines have more text. Where no element has more than α marks and the first
// result is no sentence, such a story is looked for: two marks that end or divide a
// sentence are enough then, and lines of the page's frame do not count.

// SecondPass holds α and β, for which P2 names no values. The zero value is
// DefaultSecondPass.
type SecondPass struct {
	Marks     int    // α: punctuation marks that a result must exceed, at least 0
	LinkChars int    // β: link characters that it must stay below, at least 1
	After     Passes // which methods it follows
}

// Passes says which methods have a second pass.
type Passes uint8

// The second pass follows pathratio alone, as P2 prints it, every method, or none.
const (
	AfterPathRatio Passes = iota
	AfterEvery
	AfterNone
)

// DefaultSecondPass are our values.
var DefaultSecondPass = SecondPass{Marks: 8, LinkChars: 60}

// rescueMarks is how many sentence marks a photo story must have.
const rescueMarks = 2

// Check says what is wrong with the values.
func (s SecondPass) Check() error {
	switch {
	case s.Marks < 0:
		return fmt.Errorf("punctuation marks (α): %d is less than 0", s.Marks)
	case s.LinkChars < 1:
		return fmt.Errorf("link characters (β): %d is less than 1", s.LinkChars)
	}
	return nil
}

// believed reports whether a result needs no second pass.
func (s SecondPass) believed(punct, links int) bool { return punct > s.Marks && links < s.LinkChars }

// second returns what the second pass finds instead of a first result, or that.
func (x *TextExtractor) second(first TextResult, s SecondPass) TextResult {
	best := x.punctuated(s)
	if best < 0 && storyMarks(first.Text) < rescueMarks {
		best = x.photoStory(s)
	}
	if best < 0 {
		return first
	}
	r := inside(x.Tree, best)
	r.Why = first.Why
	return r
}

// storyMarks counts the sentence marks of a result, the page's frame left out.
func storyMarks(text string) int {
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		if !htmldoc.IsFurniture(line) {
			n += sentenceMarks(line)
		}
	}
	return n
}

// punctuated is the second pass as P2 prints it: the best element among those with more than α
// punctuation marks and fewer than β link characters; -1 when there is none.
func (x *TextExtractor) punctuated(s SecondPass) int32 {
	return x.bestElement(s, s.Marks+1, func(n *htmldoc.Node) (chars, punct float64) {
		return float64(n.Chars - n.LinkChars), float64(n.Punct)
	})
}

// photoStory returns the element with the best value of those with two sentence
// marks or more, the page's frame left out; -1 when there is none.
func (x *TextExtractor) photoStory(s SecondPass) int32 {
	return x.bestElement(s, rescueMarks, func(n *htmldoc.Node) (chars, punct float64) {
		text := x.Tree.Text[n.From:n.To]
		if n.InLink || htmldoc.IsFurniture(text) {
			return 0, 0
		}
		return float64(n.Chars), float64(sentenceMarks(text))
	})
}

// bestElement returns, among the elements with at least so many punctuation marks and fewer than β link
// characters, the one with the most characters per text × punctuation per text + number of <p> and
// <strong>; -1 when there is none. count counts the characters and marks of a text.
func (x *TextExtractor) bestElement(s SecondPass, least int, count func(*htmldoc.Node) (chars, punct float64)) int32 {
	t := x.Tree
	texts, marks := resize(&x.mass, len(t.Nodes)), resize(&x.raw, len(t.Nodes))
	punct, chars := make([]float64, len(t.Nodes)), make([]float64, len(t.Nodes))
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.IsText {
			texts[i] = 1
			chars[i], punct[i] = count(n)
		}
		marks[i] = truth(n.Tag == atom.P || n.Tag == atom.Strong)
	}
	for _, v := range [...][]float64{texts, marks, punct, chars} {
		accumulate(t, v)
	}
	best, top := int32(-1), -1.0
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.IsText || punct[i] < float64(least) || int(n.LinkChars) >= s.LinkChars || !slices.Contains(textTags, n.Tag) {
			continue
		}
		if v := chars[i]/texts[i]*punct[i]/texts[i] + marks[i]; v > top {
			best, top = int32(i), v
		}
	}
	return best
}

// textTags are the elements that can be a main text.
var textTags = []atom.Atom{atom.Div, atom.Td, atom.Article, atom.Section, atom.Table, atom.Body, atom.Main}

// sentenceMarks counts the marks that end or divide a sentence. Colons and their kin
// do not: lines of addresses have many.
func sentenceMarks(s string) int {
	n := 0
	for _, r := range s {
		if strings.ContainsRune(",!?;，。！？；", r) {
			n++
		}
	}
	return n
}

// checked gives another method's result P2's second pass. Its link characters are
// those of the lines of the page that stand in it.
func (x *TextExtractor) checked(r TextResult, s SecondPass) TextResult {
	_, punct := countText(r.Text)
	lines := strings.Split(r.Text, "\n")
	slices.Sort(lines)
	links := 0
	for i := range x.Tree.Runs {
		run := &x.Tree.Runs[i]
		if run.LinkChars == 0 {
			continue
		}
		if _, in := slices.BinarySearch(lines, strings.TrimSpace(x.Tree.Text[run.From:run.To])); in {
			links += int(run.LinkChars)
		}
	}
	if s.believed(punct, links) {
		return r
	}
	return x.second(r, s)
}

// inside renders every run of an element.
func inside(t *htmldoc.Tree, i int32) TextResult {
	n := &t.Nodes[i]
	var runs []int32
	for r := range t.Runs {
		if h := t.Runs[r].Host; h >= i && h < n.End {
			runs = append(runs, int32(r))
		}
	}
	return TextResult{Text: join(t, runs, i), From: i, To: n.End}
}
