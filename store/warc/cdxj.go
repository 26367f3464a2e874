package warc

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
)

// Entry is a line of an index: the place of a capture.
type Entry struct {
	URL      string `json:"url"`
	MIME     string `json:"mime"`
	Status   string `json:"status"`
	Digest   string `json:"digest"`
	Length   string `json:"length"`
	Offset   string `json:"offset"`
	Filename string `json:"filename"`
}

// surt returns the sort key of an address: the parts of the host reversed, so that related hosts
// are adjacent.
func surt(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return strings.ToLower(address)
	}
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	parts := strings.Split(host, ".")
	if !strings.Contains(host, ":") {
		slices.Reverse(parts)
	}
	key := strings.Join(parts, ",")
	if p := u.Port(); p != "" && p != "80" && p != "443" {
		key += ":" + p
	}
	key += ")" + strings.ToLower(u.EscapedPath())
	if u.EscapedPath() == "" {
		key += "/"
	}
	if u.RawQuery != "" {
		query := strings.Split(strings.ToLower(u.RawQuery), "&")
		slices.Sort(query)
		key += "?" + strings.Join(query, "&")
	}
	return key
}

// heldLines are sorted in memory; further lines go to sorted files.
const heldLines = 50_000

// Index collects the lines of an index (CDXJ) and writes them sorted. It holds 50,000 lines in
// memory; the rest is in unnamed temporary files. It is for one goroutine.
type Index struct {
	lines []string
	held  int
	runs  []*os.File
}

// NewIndex returns an empty index.
func NewIndex() *Index { return &Index{held: heldLines} }

// Add adds the capture of an address at a time.
func (x *Index) Add(at time.Time, e Entry) error {
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	x.lines = append(x.lines, strings.ReplaceAll(surt(e.URL), " ",
		"%20")+" "+at.UTC().Format("20060102150405")+" "+string(b)+"\n")
	if len(x.lines) < x.held {
		return nil
	}
	slices.Sort(x.lines)
	f, err := os.CreateTemp("", "angler-cdxj-")
	if err != nil {
		return err
	}
	x.runs = append(x.runs, f)
	if err := os.Remove(f.Name()); err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for _, line := range x.lines {
		if _, err := w.WriteString(line); err != nil {
			return err
		}
	}
	x.lines = x.lines[:0]
	return w.Flush()
}

// WriteTo writes the lines in order.
func (x *Index) WriteTo(w io.Writer) (int64, error) {
	slices.Sort(x.lines)
	sources := []*source{{rest: x.lines}}
	for _, f := range x.runs {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return 0, err
		}
		sources = append(sources, &source{r: bufio.NewReader(f)})
	}
	for _, s := range sources {
		if err := s.next(); err != nil {
			return 0, err
		}
	}
	out := bufio.NewWriter(w)
	written := int64(0)
	for {
		var first *source // there is one for 50,000 lines
		for _, s := range sources {
			if s.line != "" && (first == nil || s.line < first.line) {
				first = s
			}
		}
		if first == nil {
			return written, out.Flush()
		}
		n, err := out.WriteString(first.line)
		written += int64(n)
		if err == nil {
			err = first.next()
		}
		if err != nil {
			return written, err
		}
	}
}

// Close removes the temporary files.
func (x *Index) Close() {
	for _, f := range x.runs {
		f.Close() // it has no name by now
	}
}

// source is a sorted run of lines.
type source struct {
	rest []string
	r    *bufio.Reader // nil: the remaining lines are in memory
	line string        // the current line; "": none is left
}

func (s *source) next() (err error) {
	if s.r != nil {
		if s.line, err = s.r.ReadString('\n'); err == io.EOF {
			err = nil
		}
		return err
	}
	if s.line = ""; len(s.rest) > 0 {
		s.line, s.rest = s.rest[0], s.rest[1:]
	}
	return nil
}

// At returns the entry of a written response.
func At(address, mime string, status int, digest string, offset, length int64, file string) Entry {
	return Entry{address, mime, fmt.Sprint(status), digest, fmt.Sprint(length), fmt.Sprint(offset), file}
}
