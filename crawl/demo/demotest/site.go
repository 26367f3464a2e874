package demotest

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"angler/crawl"
	"angler/store"
	"angler/store/config"
)

// Site opens an engine on a workspace whose one host, a.test, is served by h on loopback. It closes both when the
// test ends.
func Site(t testing.TB, h http.Handler, change func(*config.Settings)) (*crawl.Engine, *httptest.Server) {
	t.Helper()
	return SiteWith(t, h, change, crawl.Options{})
}

// SiteWith is Site with further options.
func SiteWith(t testing.TB, h http.Handler, change func(*config.Settings),
	opt crawl.Options) (*crawl.Engine, *httptest.Server) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	dir := Workspace(t, func(set *config.Settings) {
		set.Crawl.Delay, set.Crawl.Sitemaps = 0, false
		if change != nil {
			change(set)
		}
	})
	opt.By, opt.Dial = "wang", Dialing(server)
	return Engine(t, dir, opt), server
}

// Workspace makes a workspace and returns its folder. Its seed is http://a.test/ before change, which may be nil.
func Workspace(t testing.TB, change func(*config.Settings)) (dir string) {
	t.Helper()
	set := config.Default()
	set.Seeds = []string{"http://a.test/"}
	if change != nil {
		change(&set)
	}
	dir = t.TempDir()
	if err := store.Create(dir, set); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Engine opens an engine on the workspace in dir, and closes it when the test ends.
func Engine(t testing.TB, dir string, opt crawl.Options) *crawl.Engine {
	t.Helper()
	e, err := crawl.Open(context.Background(), dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { Close(t, e) })
	return e
}

// Dialing returns a dialer that connects to the server for every address.
func Dialing(server *httptest.Server) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
}

// Page answers with a page that has a body.
func Page(body string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, "<!DOCTYPE html><html><head><title>采购公告</title></head><body>"+body+"</body></html>")
	}
}

// Scan reads the number in a path of a form.
func Scan(path, form string, n *int) bool {
	_, err := fmt.Sscanf(path, form, n)
	return err == nil
}

// Thing is what notice i wants to buy: different words, because pages of the same words
// are one page to the index.
func Thing(i int) string {
	places := strings.Fields("物理 化学 医学 海洋 地质 纺织 食品 建筑 机械 电气 通信 法律 艺术 体育 音乐 历史")
	kinds := strings.Fields("显微镜 离心机 服务器 投影机 空调 电梯 桌椅 图书 试剂 钢琴 汽车 锅炉 水泵 路灯 监控 软件")
	works := strings.Fields("维修 租赁 安装 改造 更新 检测 保养 运输 设计 监理 培训 印刷 保洁 绿化 消防 网络")
	return places[i%16] + "学院" + kinds[i/16%16] + works[(i/256+i)%16]
}

// Saying counts the events that hold all of words.
func Saying(e *crawl.Engine, words ...string) (n int) {
	for _, ev := range e.Snapshot().Events {
		all := true
		for _, w := range words {
			all = all && strings.Contains(ev.Text.String(), w)
		}
		if all {
			n++
		}
	}
	return n
}

// BodyOf is the stored body of a page that is known, nil without one.
func BodyOf(t testing.TB, w *store.Workspace, url string) []byte {
	t.Helper()
	id, ok := w.Lookup(url)
	if !ok {
		t.Fatalf("%s is not known", url)
	}
	body, err := w.Body(id, 64<<20)
	if err != nil {
		t.Fatal(err)
	}
	return body
}
