package article

import (
	"fmt"
	"slices"
	"strings"

	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// The second pass of P2 2.2.1, algorithm 2. A result is accepted if it has more than α punctuation
// marks and fewer than β link characters. Otherwise the element with the most characters and
// punctuation per text node replaces it. <p> and <strong> add to this value.
//
// P2 made it for photo stories, a picture and two lines, on whose pages the copyright lines have
// more text. If no element has more than α marks and the first result has no sentence, the second
// pass looks for such a story. Two sentence marks outside the page's frame are then enough.

// SecondPass holds α and β, for which P2 gives no values. Marks and LinkChars of 0 mean those of
// DefaultSecondPass.
type SecondPass struct {
	Marks     int    // α: an accepted result has more punctuation marks; at least 0
	LinkChars int    // β: an accepted result has fewer link characters; at least 1
	After     Passes // methods with a second pass
}

// Passes selects the methods with a second pass.
type Passes uint8

// The second pass follows pathratio alone, as P2 prints it, every method, or none.
const (
	AfterPathRatio Passes = iota
	AfterEvery
	AfterNone
)

// DefaultSecondPass are our values.
var DefaultSecondPass = SecondPass{Marks: 8, LinkChars: 60}

// minStoryMarks is the minimum of sentence marks in a photo story.
const minStoryMarks = 2

// Check returns an error for an α below 0 or a β below 1.
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

// secondPass returns the result of the second pass, or first if it finds none.
func (x *TextExtractor) secondPass(first TextResult, s SecondPass) TextResult {
	best := x.bestPunctuated(s)
	if best < 0 && storyMarks(first.Text) < minStoryMarks {
		best = x.photoStory(s)
	}
	if best < 0 {
		return first
	}
	r := renderElement(x.Tree, best)
	r.Why = first.Why
	return r
}

// storyMarks counts the sentence marks of a result without lines of the page's frame.
func storyMarks(text string) int {
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		if !htmldoc.IsFurniture(line) {
			n += sentenceMarks(line)
		}
	}
	return n
}

// bestPunctuated returns the best element with more than α punctuation marks and fewer than β link
// characters, as P2 prints it. It returns -1 without one.
func (x *TextExtractor) bestPunctuated(s SecondPass) int32 {
	return x.bestElement(s, s.Marks+1, func(n *htmldoc.Node) (chars, punct float64) {
		return float64(n.Chars - n.LinkChars), float64(n.Punct)
	})
}

// photoStory returns the best element with minStoryMarks sentence marks outside the page's frame, -1
// without one.
func (x *TextExtractor) photoStory(s SecondPass) int32 {
	return x.bestElement(s, minStoryMarks, func(n *htmldoc.Node) (chars, punct float64) {
		text := x.Tree.Text[n.From:n.To]
		if n.InLink || htmldoc.IsFurniture(text) {
			return 0, 0
		}
		return float64(n.Chars), float64(sentenceMarks(text))
	})
}

// bestElement returns the best element with at least least punctuation marks and fewer than β link
// characters, -1 without one. The value of an element is characters per text × punctuation per text +
// number of <p> and <strong>. count returns the characters and marks of a text node.
func (x *TextExtractor) bestElement(s SecondPass, minMarks int, count func(*htmldoc.Node) (chars, punct float64)) int32 {
	t := x.Tree
	texts, marks := zeroed(&x.mass, len(t.Nodes)), zeroed(&x.raw, len(t.Nodes))
	punct, chars := make([]float64, len(t.Nodes)), make([]float64, len(t.Nodes))
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.IsText {
			texts[i] = 1
			chars[i], punct[i] = count(n)
		}
		marks[i] = indicator(n.Tag == atom.P || n.Tag == atom.Strong)
	}
	for _, v := range [...][]float64{texts, marks, punct, chars} {
		accumulate(t, v)
	}
	best, top := int32(-1), -1.0
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.IsText || punct[i] < float64(minMarks) || int(n.LinkChars) >= s.LinkChars || !slices.Contains(textTags, n.Tag) {
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

// sentenceMarks counts the marks that end or divide a sentence. Colons do not count, because lines
// of addresses have many.
func sentenceMarks(s string) int {
	n := 0
	for _, r := range s {
		if strings.ContainsRune(",!?;，。！？；", r) {
			n++
		}
	}
	return n
}

// checkedBySecondPass applies P2's second pass to the result of another method. The link characters
// of the result are those of its lines that are runs of the page.
func (x *TextExtractor) checkedBySecondPass(r TextResult, s SecondPass) TextResult {
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
	return x.secondPass(r, s)
}

// renderElement returns the text of all runs of an element.
func renderElement(t *htmldoc.Tree, i int32) TextResult {
	n := &t.Nodes[i]
	var runs []int32
	for r := range t.Runs {
		if h := t.Runs[r].Host; h >= i && h < n.End {
			runs = append(runs, int32(r))
		}
	}
	return TextResult{Text: join(t, runs, i), From: i, To: n.End}
}
