package dict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// problem is a skipped line of a word list.
type problem struct {
	File   string // "user words" or "stop words"
	Line   int    // from 1
	Reason string
}

// String renders "user words line 3: frequency "x" is not a number".
func (p problem) String() string {
	return fmt.Sprintf("%s line %d: %s", p.File, p.Line, p.Reason)
}

// Bounds of a word list.
const (
	maxListBytes = 32 << 20
	maxProblems  = 100 // reported problems; a binary file has a million bad lines
	maxFrequency = 1e9
)

var errListTooLong = errors.New("list is longer than 32 MB; only its beginning is used")

// readWords reads "word [frequency [part-of-speech]]" lines. Invalid lines are skipped and
// reported; after a read error the words before it are returned.
func readWords(r io.Reader) ([]entry, []problem, error) {
	lines, err := readLines(r)
	var words []entry
	var ps problems
	for i, line := range lines {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		w, reason := parseWord(f)
		if reason != "" {
			ps.add(i+1, reason)
			continue
		}
		words = append(words, w)
	}
	return words, ps.list, err
}

// parseWord parses the fields of one line; reason says why they are invalid.
func parseWord(f []string) (w entry, reason string) {
	if len(f) > 3 {
		return w, fmt.Sprintf("want word, frequency and part of speech, got %d fields", len(f))
	}
	w.word = foldWord(f[0])
	if reason = badWord(w.word); reason != "" {
		return w, reason
	}
	if len(f) > 1 {
		freq, err := strconv.ParseFloat(f[1], 64)
		switch {
		case err != nil || math.IsNaN(freq):
			return w, fmt.Sprintf("frequency %q is not a number", clip(f[1]))
		case freq < 1 || freq > maxFrequency:
			return w, fmt.Sprintf("frequency %q is not between 1 and 1000000000", clip(f[1]))
		}
		w.freq = freq
	}
	if len(f) > 2 {
		if w.pos = f[2]; !isTag(w.pos) {
			return w, fmt.Sprintf("part of speech %q is not 1 to 8 letters", clip(f[2]))
		}
	}
	return w, ""
}

func badWord(word string) string {
	switch n := utf8.RuneCountInString(word); {
	case n == 0:
		return "no word"
	case n > maxWordRunes || len(word) > math.MaxUint8:
		return fmt.Sprintf("word of %d characters, at most %d are allowed", n, maxWordRunes)
	}
	for _, r := range word {
		if r == utf8.RuneError || !unicode.IsPrint(r) || r == ' ' {
			return fmt.Sprintf("word %q holds a character that cannot be shown", clip(word))
		}
	}
	return ""
}

func isTag(s string) bool {
	if len(s) == 0 || len(s) > 8 {
		return false
	}
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// readStopWords adds one word a line to stop.
func readStopWords(r io.Reader, stop map[string]struct{}) ([]problem, error) {
	lines, err := readLines(r)
	var ps problems
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word := foldWord(line)
		if reason := badWord(word); reason != "" {
			ps.add(i+1, reason)
			continue
		}
		stop[word] = struct{}{}
	}
	return ps.list, err
}

// readLines reads a whole list, UTF-8 with or without a byte order mark, or
// GBK if it is not UTF-8.
func readLines(r io.Reader) ([]string, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxListBytes+1))
	if len(text) > maxListBytes {
		text = text[:bytes.LastIndexByte(text[:maxListBytes], '\n')+1]
		err = errListTooLong
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(text) {
		if decoded, derr := simplifiedchinese.GB18030.NewDecoder().Bytes(text); derr == nil {
			text = decoded
		}
	}
	return strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n"), err
}

// foldWord folds a listed word like text.
func foldWord(word string) string {
	var sc scratch
	sc.fold(word)
	return string(sc.buf)
}

type problems struct{ list []problem }

func (p *problems) add(line int, reason string) {
	switch len(p.list) {
	case maxProblems:
		p.list = append(p.list, problem{Line: line, Reason: "more bad lines follow; is this a word list?"})
	default:
		if len(p.list) < maxProblems {
			p.list = append(p.list, problem{Line: line, Reason: reason})
		}
	}
}

// clip shortens a field for a message.
func clip(s string) string {
	if r := []rune(s); len(r) > 20 {
		return string(r[:20]) + "…"
	}
	return s
}

// ReadList reads a list of words, one a line, folded like the words of a Dict. It ignores text
// after a word and white space (a frequency, for example), empty lines, and lines that begin with
// #. The encoding is UTF-8, or GBK if the bytes are not UTF-8. Invalid lines are skipped and
// reported.
func ReadList(r io.Reader) (words []string, skipped []problem, err error) {
	lines, err := readLines(r)
	var ps problems
	for i, line := range lines {
		f := strings.Fields(line)
		if len(f) == 0 || strings.HasPrefix(f[0], "#") {
			continue
		}
		w := foldWord(f[0])
		if reason := badWord(w); reason != "" {
			ps.add(i+1, reason)
			continue
		}
		words = append(words, w)
	}
	return words, ps.list, err
}

// Fold returns text in the form in which Dict cuts it: NFKC, lower case, half width, without format
// characters.
func Fold(text string) string { return foldWord(text) }
