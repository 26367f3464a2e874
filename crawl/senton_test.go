package crawl_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/listpage"
	"angler/crawl/view"
	"angler/store/config"
)

// inside is never followed: a private address that is no seed.
const inside = "http://10.11.12.13/inside/list.htm"

// A list whose server sends it, its next page or its frame to a private address says so:
// in an event, once, with the lists that broke, and no longer once it has mended. Other
// pages do not.
func TestListsSentToPrivateAddressesSaySo(t *testing.T) {
	var mended atomic.Bool
	var later atomic.Int64
	rows := func(w io.Writer, at string) {
		io.WriteString(w, `<ul class="news">`)
		for i := range 10 {
			fmt.Fprintf(w, `<li><a href="/info/%s/%d.htm">关于第%d批显微镜设备采购项目的招标公告</a><span>2026-10-%02d</span></li>`, at, i, i, i+1)
		}
		io.WriteString(w, `</ul>`)
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/sent/") && !mended.Load() {
			http.Redirect(w, r, inside, http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/robots.txt":
			w.WriteHeader(http.StatusNotFound)
		case "/":
			io.WriteString(w, `<title>信息中心</title><ul><li><a href="/open/list.htm">采购公告</a></li><li><a href="/sent/page.htm">校历</a></li><li><a href="/framed/list.htm">招标公告</a></li></ul>`)
		case "/open/list.htm":
			io.WriteString(w, `<title>采购公告</title><h1>采购公告</h1>`)
			rows(w, "a")
			io.WriteString(w, `<p>第 1/2 页 <a href="/sent/list2.htm">下一页</a></p>`)
		case "/framed/list.htm":
			io.WriteString(w, `<title>招标公告</title><h1>招标公告</h1><iframe src="/sent/frame.htm" width="100%" height="600"></iframe>`)
		case "/sent/seed.htm", "/sent/list2.htm", "/sent/frame.htm":
			io.WriteString(w, `<title>交易信息</title><h1>交易信息</h1>`)
			rows(w, r.URL.Path[6:7])
		default:
			io.WriteString(w, `<title>关于显微镜设备采购项目的招标公告</title><h1>关于显微镜设备采购项目的招标公告</h1><p>发布时间：2026-10-12</p><p>受采购人委托，现对显微镜设备采购项目进行公开招标，欢迎合格的供应商前来投标。</p>`)
		}
	}))
	t.Cleanup(web.Close)
	dir := created(t, func(set *config.Settings) {
		set.Seeds, set.Crawl.Delay, set.Crawl.Sitemaps = []string{web.URL + "/", web.URL + "/sent/seed.htm"}, 0, false
	})
	e := opened(t, dir, crawl.Options{By: "wang", Now: func() time.Time { return time.Now().Add(time.Duration(later.Load())) }})
	addSample(t, e.Topic, web.URL+"/open/list.htm")
	discover(t, e.Runs)
	told := func() (out []string) {
		t.Helper()
		alarms, err := e.Lists.Alarms(t.Context())
		must(t, err)
		for _, a := range alarms {
			for _, x := range a.Unfollowed {
				if x.Kind == listpage.KindBarred && x.Text == inside && x.Help != "" {
					out = append(out, strings.TrimPrefix(a.URL, web.URL)+" "+a.Title)
				}
			}
		}
		slices.Sort(out)
		return out
	}
	if want := []string{"/sent/frame.htm 招标公告", "/sent/list2.htm 采购公告", "/sent/seed.htm "}; !slices.Equal(told(), want) {
		t.Errorf("told of %q, want %q", told(), want)
	}
	if n := saying(e, view.UnfollowedSays(listpage.KindBarred, inside, "it is no public address")); n != 3 {
		t.Errorf("%d events tell of it, want 3", n)
	}
	mended.Store(true)
	later.Store(int64(60 * 24 * time.Hour))
	discover(t, e.Runs)
	if got := told(); len(got) > 0 {
		t.Errorf("they have mended, and %q is told", got)
	}
}
