//go:build unix

package tuitest

import (
	"bufio"
	"math"
	"os/exec"
	"slices"
	"testing"
)

// killAfter starts a crawl or harvest and kills it after it has reported a number of pages. The
// error is that of the kill: a smaller crawl may have ended.
func (x *crawled) killAfter(task string, pages int, more ...string) error {
	t := x.t
	t.Helper()
	c := exec.Command(Path, slices.Concat([]string{task, x.dir, "--delay", "0", "--json"}, x.proxy, more)...)
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	sc := bufio.NewScanner(out)
	sc.Buffer(nil, 1<<20)
	for n := 0; n < pages && sc.Scan(); n++ {
	}
	err = c.Process.Kill()
	_ = c.Wait() // it was killed
	return err
}

// aggregation is an exported aggregation page.
type aggregation struct {
	URL     string  `json:"url"`
	Score   float64 `json:"score"`
	Title   string  `json:"title"`
	Records int     `json:"records"`
}

// harvested is an exported notice.
type harvested struct {
	URL   string  `json:"url"`
	Title string  `json:"title"`
	Text  string  `json:"text"`
	Score float64 `json:"score"`
}

// Outcome is the stored result of a crawl, by URL.
type Outcome struct {
	Pages   []string
	Lists   map[string]aggregation
	Notices map[string]harvested
}

// OutcomeOf exports the pages, the aggregation pages and the notices of a workspace.
func OutcomeOf(t testing.TB, dir string) Outcome {
	t.Helper()
	o := Outcome{Pages: Addresses(t, dir, "pages"), Lists: map[string]aggregation{}, Notices: map[string]harvested{}}
	for _, a := range Lines[aggregation](t, Must(t, "export", dir, "aggregations").Out) {
		o.Lists[a.URL] = a
	}
	for _, n := range Lines[harvested](t, Must(t, "export", dir, "notices").Out) {
		o.Notices[n.URL] = n
	}
	return o
}

// samePages reports pages that are stored twice, and differences from those of an undisturbed crawl.
func samePages(t testing.TB, got, want []string) {
	t.Helper()
	if twice := len(got) - len(slices.Compact(slices.Clone(got))); twice > 0 {
		t.Errorf("%d pages are stored twice", twice)
	}
	if missing, extra := Missing(want, got), Missing(got, want); len(missing)+len(extra) > 0 {
		t.Errorf("%d pages, %d undisturbed; missing %.5q, extra %.5q", len(got), len(want), missing, extra)
	}
}

// Equals reports every difference from the outcome of an undisturbed crawl.
func (o Outcome) Equals(t testing.TB, calm Outcome) {
	t.Helper()
	samePages(t, o.Pages, calm.Pages)
	for url, want := range calm.Lists {
		got, ok := o.Lists[url]
		if !ok || math.Abs(got.Score-want.Score) > 1e-6 || got.Title != want.Title || got.Records != want.Records {
			t.Errorf("aggregation page %+v, undisturbed %+v", got, want)
		}
	}
	for url, want := range calm.Notices {
		if got, ok := o.Notices[url]; !ok || got.Title != want.Title || got.Text != want.Text {
			t.Errorf("notice %s: %q, undisturbed %q; found %v", url, got.Title, want.Title, ok)
		}
	}
	if len(o.Lists) != len(calm.Lists) || len(o.Notices) != len(calm.Notices) {
		t.Errorf("%d aggregation pages and %d notices, undisturbed %d and %d", len(o.Lists), len(o.Notices), len(calm.Lists), len(calm.Notices))
	}
}
