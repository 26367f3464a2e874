package warc

import (
	"bufio"
	"container/heap"
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
	sources := merge{{rest: x.lines}}
	for _, f := range x.runs {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return 0, err
		}
		sources = append(sources, &source{r: bufio.NewReader(f)})
	}
	var open merge
	for _, s := range sources {
		if more, err := s.next(); err != nil {
			return 0, err
		} else if more {
			open = append(open, s)
		}
	}
	heap.Init(&open)
	out := bufio.NewWriter(w)
	written := int64(0)
	for len(open) > 0 {
		n, err := out.WriteString(open[0].line)
		written += int64(n)
		if err != nil {
			return written, err
		}
		more, err := open[0].next()
		if err != nil {
			return written, err
		}
		if more {
			heap.Fix(&open, 0)
		} else {
			heap.Pop(&open)
		}
	}
	return written, out.Flush()
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
	line string
}

func (s *source) next() (more bool, err error) {
	if s.r == nil {
		if len(s.rest) == 0 {
			return false, nil
		}
		s.line, s.rest = s.rest[0], s.rest[1:]
		return true, nil
	}
	s.line, err = s.r.ReadString('\n')
	if err == io.EOF && s.line == "" {
		return false, nil
	}
	return err == nil, err
}

// merge is a heap of runs ordered by their first lines.
type merge []*source

func (m merge) Len() int           { return len(m) }
func (m merge) Less(i, j int) bool { return m[i].line < m[j].line }
func (m merge) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }
func (m *merge) Push(x any)        { *m = append(*m, x.(*source)) }
func (m *merge) Pop() any {
	last := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return last
}

// At returns the entry of a written response.
func At(address, mime string, status int, digest string, offset, length int64, file string) Entry {
	return Entry{address, mime, fmt.Sprint(status), digest, fmt.Sprint(length), fmt.Sprint(offset), file}
}
