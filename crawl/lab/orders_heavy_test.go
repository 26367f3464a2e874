//go:build heavy

package lab_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/demo/demotest"
	"angler/crawl/lab"
	"angler/crawl/linkorder"
	"angler/crawl/run"
	"angler/crawl/webtest/realpages"
	"angler/store"
	"angler/store/config"
)

// TestOrdersCompared counts the requests until 50, 90 and 95 % of the lists and of the notices, for every order of
// docs/order.md, on the mirrored sites, generated webs and the full demo. Failed requests count (Leaves). learned needs
// at most as many requests for 90 % as the bandit, but for the scatter of live crawls: pages arrive in another order
// each time, and with them the samples of a draw change. -v prints the table.
func TestOrdersCompared(t *testing.T) {
	for _, site := range []string{"cs.fudan.edu.cn", "rs.henu.edu.cn", "yjszs.cqjtu.edu.cn"} {
		t.Run(site, func(t *testing.T) {
			e, pages := mirrored(t, site)
			for _, kind := range []string{"list", "detail"} {
				replayed(t, e, site+" "+kind+"s", pages[kind])
			}
		})
	}
	t.Run("demo", func(t *testing.T) {
		b := demotest.OpenFull(t, "", crawl.Options{Override: func(s *config.Settings) { s.Crawl.Depth = 20 }})
		demotest.Sample(t, b, 3)
		if _, err := b.Runs.Discover(t.Context(), run.Options{}); err != nil {
			t.Fatal(err)
		}
		pages := map[string][]string{}
		for x := range b.Web().Truths() {
			if x.Tender {
				pages[x.Type] = append(pages[x.Type], x.URL)
			}
		}
		for _, kind := range []string{"list", "detail"} {
			replayed(t, b.Engine, "demo tender "+kind+"s", pages[kind])
		}
	})
	for _, seed := range []uint64{1, 2, 3} {
		for _, notices := range []bool{false, true} {
			g := lab.Site(2000, seed)
			name := fmt.Sprintf("generated web %d lists", seed)
			if notices {
				name = fmt.Sprintf("generated web %d notices", seed)
				asNotices(g, seed)
			}
			compared(t, name, 5, func(context.Context, int) (*lab.Graph, error) { return g, nil },
				func(name string) (linkorder.Strategy, error) { return linkorder.New(name, nil) })
		}
	}
}

// asNotices makes the notices of the target lists the targets.
func asNotices(g *lab.Graph, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 7))
	var notices []int32
	for i := range g.Pages {
		p := &g.Pages[i]
		if p.Target {
			for _, l := range p.Links {
				if l.Block == 1 { // the records of a list
					notices = append(notices, l.To)
				}
			}
			p.Target, p.Relevant = false, false
		}
	}
	for _, i := range notices {
		p := &g.Pages[i]
		p.Target, p.Relevant, p.Score = true, true, .6+.4*r.Float64()
	}
}

// mirrored crawls a whole mirrored site, and returns the addresses of its pages by their kind in GOLD.jsonl.
func mirrored(t *testing.T, site string) (*crawl.Engine, map[string][]string) {
	t.Helper()
	e, pages := served(t, site)
	for _, l := range pages["list"][:2] {
		if _, err := e.Topic.AddSample(t.Context(), l, ""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Runs.Discover(t.Context(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	return e, pages
}

// served opens an engine on a mirrored site, and returns the addresses of its pages by their kind in GOLD.jsonl.
func served(t *testing.T, site string) (*crawl.Engine, map[string][]string) {
	t.Helper()
	dir := realpages.Path(t, "sites", site)
	f, err := os.Open(filepath.Join(dir, "GOLD.jsonl"))
	must(t, err)
	defer f.Close()
	pages := map[string][]string{}
	sc := bufio.NewScanner(f)
	for sc.Buffer(nil, 16<<20); sc.Scan(); {
		var row struct{ Path, Type string }
		must(t, json.Unmarshal(sc.Bytes(), &row))
		pages[row.Type] = append(pages[row.Type], "http://"+site+"/"+row.Path)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"", "index.html", "index.htm"} {
			b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(r.URL.Path), name))
			if err == nil {
				w.Header().Set("Content-Type", "text/html")
				w.Write(b)
				return
			}
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	set := config.Default()
	set.Seeds, set.Crawl.Delay, set.Crawl.Sitemaps = []string{"http://" + site + "/"}, 0, false
	set.Harvest.Patterns, set.Crawl.Retries, set.Crawl.Depth = []string{}, 0, 50
	ws := filepath.Join(t.TempDir(), "ws")
	must(t, store.Create(ws, set))
	e, err := crawl.Open(t.Context(), ws, crawl.Options{By: "wang",
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
		}})
	must(t, err)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e, pages
}

// replayed compares the orders on a stored crawl, for these targets.
func replayed(t *testing.T, e *crawl.Engine, name string, targets []string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "targets")
	must(t, os.WriteFile(file, []byte(strings.Join(targets, "\n")), 0o600))
	rule, err := lab.ParseTargetRule("file:" + file)
	must(t, err)
	must(t, e.Words(t.Context()))
	replay, err := e.Lab.Replay(t.Context(), lab.ReplayOptions{Targets: rule, Samples: 3, Leaves: true})
	must(t, err)
	compared(t, name, 5, replay.Graph, e.Lab.Strategy)
}

func compared(t *testing.T, name string, draws int, graph func(context.Context, int) (*lab.Graph, error),
	make func(string) (linkorder.Strategy, error)) {
	t.Helper()
	orders := []string{"bfs", "shark", "block-shark", "linear", "tag-path-bandit", "learned", lab.OracleName}
	rows, err := lab.Compare(t.Context(), lab.Plan{Strategies: orders, Draws: draws, Graph: graph, Make: make})
	must(t, err)
	t.Logf("%s: %d targets among %d requests", name, rows[0].Targets, rows[0].Pages)
	need := map[string]float64{}
	for _, s := range rows {
		line := fmt.Sprintf("%-16s", s.Strategy)
		for _, share := range []float64{.5, .9, .95} {
			n := s.Mean(func(c lab.Curve) float64 { return float64(c.PagesFor(share)) })
			line += fmt.Sprintf(" %7.1f", n)
			if share == .9 {
				need[s.Strategy] = n
			}
		}
		t.Log(line)
	}
	ratio := need["learned"] / need["tag-path-bandit"]
	t.Logf("learned ÷ bandit for 90 %%: %.3f", ratio)
	if ratio > 1.05 {
		t.Errorf("%s: learned needs %.1f requests for 90 %%, the bandit %.1f", name, need["learned"], need["tag-path-bandit"])
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
