package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"unicode"
	"unicode/utf8"

	"angler/crawl/fetch"
	"angler/crawl/seeds"
)

// openFile opens a file; "-" is standard input.
func openFile(path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(os.Stdin), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w; check its name, and that you may read it", err)
	}
	return f, nil
}

// openList opens a list and refuses binary data.
func openList(path string) (io.ReadCloser, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the list: %w", err)
	}
	r := bufio.NewReader(f)
	begin, _ := r.Peek(r.Size()) // the reader of the list meets the error
	if err := checkText(path, begin); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return struct {
		io.Reader
		io.Closer
	}{r, f}, nil
}

// checkText refuses a file with zero bytes and names the first line with one. Text that is not
// UTF-8 may be GB 18030 and is accepted.
func checkText(path string, b []byte) error {
	if bytes.IndexByte(b, 0) < 0 {
		return nil
	}
	number := 1
	for line := range bytes.Lines(b) {
		if !utf8.Valid(line) || bytes.ContainsFunc(line, func(r rune) bool { return r < ' ' && !unicode.IsSpace(r) }) {
			break
		}
		number++
	}
	return fmt.Errorf("%s line %d: binary data; give a text file", path, number)
}

// maxDocument bounds a document read from a file.
const maxDocument = 64 << 20

// readDocument reads a file of at most 64 MB.
func readDocument(path string) ([]byte, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxDocument+1))
	if err == nil && len(b) > maxDocument {
		err = fmt.Errorf("%s is longer than %d MB", path, maxDocument>>20)
	}
	return b, err
}

// maxWords bounds a file of words, in bytes.
const maxWords = 1 << 20

// questions reads search queries: a file with one query a line, where # starts a comment, or words
// separated by spaces, phrases by commas.
func questions(wordsOrFile string) ([]string, error) {
	if st, err := os.Stat(wordsOrFile); err != nil || st.IsDir() {
		return seeds.SplitQuestions(wordsOrFile), nil
	}
	b, err := fetch.ReadFile(wordsOrFile, maxWords)
	if err != nil {
		return nil, err
	}
	var out []string
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out, nil
}

// gcPercent is the garbage allowed beside live memory, in percent: half of Go's default, for a
// tenth more work.
const gcPercent = 50

// frugal limits the memory of a command that writes many rows and keeps few. Call it before opening
// the workspace; GOGC in the environment wins.
func frugal() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}
