package crawl_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/archive"
	reading "angler/crawl/page"
	"angler/crawl/view"
	"angler/store/config"
	"angler/store/maintenance"
	"angler/store/warc"
)

// TestHostsAreLearnedOnWithoutBodies deletes nearly all bodies of a small host, gives
// their room back, and takes in more pages, before and after a run that was killed: all
// pages are read and judged as in a workspace that has kept its bodies.
func TestHostsAreLearnedOnWithoutBodies(t *testing.T) {
	ctx := context.Background()
	const host = "http://a.test/"
	menu := `<div class=nav><a href="/">首页</a> <a href="/a">学校概况</a> <a href="/b">机构设置</a></div>`
	pages := func(from, to int) []byte {
		var out bytes.Buffer
		w := warc.NewWriter(&out)
		for i := from; i < to; i++ {
			// Links of the new pages stand on some of the old ones, so that what is repeated
			// changes while they come.
			html := fmt.Sprintf(`<html><head><meta charset=utf-8><title>第%d批设备招标公告-东湖大学</title></head><body>%s<h1>第%d批设备招标公告</h1><p>%s</p><ul><li><a href="/n/%d.htm">第%d批设备采购招标公告</a> 2026-11-02</li><li><a href="/g/%d">第%d组公告</a> 2026-11-03</li></ul><p>第%d组 版权所有</p></body></html>`,
				i, menu, i, strings.Repeat(fmt.Sprintf("项目编号 %d，预算金额 %d 万元。", i*i, i), 40), (i+1)%90, (i+1)%90, i%11, i%11, i%11)
			if _, _, err := w.Write(warc.Response, warc.NewID(), time.Date(2026, 10, 1, 8, 0, i, 0, time.UTC), []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+html),
				warc.Field{Name: "WARC-Target-URI", Value: fmt.Sprintf("%sn/%d.htm", host, i)}, warc.Field{Name: "Content-Type", Value: "application/http"}); err != nil {
				t.Fatal(err)
			}
		}
		return out.Bytes()
	}
	later := func() time.Time { return time.Date(2026, 12, 20, 8, 0, 0, 0, time.UTC) }
	open := func(dir string, days int) *crawl.Engine {
		t.Helper()
		e, err := crawl.Open(ctx, dir, crawl.Options{Now: later, Override: func(s *config.Settings) { s.Retention.BodyDays = days }})
		if err == nil {
			err = e.Words(ctx)
		}
		must(t, err)
		return e
	}
	take := func(e *crawl.Engine, from, to int) {
		t.Helper()
		raw := pages(from, to)
		must(t, errOf(e.Archive.ImportAll(ctx, []archive.Source{{Name: "more", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(raw)), nil }}}, func(string, archive.Imported) {})))
		must(t, e.Words(ctx))
	}
	var rows [2][]view.PageRow
	var said [2]string
	for i, days := range []int{0, 30} {
		set := config.Default()
		set.Seeds = []string{host}
		made, _, err := takenIn(t, crawl.Options{Now: later}, set, pages(0, 60))
		must(t, err)
		dir := made.Workspace().Dir()
		addSample(t, made.Topic, host+"n/3.htm")
		must(t, made.Close())
		e := open(dir, days)
		d, err := e.Archive.Retain(ctx, false)
		if err != nil || days > 0 && (d.Bodies < 40 || d.BodyBytes < 40*100) {
			t.Fatalf("%+v, %v", d, err)
		}
		must(t, e.Close())
		must(t, errOf(maintenance.Compact(ctx, dir, func(_, _ int64) {})))
		e = open(dir, 0)
		take(e, 60, 80)
		last, err := json.Marshal(map[string]any{"number": 9, "task": "discovery", "open": true})
		if err == nil {
			err = e.Workspace().PutState("run/2", last) // as a run that was killed leaves it
		}
		must(t, err)
		must(t, e.Close())
		e = open(dir, 0)
		take(e, 80, 90)
		consistent(t, e)
		all := exported[view.PageRow](t, e, "pages")
		for _, p := range all {
			if n := 0; days > 0 && p.Status == 200 {
				if _, err := fmt.Sscanf(p.URL, host+"n/%d.htm", &n); err == nil && n < 60 && n != 3 && !p.Aggregation {
					if body := bodyOf(t, e.Workspace(), p.URL); len(body) > 0 {
						t.Errorf("%s has its body", p.URL)
					}
				}
			}
		}
		rows[i] = all
		var boiler reading.Boilerplate
		must(t, boiler.UnmarshalBinary(e.Workspace().Host("a.test")))
		profile := boiler.Profile()
		said[i] = fmt.Sprint(boiler.Pages(), profile.RepeatedLink(host, "首页"), profile.RepeatedText("第3组 版权所有"))
		for g := range 11 {
			said[i] += fmt.Sprint(" ", profile.RepeatedLink(fmt.Sprintf("%sg/%d", host, g), fmt.Sprintf("第%d组公告", g)))
		}
		must(t, e.Close())
	}
	if len(rows[0]) != 90 || !reflect.DeepEqual(rows[0], rows[1]) {
		for i := range min(len(rows[0]), len(rows[1])) {
			if !reflect.DeepEqual(rows[0][i], rows[1][i]) {
				t.Errorf("%+v\nis without bodies\n%+v", rows[0][i], rows[1][i])
			}
		}
	}
	if said[0] != said[1] || !strings.HasPrefix(said[0], "90 true true") {
		t.Errorf("the host repeats %s, and without bodies %s", said[0], said[1])
	}
}
