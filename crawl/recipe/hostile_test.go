package recipe_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"angler/crawl"
	"angler/crawl/run"
	"angler/crawl/webtest"
	"angler/store"
	"angler/store/config"
)

const longReply = 200 << 20 // bytes

// unruly is a PortalServer whose first list sends hostile replies, and which counts the bytes sent.
type unruly struct {
	*webtest.PortalServer
	how  atomic.Pointer[string]
	sent atomic.Int64
}

func (u *unruly) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	how := u.how.Load()
	if how == nil || r.URL.Path != "/information/pubTradingInfo/getTradList" {
		u.PortalServer.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	switch *how {
	case "long":
		u.long(w)
	case "packed":
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		u.long(z)
		_ = z.Close()
	case "deep":
		u.write(w, `{"data":{"records":`+strings.Repeat(`[`, 10_000)+strings.Repeat(`]`, 10_000)+`}}`)
	case "cut":
		u.write(w, `{"data":{"total":30,"pages":3,"records":[{"title":"校园网交换机采购项目公开招标公告","publishTi`)
	case "torn":
		w.Header().Set("Content-Length", "5000")
		u.write(w, `{"data":{"total":30,"pages":3,"records":[`)
	case "shape":
		u.write(w, `{"data":{"total":"30","pages":null,"records":{"a":1}}}`)
	}
}

// long is a list of 200 MB in the recipe's shape.
func (u *unruly) long(w io.Writer) {
	row := `{"title":"第%09d批校园网交换机采购项目公开招标公告","publishTime":"2026-07-01","url":"/deal/detail/%d.html"},`
	var b bytes.Buffer
	if !u.write(w, `{"data":{"total":30,"pages":3,"records":[`) {
		return
	}
	for i, n := 0, 0; n < longReply; n += b.Len() {
		for b.Reset(); b.Len() < 1<<20; i++ {
			fmt.Fprintf(&b, row, i, i)
		}
		if !u.write(w, b.String()) {
			return
		}
	}
	u.write(w, `{"title":"最后一个项目的公开招标公告","publishTime":"2026-07-01","url":"/deal/detail/0.html"}]}}`)
}

func (u *unruly) write(w io.Writer, text string) bool {
	n, err := io.WriteString(w, text)
	u.sent.Add(int64(n))
	return err == nil
}

// Of any reply, at most max_body_mb is read. The list reports the error, its notices stay, and the run's other list
// is read.
func TestRepliesOfAnUnrulyServer(t *testing.T) {
	for how, says := range map[string]string{
		"long":   "longer than",
		"packed": "longer than",
		"deep":   "nested",
		"cut":    "ends in the middle",
		"torn":   "unexpected EOF",
		"shape":  "data.records",
	} {
		t.Run(how, func(t *testing.T) {
			server := &unruly{PortalServer: webtest.NewPortalServer()}
			web := httptest.NewServer(server)
			t.Cleanup(web.Close)
			dir := filepath.Join(t.TempDir(), "ws")
			set := config.Default()
			set.Seeds = []string{web.URL + "/"}
			set.Crawl.Delay, set.Crawl.AllowPrivate, set.Crawl.Retries, set.Harvest.Pages = 0, true, 0, 3
			must(t, store.Create(dir, set))
			e, err := crawl.Open(context.Background(), dir, crawl.Options{By: "wang"})
			must(t, err)
			t.Cleanup(func() {
				if err := e.Close(); err != nil {
					t.Error(err)
				}
			})
			id := propose(t, e, web.URL+"/deal/dealList.html")
			if _, err := e.Runs.Harvest(t.Context(), run.Options{}); err != nil {
				t.Fatal(err)
			}
			had := len(notices(t, e))
			propose(t, e, web.URL+"/irs/list.html") // another list, not read yet
			server.how.Store(&how)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, err := e.Runs.Harvest(t.Context(), run.Options{}); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			bound := int64(set.Crawl.MaxBodyMB) << 20
			t.Logf("%d bytes sent, %d MB allocated, %d MB of the system", server.sent.Load(), (after.TotalAlloc-before.TotalAlloc)>>20, after.Sys>>20)
			// apart from the connection's buffers
			if sent := server.sent.Load(); how == "long" && sent > bound+16<<20 {
				t.Errorf("%d MB were read, more than max_body_mb = %d", sent>>20, bound>>20)
			}
			if used := int64(after.Sys - before.Sys); used > longReply { // Sys never shrinks: it is the peak
				t.Errorf("%d MB were used", used>>20)
			}
			if got := len(notices(t, e)); got != 2*had {
				t.Errorf("%d notices, before %d: the other list was not read, or something was lost", got, had)
			}
			rows, err := e.Recipes.RecipeRows()
			must(t, err)
			for _, r := range rows {
				if r.ID == id && (r.Why == "" || !strings.Contains(r.Why, says)) || r.ID != id && r.Why != "" {
					t.Errorf("%s: %q", r.ID, r.Why)
				}
				if r.ID == id && r.Reply != "" {
					if st, err := os.Stat(filepath.Join(dir, r.Reply)); err != nil || st.Size() > 1<<20 {
						t.Errorf("the reply that is kept: %+v, %v", st, err)
					}
				}
				if r.ID == id {
					t.Log(r.Why, r.Reply)
				}
			}
			alarms, err := e.Lists.Alarms(t.Context())
			if err != nil || len(alarms) != 1 || !strings.Contains(alarms[0].Says(), says) {
				t.Errorf("%+v, %v", alarms, err)
			}
			for i := range alarms {
				t.Log(alarms[i].Says())
			}
		})
	}
}
