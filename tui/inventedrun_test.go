package tui

import (
	"fmt"
	"time"

	"angler/crawl/article"
	"angler/crawl/view"
	"angler/message"
	"angler/store"
	"angler/store/records"
	"angler/tui/tuitest"
)

// inDiscovery sets a snapshot to the middle of a discovery of the invented web.
func inDiscovery(s *view.Snapshot) {
	s.State, s.Task, s.Why = view.Running, "discovery", ""
	s.Busy, s.Moved = 16, s.At
	s.Take(view.Tally{Task: view.Discovery, Took: time.Minute, Fetched: 18204, Errors: []view.FailureGroup{{Reason: view.Gone, N: 47}, {Reason: view.Unreachable, N: 12}, {Reason: view.Refused, N: 2}},
		Pages: 18143, Lists: 118, Notices: 62, Ahead: 89204, Open: true, Pace: inventedPace()})
	s.Counts.Waiting, s.Counts.Processing, s.Counts.Exception, s.Counts.Complete = 90412, 16, 61, 18204
	s.Counts.Beyond, s.Counts.Notices = 1208, 3102
	s.Story = view.Story{Seeds: 6, Sites: 3, Today: 12}
	s.NumHosts, s.OnDisk = 312, 20412
	s.Seen = store.FilterFigures{Keys: 130412, Bits: 14_377_588, Hashes: 10, Fill: .087, FalseRate: 2.5e-11, Maybe: 310_442, False: 3}
	s.InFlight = inventedRequests()
	s.Frontier, s.Hosts, s.Notices, s.Events = inventedFrontier(), inventedHosts(), inventedNotices(), inventedEvents()
	s.Curve, s.Kinds = inventedCurve(), folded(s.Events)
	s.Filtered = []view.FilterCount{{Reason: "out of scope", N: 40231}, {Reason: "malformed", N: 310442}, {Reason: "image", N: 9120}, {Reason: "trap", N: 88}}
}

// longFrontier returns n rows of a frontier.
func longFrontier(n int) []view.FrontierRow {
	base := inventedFrontier()
	out := make([]view.FrontierRow, n)
	for i := range out {
		out[i] = base[i%len(base)]
		out[i].ID = uint64(1_000_000 + i)
		out[i].Priority = 1 - float64(i)/float64(n+1)
		out[i].Next = tuitest.Start.Add(time.Duration(i%50) * time.Second)
	}
	return out
}

func inventedFrontier() []view.FrontierRow {
	var out []view.FrontierRow
	anchors := []string{"采购公告", "下一页", "更多>>", "招标信息", "中标公示", "信息公开", "国有资产管理处", "学院新闻"}
	for i := 0; i < 60; i++ {
		s := schools[i%len(schools)]
		r := view.FrontierRow{ID: uint64(9000 + i), Host: s.host, Anchor: anchors[i%len(anchors)], Priority: .93 - float64(i)*.011, Depth: 1 + i%4,
			URL: fmt.Sprintf("http://%s/c%d/list.htm", s.host, i), Why: fmt.Sprintf("hub .%d anchor .%d", 9-i%7, 9-i%5)}
		if i%3 == 1 {
			r.Next = tuitest.Start.Add(time.Duration(i) * 100 * time.Millisecond)
		}
		out = append(out, r)
	}
	return out
}

func inventedHosts() []view.HostRow {
	var out []view.HostRow
	for i, s := range schools {
		out = append(out, view.HostRow{Host: s.host, Waiting: 1204 - i*190, Busy: 1, Done: 310 - i*20, Next: tuitest.Start.Add(400 * time.Millisecond), Delay: time.Second, Why: "politeness"})
	}
	return append(out, view.HostRow{Host: "www.silent.test", Waiting: 88, Failed: 9, Next: tuitest.Start.Add(9 * time.Minute), Delay: time.Second, Why: "failures"})
}

func inventedRequests() []view.Request {
	var out []view.Request
	for i := range 16 {
		s := schools[i%len(schools)]
		out = append(out, view.Request{ID: uint64(9500 + i), Host: s.host, URL: fmt.Sprintf("http://%s/c%d/list%d.htm", s.host, 60+i, i+2), Since: tuitest.Start.Add(-time.Duration(7200>>i) * time.Millisecond)})
	}
	return out
}

func inventedNotices() []view.NoticeRow {
	var out []view.NoticeRow
	for i := 0; i < 80; i++ {
		s := schools[i%len(schools)]
		out = append(out, view.NoticeRow{ID: uint64(149 + i%40), URL: fmt.Sprintf("http://%s/info/1000/%d.htm", s.host, 2000+i), Host: s.host,
			Title: s.name + things[i%len(things)] + kinds[0].verbs[i%4], Date: article.Date{Time: tuitest.Start.AddDate(0, 0, -i), Precision: article.Day}, At: tuitest.Start})
	}
	return out
}

func inventedEvents() []view.Event {
	return []view.Event{
		{At: tuitest.Start.Add(-40 * time.Second), Kind: "info", Text: message.Of("%s started", "discovery")},
		{At: tuitest.Start.Add(-31 * time.Second), Kind: "warn", Text: message.Of("%s · %s · asked again in %s", "429", "http://zb.nanping.test/zbgg/", "30s")},
		{At: tuitest.Start.Add(-12 * time.Second), Kind: "error", Text: message.Of("%s · %s", "timeout", "http://www.silent.test/")},
		{At: tuitest.Start.Add(-2 * time.Second), Kind: "info", Text: message.Of("sitemap %s: %d addresses, %d sitemaps", "http://hqc.dongze.test/sitemap.xml", 310, 2)},
	}
}

// folded returns the kinds of events, with frequent warnings.
func folded(list []view.Event) []view.EventKind {
	at := time.Time{}
	log := view.EventLog{Now: func() time.Time { return at }}
	for _, ev := range list {
		id, parts := ev.Text.Parts()
		args := make([]any, len(parts))
		for i, part := range parts {
			args[i] = part
		}
		for range map[string]int{"info": 1, "warn": 312, "error": 9}[ev.Kind] {
			at = ev.At
			log.Note(ev.Kind, id, args...)
		}
	}
	return log.Kinds()
}

func inventedCurve() []view.CurvePoint {
	var out []view.CurvePoint
	found := 0.0
	for i := 1; i <= 200; i++ {
		found += 40 / (1 + float64(i)/14)
		out = append(out, view.CurvePoint{Fetched: i * 91, Found: int(found)})
	}
	return out
}

func inventedPace() []int {
	out := make([]int, view.PaceSeconds)
	for i := range out {
		out[i] = 500 + (i*i*37)%400
	}
	return out
}

// inventedRun returns the previous harvest.
func inventedRun() *records.Run {
	r := &records.Run{ID: 12, Task: view.Harvest, By: "wang", Start: tuitest.Start.Add(-2 * time.Hour), Seen: tuitest.Start.Add(-2*time.Hour + 2*time.Minute), End: records.RunFinished, Why: "nothing left",
		Took: 120, Fetched: 812, Unchanged: 140, Missed: 65, Failures: 61, Kinds: map[string]int{"http 404": 40, "dns": 21}, Pages: 611, Visited: 49, Notices: 351, Bytes: 48_200_000, Memory: 212_000_000, CPU: 9.4}
	for i := range 120 {
		t := float64(i + 1)
		r.Curve = append(r.Curve, records.RunPoint{At: t, Fetched: int(812 * (t / 120) * (2 - t/120)), Notices: int(351 * t * t / 14400), Failures: i / 2})
	}
	r.Events = []records.RunEvent{{Kind: "warn HTTP status 404", Level: "warn", N: 40, Last: r.Seen, Text: message.Of("%s · %s · asked again in %s", message.Of("HTTP status %d", 404), "http://zb.nanping.test/gone/7.htm", message.Of("%d days", 9))}}
	return r
}
