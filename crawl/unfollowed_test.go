package crawl_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"angler/crawl"
	"angler/crawl/listpage"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/crawl/webtest"
	"angler/store/config"
	"angler/store/export"
)

// cutSite is a site with lists that a plain GET does not show whole: /open/ has a pager
// with links, /cut/ one with a script, /app/ has no entries. mended gives /cut/ links.
type cutSite struct {
	*httptest.Server
	asked  atomic.Int64
	mended atomic.Bool
}

func newCutSite(t *testing.T) *cutSite {
	t.Helper()
	s := new(cutSite)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		head := func(title string) {
			fmt.Fprintf(w, `<!DOCTYPE html><html><head><title>%s</title></head><body><h1>%s</h1>`, title, title)
		}
		rows := func(at string, from int) {
			io.WriteString(w, `<ul class="news">`)
			for i := from; i < from+10; i++ {
				fmt.Fprintf(w, `<li><a href="/info/%s/%d.htm">关于第%d批显微镜设备采购项目的招标公告</a><span>2026-10-%02d</span></li>`, at, i, i, i%28+1)
			}
			io.WriteString(w, `</ul>`)
		}
		switch r.URL.Path {
		case "/robots.txt":
			w.WriteHeader(http.StatusNotFound)
		case "/":
			head("信息中心")
			io.WriteString(w, `<ul><li><a href="/open/list.htm">采购公告</a></li><li><a href="/cut/list.htm">招标公告</a></li></ul>`)
		case "/open/list.htm":
			head("采购公告")
			rows("a", 0)
			io.WriteString(w, `<p>第 1/2 页 <a href="/open/list2.htm">下一页</a></p>`)
		case "/open/list2.htm":
			head("采购公告")
			rows("a", 10)
			io.WriteString(w, `<p>第 2/2 页 <a href="/open/list.htm">上一页</a></p>`)
		case "/cut/list.htm":
			head("招标公告")
			rows("b", 0)
			if s.mended.Load() {
				io.WriteString(w, `<p>第 1/2 页 <a href="/cut/list2.htm">下一页</a></p>`)
			} else {
				io.WriteString(w, `<p>第 1/5 页 <a href="javascript:toPage(2)">下一页</a></p>`)
			}
		case "/cut/list2.htm":
			head("招标公告")
			rows("b", 10)
		case "/app/list.htm":
			head("交易信息")
			io.WriteString(w, `<ul id="rows"></ul><script>function load(n){$.ajax({url:"/api/trade/list",data:{pageNo:n},success:function(d){$("#rows").html(d)}})}load(1)</script>`)
		default:
			head("关于显微镜设备采购项目的招标公告")
			io.WriteString(w, `<p>发布时间：2026-10-12</p><p>受采购人委托，现对显微镜设备采购项目进行公开招标，欢迎合格的供应商前来投标。</p><p>投标人应当在招标文件规定的截止时间之前，将投标文件送达开标地点。</p>`)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *cutSite) open(t *testing.T, dir string) *crawl.Engine {
	t.Helper()
	return opened(t, dir, crawl.Options{By: "wang",
		Dial: dialling(s.Server)})
}

// What a list shows and nothing follows is told once by an event, stands with the list
// after a restart and without a request, is counted, explained and exported, muted by a
// person and undone, and goes when the list has mended.
func TestListsThatShowMoreThanIsFollowed(t *testing.T) {
	ctx := context.Background()
	site := newCutSite(t)
	const host = "http://cut.test"
	dir := created(t, func(set *config.Settings) {
		set.Seeds, set.Crawl.Delay, set.Crawl.Depth, set.Harvest.Pages = []string{host + "/", host + "/app/list.htm"}, 0, 3, 3
	})
	e := site.open(t, dir)
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	discover(t, e.Runs)
	addSample(t, e.Topic, host+"/open/list.htm")
	found := func() map[string]view.ListAlarm {
		t.Helper()
		all, err := e.Lists.Alarms(ctx)
		must(t, err)
		out := map[string]view.ListAlarm{}
		for _, a := range all {
			out[strings.TrimPrefix(a.URL, host)] = a
		}
		return out
	}
	told := func(what string) (n int) {
		for _, ev := range e.Snapshot().Events {
			if ev.Kind == "warn" && strings.Contains(ev.Text.String(), what) {
				n++
			}
		}
		return n
	}
	for range 2 { // the second harvest finds the list as it was
		s := harvest(t, e.Runs)
		if s.Lacking != 1 {
			t.Errorf("%d of the lists visited lack something, want 1", s.Lacking)
		}
	}
	check := func() {
		t.Helper()
		all := found()
		if a := all["/cut/list.htm"]; a.Kind != view.ListUnfollowed || len(a.Unfollowed) != 1 || a.Unfollowed[0].Kind != listpage.KindPager || a.Help() == "" || !strings.Contains(a.Says(), "第 1/5 页 · 下一页") {
			t.Errorf("the pager with a script: %+v", a)
		}
		if a := all["/app/list.htm"]; a.Kind != view.ListUnfollowed || len(a.Unfollowed) != 1 || a.Unfollowed[0].Kind != listpage.KindScript {
			t.Errorf("the list without entries: %+v", a)
		}
		if len(all) != 2 {
			t.Errorf("%d alarms: %+v", len(all), all)
		}
	}
	check()
	if n := told("toPage(2) (第 1/5 页 · 下一页) · " + host + "/cut/list.htm · remedy: look for a recipe"); n != 1 {
		t.Errorf("the pager is told %d times: %+v", n, e.Snapshot().Events)
	}
	if n := told(host + "/app/list.htm"); n != 1 {
		t.Errorf("the list without entries is told %d times", n)
	}
	if last := e.Snapshot().Last; last == nil || last.Lacking != 1 {
		t.Errorf("the history tells %+v", last)
	}

	x, err := e.Pages.Explain(ctx, host+"/cut/list.htm")
	must(t, err)
	var says bytes.Buffer
	if err := x.Write(&says); err != nil || !strings.Contains(says.String(), "not followed") || !strings.Contains(says.String(), "remedy") {
		t.Errorf("explained without it, %v:\n%s", err, &says)
	}
	var csv bytes.Buffer
	if _, err := e.Pages.Export(ctx, query.ExportPlan{What: "aggregations", Format: export.CSV}, &csv); err != nil || !strings.Contains(csv.String(), "toPage(2)") {
		t.Errorf("exported without it, %v:\n%s", err, &csv)
	}

	must(t, e.Close())
	e = site.open(t, dir)
	must(t, e.Words(ctx))
	asked := site.asked.Load()
	check()
	if n := site.asked.Load() - asked; n != 0 {
		t.Errorf("%d requests to know what was known", n)
	}

	cut := found()["/cut/list.htm"]
	must(t, e.Lists.MuteList(cut, true))
	if !found()["/cut/list.htm"].Muted {
		t.Error("a list that a person called fine is not muted")
	}
	if s := harvest(t, e.Runs); s.Lacking != 0 {
		t.Errorf("%d muted lists count as lacking", s.Lacking)
	}
	undo(t, e.Topic)
	if found()["/cut/list.htm"].Muted {
		t.Error("muted after the undo")
	}

	site.mended.Store(true)
	harvest(t, e.Runs)
	if a, is := found()["/cut/list.htm"]; is {
		t.Errorf("once its links lead on: %+v", a)
	}
}

// Of nine kinds of lists each is read whole, or what was skipped is named on it.
func TestNothingIsSkippedSilently(t *testing.T) {
	web := webtest.ServeKinds()
	defer web.Close()
	named := 0
	for _, k := range webtest.ListKinds() {
		t.Run(string(k), func(t *testing.T) {
			e := ofKind(t, web, k)
			discover(t, e.Runs)
			all, err := e.Lists.Alarms(t.Context())
			must(t, err)
			all = slices.DeleteFunc(all, func(a view.ListAlarm) bool { return a.Kind != view.ListUnfollowed })
			lost := missed(t, e, k)
			for i := range all {
				t.Logf("%d of %d missed; %s: %s", len(lost), webtest.KindPages*webtest.KindPerPage, all[i].URL, all[i].Says())
			}
			switch {
			case len(lost) > 0 && len(all) == 0:
				t.Errorf("%d notices were skipped silently", len(lost))
			case len(lost) == 0 && len(all) > 0:
				t.Errorf("it is read whole and named all the same")
			}
			if len(all) > 0 {
				named++
			}
		})
	}
	t.Logf("%d of %d kinds are not read whole, all named", named, len(webtest.ListKinds()))
}
