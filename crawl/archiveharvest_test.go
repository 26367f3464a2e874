package crawl_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"angler/crawl"
	"angler/crawl/run"
	"angler/store/config"
)

// TestHarvestAfterAnImport: what another program has fetched is not fetched again. wget
// writes an archive of a list and its notices, a workspace takes it in, its list becomes a
// sample, and the next harvest asks for the list alone: the notices that it announces come
// home from the stored pages, with their fields and among the words of the search. A
// notice that is new since then is asked for.
func TestHarvestAfterAnImport(t *testing.T) {
	wget, err := exec.LookPath("wget")
	if err != nil {
		t.Skip("wget is not installed")
	}
	var mu sync.Mutex
	asked := map[string]int{}
	notices := 12
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.Path]++
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		var n int
		switch {
		case r.URL.Path == "/list.htm":
			fmt.Fprint(w, "<html><head><title>招标公告</title></head><body><h1>招标公告</h1><ul>")
			for i := range notices {
				fmt.Fprintf(w, `<li><a href="/n/%d.htm">%s采购项目公开招标公告</a> <span>2026-11-%02d</span></li>`, i, thing(i), 1+i)
			}
			fmt.Fprint(w, "</ul></body></html>")
		case scan(r.URL.Path, "/n/%d.htm", &n):
			fmt.Fprintf(w, "<html><head><title>%s采购项目公开招标公告</title></head><body><h1>%s采购项目公开招标公告</h1><p>发布时间：2026-11-%02d</p>", thing(n), thing(n), 1+n)
			fmt.Fprintf(w, "<p>项目编号：DHU-2026-%05d</p><p>采购人：东湖大学</p><p>预算金额：%d万元</p><p>东湖大学第%d实验室拟采购%s一批，欢迎符合条件的供应商参加投标。</p></body></html>", n, 10+n, n, thing(n))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "site")
	cmd := exec.CommandContext(t.Context(), wget, "-q", "-r", "-l", "2", "--warc-file="+file, "--delete-after", "-e", "robots=off", server.URL+"/list.htm")
	cmd.Dir = filepath.Dir(file)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	b, err := os.ReadFile(file + ".warc.gz")
	must(t, err)
	set := config.Default()
	set.Seeds, set.Crawl.Delay, set.Harvest.Fields = []string{server.URL + "/list.htm"}, 0, "tenders"
	e, sum, err := takenIn(t, crawl.Options{}, set, b)
	if err != nil || sum.Pages != notices+1 {
		t.Fatalf("%+v, %v", sum, err)
	}
	addSample(t, e.Topic, server.URL+"/list.htm")
	mu.Lock()
	clear(asked)
	notices++
	mu.Unlock()
	if s, err := e.Runs.Harvest(t.Context(), run.Options{}); err != nil {
		t.Fatalf("%+v, %v", s, err)
	}
	mu.Lock()
	for path := range asked {
		if path != "/list.htm" && path != "/robots.txt" && path != fmt.Sprintf("/n/%d.htm", notices-1) {
			t.Errorf("%s was in the archive and is asked for again", path)
		}
	}
	if asked["/list.htm"] != 1 || asked[fmt.Sprintf("/n/%d.htm", notices-1)] != 1 {
		t.Errorf("asked for: %v", asked)
	}
	mu.Unlock()
	if n := e.Workspace().Counts().Notices; n != notices {
		t.Errorf("%d notices came home, want %d", n, notices)
	}
	id, ok := e.Workspace().Lookup(server.URL + "/n/3.htm")
	if !ok {
		t.Fatal("a notice of the archive is not known")
	}
	n, err := e.Workspace().Notice(id)
	if err != nil || n == nil || !strings.Contains(n.Text, "预算金额：13万元") || n.Source != server.URL+"/list.htm" {
		t.Fatalf("%+v, %v", n, err)
	}
	if got := saysOf(t, e, id, "number"); got != "DHU-2026-00003" {
		t.Errorf("its number is %q", got)
	}
}
