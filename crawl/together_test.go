package crawl

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/view"
)

func TestPresence(t *testing.T) {
	e := &Engine{engine: &engine{now: func() time.Time { return time.Unix(1, 0) }}, by: "wang"}
	if e.present.List() != nil {
		t.Error("somebody is there")
	}
	if e.As("li").by != "li" || e.by != "wang" || e.As("li").engine != e.engine {
		t.Error("As gives another engine, or another name")
	}
	if e.As("li").far || !e.AsFar("li").far || !e.AsFar("li").As("chen").far {
		t.Error("who is far is not known, or forgotten")
	}
}

func TestEventsTellWhoAndAreNumbered(t *testing.T) {
	e := &Engine{engine: &engine{now: time.Now}, by: "wang"}
	e.did("θ .310 → .340")
	e.note("warn", "%d hosts rest", 2)
	e.As("li").did("undo: θ .310 → .340")
	want := []view.Event{{Seq: 1, Kind: "info", Text: "wang: θ .310 → .340", By: "wang", What: "θ .310 → .340"}, {Seq: 2, Kind: "warn", Text: "2 hosts rest"},
		{Seq: 3, Kind: "info", Text: "li: undo: θ .310 → .340", By: "li", What: "undo: θ .310 → .340"}}
	for i, ev := range e.log.Tail() {
		ev.At = time.Time{}
		if ev != want[i] {
			t.Errorf("event %d is %+v, want %+v", i, ev, want[i])
		}
	}
}

func TestMeters(t *testing.T) {
	var m meters
	m.exchange(&fetch.Response{Status: 200, Body: make([]byte, 1000), Took: 30 * time.Millisecond}, nil)
	m.exchange(&fetch.Response{Status: 404, Took: 3 * time.Second}, nil)
	m.exchange(nil, &fetch.Error{Kind: fetch.DNS})
	m.exchange(nil, &fetch.Error{Kind: fetch.Canceled})
	m.exchange(nil, errors.New("odd"))
	m.published(3 * time.Microsecond)
	m.published(2 * time.Microsecond)
	if m.fetched.Load() != 4 || m.bytes.Load() != 1000 || m.timed != 2 || m.worst.Load() != 3000 {
		t.Errorf("fetched %d, bytes %d, timed %d, worst %d", m.fetched.Load(), m.bytes.Load(), m.timed, m.worst.Load())
	}
	if got := fmt.Sprint(m.errors); got != "map[dns:1 http 404:1 other:1]" {
		t.Errorf("errors %s", got)
	}
	if m.buckets[2] != 1 || m.buckets[8] != 1 {
		t.Errorf("buckets %v", m.buckets)
	}
}

// TestMetricsFormat checks every line against the exposition format.
func TestMetricsFormat(t *testing.T) {
	e := &Engine{engine: &engine{now: time.Now}, by: "wang"}
	e.hub.Publish(&view.Snapshot{Task: view.Harvest, HarvestRate: .25, Viewers: []view.Viewer{{Name: "li"}}, Counts: view.Counts{Waiting: 7, Notices: 3}})
	e.meters.exchange(nil, &fetch.Error{Kind: "a\"b\\c\nd"})
	e.meters.exchange(&fetch.Response{Status: 200, Took: time.Minute}, nil)
	var b bytes.Buffer
	if err := e.WriteMetrics(&b); err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`^(# (HELP|TYPE) angler_[a-z_]+ \S.*|angler_[a-z_]+(\{[a-z]+="([^"\\\n]|\\["\\n])*"\})? -?[0-9.e+-]+)$`)
	for l := range strings.Lines(b.String()) {
		if !line.MatchString(strings.TrimSuffix(l, "\n")) {
			t.Errorf("line %q", l)
		}
	}
	for _, want := range []string{`angler_queue{state="waiting"} 7`, "angler_notices 3", "angler_harvest_rate 0.25", "angler_viewers 1",
		`angler_running{task="harvest"} 1`, `angler_errors_total{kind="a\"b\\c\nd"} 1`, `angler_fetch_seconds_bucket{le="20"} 0`,
		`angler_fetch_seconds_bucket{le="+Inf"} 1`, "angler_fetch_seconds_count 1"} {
		if !strings.Contains(b.String(), want+"\n") {
			t.Errorf("no line %s in\n%s", want, b.String())
		}
	}
}
