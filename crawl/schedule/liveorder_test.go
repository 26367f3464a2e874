package schedule_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/demo/demotest"
	"angler/crawl/run"
	"angler/crawl/webtest/realpages"
	"angler/store/config"
)

// mirror serves a real site from its files and remembers in which order its pages
// were asked for.
type mirror struct {
	files fs.FS
	mu    sync.Mutex
	at    map[string]int // by path, counted from 1
}

func (m *mirror) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	for _, try := range []string{name, path.Join(name, "index.html"), path.Join(name, "index.htm")} {
		b, err := fs.ReadFile(m.files, cmp.Or(try, "."))
		if err != nil {
			continue
		}
		m.mu.Lock()
		if m.at[r.URL.Path] == 0 {
			m.at[r.URL.Path] = len(m.at) + 1
		}
		m.mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		w.Write(b)
		return
	}
	http.NotFound(w, r)
}

// laterPage is what the address of a list's later pages adds to that of the first.
var laterPage = regexp.MustCompile(`(/list\d*|/\d+)?\.html?$`)

// sections are the columns of a real site with three pages of lists at least: the
// paths of these.
func sections(t *testing.T, site string) (pages int, lists map[string][]string) {
	t.Helper()
	f, err := os.Open(realpages.Path(t, "sites", site, "GOLD.jsonl"))
	must(t, err)
	defer f.Close()
	lists = map[string][]string{}
	sc := bufio.NewScanner(f)
	for sc.Buffer(nil, 16<<20); sc.Scan(); pages++ {
		var row struct{ Path, Type string }
		must(t, json.Unmarshal(sc.Bytes(), &row))
		if column := laterPage.ReplaceAllString(row.Path, ""); row.Type == "list" {
			lists[column] = append(lists[column], "/"+row.Path)
		}
	}
	for column, l := range lists {
		if len(l) < 3 {
			delete(lists, column)
		}
		slices.Sort(l)
	}
	return pages, lists
}

// TestLiveOrder crawls liveSites at liveDelays. heavy_test.go adds sites and a
// delay.
var (
	liveSites  = []string{"yjszs.cqjtu.edu.cn"}
	liveDelays = []time.Duration{0}
)

// TestLiveOrder measures how early a discovery alone brings home the lists and the
// notices of one column of a real site, from two of its lists as samples: after what
// share of the site's pages nine of ten were fetched, at several delays or at that of
// ANGLER_DELAY. -v prints the figures; the bounds are twice what they are.
func TestLiveOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("crawls sites once for each of their columns; -short leaves it out")
	}
	delays := liveDelays
	if s := os.Getenv("ANGLER_DELAY"); s != "" {
		d, err := time.ParseDuration(s)
		must(t, err)
		delays = []time.Duration{d}
	}
	for _, site := range liveSites {
		t.Run(site, func(t *testing.T) {
			pages, columns := sections(t, site)
			mean := make([][2]float64, len(delays))
			for column, lists := range columns {
				line := ""
				for i, delay := range delays {
					l, n, of := liveOrder(t, site, lists, delay, pages*5/4)
					mean[i][0] += l / float64(pages) / float64(len(columns))
					mean[i][1] += n / float64(pages) / float64(len(columns))
					line += fmt.Sprintf("  %v: lists %.3f notices %.3f of %d", delay, l/float64(pages), n/float64(pages), of)
				}
				t.Logf("%-20s %d lists%s", column, len(lists), line)
			}
			t.Logf("mean of %d columns, %d pages: lists, notices at %v: %.3f", len(columns), pages, delays, mean)
			for i, m := range mean {
				if m[0] > .2 || m[1] > .5 || m[1] == 0 {
					t.Errorf("at a delay of %v nine of ten lists come after %.3f of the pages, notices after %.3f", delays[i], m[0], m[1])
				}
			}
		})
	}
}

func liveOrder(t *testing.T, name string, lists []string, delay time.Duration, most int) (lastList, lastNotice float64, notices int) {
	t.Helper()
	m := &mirror{files: os.DirFS(realpages.Path(t, "sites", name)), at: map[string]int{}}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	dir := demotest.Workspace(t, func(set *config.Settings) {
		set.Seeds, set.Crawl.Delay, set.Crawl.Sitemaps = []string{"http://" + name + "/"}, config.Duration(delay), false
		set.Harvest.Patterns, set.Crawl.Retries = []string{}, 0 // the mirror lacks some pages
	})
	ctx := context.Background()
	e := demotest.Engine(t, dir, crawl.Options{By: "wang", Dial: demotest.Dialing(server)})
	for _, l := range lists[:2] {
		if _, err := e.Topic.AddSample(ctx, "http://"+name+l, ""); err != nil {
			t.Fatal(err)
		}
	}
	m.mu.Lock()
	m.at = map[string]int{}
	m.mu.Unlock()
	if _, err := e.Runs.Discover(ctx, run.Options{MaxPages: most}); err != nil {
		t.Fatal(err)
	}
	return m.figures(t, e, name, lists)
}

// figures are after how many pages nine of ten of the lists, and of the notices that
// they announce, were there.
func (m *mirror) figures(t *testing.T, e *crawl.Engine, name string, lists []string) (lastList, lastNotice float64, notices int) {
	var ofLists, ofNotices []int
	for _, l := range lists {
		if at := m.at[l]; at > 0 {
			ofLists = append(ofLists, at)
		}
	}
	var same []uint64
	scores := e.Topic.Scores()
	for _, l := range lists {
		if id, ok := e.Workspace().Lookup("http://" + name + l); ok {
			same = append(same, id, scores.Same(id))
		}
	}
	for n, err := range e.Workspace().Notices() {
		must(t, err)
		source := strings.TrimPrefix(n.Source, "http://"+name)
		if at := m.at[strings.TrimPrefix(n.URL, "http://"+name)]; at > 0 && (slices.Contains(same, n.SourceID) || scores.Same(n.SourceID) != 0 && slices.Contains(same, scores.Same(n.SourceID))) {
			ofNotices = append(ofNotices, max(at, m.at[source]))
		}
	}
	return float64(ninth(ofLists)), float64(ninth(ofNotices)), len(ofNotices)
}

// ninth is when nine of ten have come.
func ninth(at []int) int {
	if len(at) == 0 {
		return 0
	}
	slices.Sort(at)
	return at[(9*len(at)+9)/10-1]
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
