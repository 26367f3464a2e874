package crawl_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/crawl/demo"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store/config"
)

// ailing is the demo web with hosts that break in ways of their own.
type ailing struct {
	*httptest.Server
	mu    sync.Mutex
	how   map[string]func(w http.ResponseWriter, r *http.Request) // by host
	whole http.Handler
}

func (a *ailing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	how := a.how[r.Host]
	a.mu.Unlock()
	if how != nil && r.URL.Path != "/robots.txt" {
		how(w, r)
		return
	}
	a.whole.ServeHTTP(w, r)
}

func (a *ailing) breaks(address string, how func(w http.ResponseWriter, r *http.Request)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.how[urls.HostOf(address)] = how
}

// Lists that ask for a login, lead elsewhere, show nothing, cannot be reached,
// stopped, or were not followed are found; people are told, on Home and by a
// message, until a person mutes them, and one undo takes that back.
func TestListsThatBreak(t *testing.T) {
	ctx := context.Background()
	web, server := demoWeb(t)
	lists := demo.TenderLists(web, 6)
	hosts := map[string]bool{}
	for _, l := range lists {
		hosts[urls.HostOf(l)] = true
	}
	if len(hosts) != len(lists) {
		t.Fatalf("lists of the same host: %q", lists)
	}
	a := &ailing{how: map[string]func(http.ResponseWriter, *http.Request){}}
	a.whole = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = "http", r.In.Host, r.In.Host
	},
		Transport: &http.Transport{DialContext: server.Dial}}
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	var got sync.Map
	told := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var x struct {
			Sections []struct{ Lists []view.ListAlarm }
		}
		_ = json.NewDecoder(r.Body).Decode(&x)
		for _, s := range x.Sections {
			for _, l := range s.Lists {
				n, _ := got.LoadOrStore(l.URL, new(atomic.Int64))
				n.(*atomic.Int64).Add(1)
			}
		}
	}))
	t.Cleanup(told.Close)

	dir := created(t, func(set *config.Settings) {
		set.Seeds, set.Crawl.Delay, set.Crawl.Depth, set.Crawl.Retries, set.Harvest.Pages = lists, 0, 0, 0, 3
		set.Notify = []config.Notify{{Name: "all", Way: config.WayWebhook, URL: told.URL, Tell: []string{config.TellLists}}}
	})
	now := clockAt(time.Date(2026, 7, 2, 12, 0, 0, 0, time.UTC))
	e := opened(t, dir, crawl.Options{By: "wang", Tell: true, Now: now.Now, Dial: dialling(a.Server)})
	login := `<form action="/login"><input name="u"><input type="password" name="p"><button>登录</button></form>`
	first := lists[5]
	a.breaks(first, func(w http.ResponseWriter, r *http.Request) {
		if "http://"+r.Host+r.URL.Path == first || !strings.Contains(r.URL.Path, "list") {
			a.whole.ServeHTTP(w, r)
			return
		}
		w.WriteHeader(http.StatusInternalServerError)
	})
	discover(t, e.Runs)
	for _, u := range lists[:3] {
		addSample(t, e.Topic, u)
	}
	harvest := func() {
		t.Helper()
		harvest(t, e.Runs)
	}
	find := func() map[string]view.ListAlarm {
		t.Helper()
		all, err := e.Lists.Alarms(ctx)
		must(t, err)
		out := map[string]view.ListAlarm{}
		for _, x := range all {
			out[x.URL] = x
		}
		return out
	}
	harvest()
	must(t, e.Notify.Flush(ctx))
	if found := find(); len(found) != 1 || found[first].Kind != view.ListPager {
		t.Errorf("pages behind one list cannot be fetched: %+v", found)
	}

	a.breaks(lists[0], page(login))
	a.breaks(lists[1], func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/cas/login?service=x", http.StatusFound)
	})
	a.breaks(lists[2], page(`<div class="nav"><a href="/">采购招标网首页</a> <a href="/cggg/list.htm">采购公告</a></div><h1>采购公告</h1><ul></ul><p>暂无内容</p>`))
	a.breaks(lists[3], func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	now.jump(200 * 24 * time.Hour)
	harvest()
	want := map[string]string{lists[0]: view.ListLogin, lists[1]: view.ListLogin, lists[2]: view.ListEmpty, lists[3]: view.ListFails, lists[4]: view.ListStale, lists[5]: view.ListStale}
	found := find()
	for u, kind := range want {
		if x := found[u]; x.Kind != kind {
			t.Errorf("%s: %q (%s), want %q", u, x.Kind, x.Says(), kind)
		}
	}
	if id, known := e.Workspace().Lookup("http://" + urls.HostOf(lists[2]) + "/"); known {
		if n, err := e.Workspace().Notice(id); n != nil || err != nil {
			t.Errorf("the menu of the empty list leads to a notice: %+v, %v", n, err)
		}
	}
	must(t, e.Notify.Flush(ctx))
	for u := range want {
		if n, ok := got.Load(u); !ok || n.(*atomic.Int64).Load() < 1 {
			t.Errorf("no message names %s", u)
		}
	}

	must(t, e.Lists.MuteList(found[lists[2]], true))
	if x := find()[lists[2]]; !x.Muted {
		t.Errorf("not muted: %+v", x)
	}
	a.breaks(lists[2], page(login)) // breaks in another way
	now.jump(48 * time.Hour)
	harvest()
	if x := find()[lists[2]]; x.Muted || x.Kind != view.ListLogin {
		t.Errorf("another failure is muted: %+v", x)
	}
	a.breaks(lists[2], page("<h1>采购公告</h1><p>暂无内容。</p>"))
	harvest()
	_, err := e.Topic.Undo()
	if q, asks := errors.AsType[*decisions.UndoQuestion](err); asks { // it is days old
		_, err = e.Topic.UndoAgreed(q.Seq)
	}
	must(t, err)
	if x := find()[lists[2]]; x.Muted {
		t.Errorf("muted after the undo: %+v", x)
	}
}
