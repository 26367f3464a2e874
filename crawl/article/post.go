package article

import (
	"strings"
	"unicode/utf8"
)

const (
	maxPostHead = 40 // characters of a line above a post with its author and date, at most
	maxPostFoot = 12 // characters of a button below a post, at most
)

// byPost extracts the text of the post that the title names, or else of the first. On a page
// without posts, or with an article above them, it uses mass.
func (x *TextExtractor) byPost() TextResult {
	if x.Posts.Kind == NoPosts || x.Posts.Chosen < 0 {
		return x.byMass()
	}
	r := x.render(x.Posts.Chosen, -1)
	r.Text = withoutFrameLines(r.Text)
	return r
}

// withoutFrameLines cuts off the lines above the first sentence of a post that name its
// author and date, and buttons below the last.
func withoutFrameLines(text string) string {
	lines := strings.Split(text, "\n")
	for len(lines) > 1 && isFrameLine(lines[0], maxPostHead) {
		lines = lines[1:]
	}
	for len(lines) > 1 && isFrameLine(lines[len(lines)-1], maxPostFoot) {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}

// isFrameLine reports whether a line of at most most characters has no sentence, or is a byline. A
// row of a table is none.
func isFrameLine(line string, maxChars int) bool {
	chars := utf8.RuneCountInString(line)
	return chars <= maxChars && !strings.Contains(line, "\t") &&
		(sentenceMarks(line) == 0 && !strings.HasSuffix(line, ".") || bylineOf(line, chars))
}
