package article

import (
	"strings"
	"unicode/utf8"
)

const (
	postHead = 40 // characters of a line without a sentence that may say who wrote a post, and when
	postFoot = 12 // of one that may be a button below it
)

// byPost is the text of one of the posts of a page: that which the title names, or else
// the first. Where there are none, or the text stands before them, it is what mass finds.
func (x *TextExtractor) byPost() TextResult {
	if x.Posts.Kind == NoPosts || x.Posts.One < 0 {
		return x.byMass()
	}
	r := x.render(x.Posts.One, -1)
	r.Text = withoutAuthor(r.Text)
	return r
}

// withoutAuthor cuts off the lines above the first sentence of a post that name its
// author and date, and buttons below the last.
func withoutAuthor(text string) string {
	lines := strings.Split(text, "\n")
	for len(lines) > 1 && frames(lines[0], postHead) {
		lines = lines[1:]
	}
	for len(lines) > 1 && frames(lines[len(lines)-1], postFoot) {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}

// frames reports whether a line of at most so many characters is no sentence, or a date
// and little else, and no row of a table.
func frames(line string, most int) bool {
	chars := utf8.RuneCountInString(line)
	return chars <= most && !strings.Contains(line, "\t") &&
		(sentenceMarks(line) == 0 && !strings.HasSuffix(line, ".") || bylineOf(line, chars))
}
