package crawl

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"time"

	"angler/crawl/run"
	"angler/crawl/schedule"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/modes"
)

// WriteMetrics writes the engine's metrics in the Prometheus text format 0.0.4. It costs some microseconds and does
// not block.
func (c *core) WriteMetrics(w io.Writer) error {
	s := c.Snapshot()
	var x prometheus
	m := c.metrics.Totals()
	x.all([]metric{
		{"angler_fetched_total", "counter", "fetches finished since the start", float64(m.Fetched)},
		{"angler_fetched_bytes_total", "counter", "bytes of the bodies fetched, unpacked", float64(m.Bytes)},
	})
	x.head("angler_errors_total", "counter", "failed fetches by kind")
	for _, k := range slices.Sorted(maps.Keys(m.Errors)) {
		x.row("angler_errors_total", label("kind", k), float64(m.Errors[k]))
	}
	x.head("angler_fetch_seconds", "histogram", "time of one fetch")
	sum := int64(0)
	for i, b := range run.LatencyBounds {
		sum += m.Buckets[i]
		x.row("angler_fetch_seconds_bucket", label("le", strconv.FormatFloat(b, 'g', -1, 64)), float64(sum))
	}
	x.row("angler_fetch_seconds_bucket", label("le", "+Inf"), float64(m.Timed))
	x.row("angler_fetch_seconds_sum", "", m.Seconds)
	x.row("angler_fetch_seconds_count", "", float64(m.Timed))

	x.head("angler_queue", "gauge", "URLs by state")
	for _, q := range []struct {
		state string
		n     int
	}{{"waiting", s.Counts.Waiting}, {"processing", s.Counts.Processing}, {"exception", s.Counts.Exception},
		{"complete", s.Counts.Complete}} {
		x.row("angler_queue", label("state", q.state), float64(q.n))
	}
	x.all([]metric{
		{"angler_pages", "gauge", "pages stored", float64(s.Counts.Pages)},
		{"angler_aggregations", "gauge", "aggregation pages: at or above the threshold, labels override",
			float64(s.Counts.Aggregations)},
		{"angler_lists_unfollowed", "gauge",
			"lists that show more than could be followed and that are not muted, as of the end of the last run",
			float64(s.Unfollowed)},
		{"angler_notices", "gauge", "notices harvested", float64(s.Counts.Notices)},
	})
	if k := c.inbox.Kin(); k != nil {
		x.all([]metric{
			{"angler_notice_copies", "gauge",
				"notices that are another one at a further address, as the last list found it", float64(k.Copies)},
			{"angler_notice_threads", "gauge", "projects of which there are several notices", float64(k.Threads)},
			{"angler_notices_doubtful", "gauge", "notices that may be none, by the check of their content",
				float64(k.Doubtful)},
			{"angler_notices_changed", "gauge", "notices that said something else before", float64(k.Changed)},
		})
	}
	x.all([]metric{
		{"angler_seen_bits", "gauge", "m, bits of the Bloom filter that knows which URLs were seen",
			float64(s.Seen.Bits)},
		{"angler_seen_hashes", "gauge", "k, bits of it that a URL sets", float64(s.Seen.Hashes)},
		{"angler_seen_fill", "gauge", "share of its bits that are set, 0 … 1", s.Seen.Fill},
		{"angler_seen_false_rate", "gauge", "estimated share of unknown URLs that it answers with maybe, 0 … 1: fill^k",
			s.Seen.FalseRate},
		{"angler_seen_maybe_total", "counter", "its answers maybe since the start", float64(s.Seen.Maybe)},
		{"angler_seen_false_total", "counter", "those of them for URLs that were not known", float64(s.Seen.False)},
		{"angler_harvest_rate", "gauge",
			"found ÷ fetches of the run under way or the last one, 0 … 1: lists of a discovery, new notices of a harvest",
			s.HarvestRate},
		{"angler_run_fetched", "gauge", "fetches of that run", float64(s.Run.Fetched)},
		{"angler_run_home", "gauge", "lists or new notices found in that run", float64(s.Run.Home())},
		{"angler_run_lists_unfollowed", "gauge",
			"of the lists visited in that run, those that show more than could be followed", float64(s.Run.Lacking)},
	})
	x.head("angler_run_errors", "gauge", "URLs that failed in that run and were given up, by kind")
	for _, e := range s.Run.Errors {
		x.row("angler_run_errors", label("kind", e.Reason), float64(e.N))
	}
	x.all([]metric{
		{"angler_pages_per_second", "gauge", "fetches a second: over the last ten, of an ended run in all", s.Rate},
		{"angler_threshold", "gauge", "the similarity threshold θ", s.Theta},
	})
	x.head("angler_running", "gauge", "1 while the task is under way")
	for _, task := range []string{view.Discovery, view.Harvest, view.Look} {
		x.row("angler_running", label("task", task), zeroOne(s.Task == task))
	}
	again := c.schedule.Retry()
	if again == nil {
		again = new(schedule.Retry)
	}
	x.all([]metric{
		{"angler_schedule_failures", "gauge", "runs of the schedule that failed in a row; one is tried again",
			float64(again.Fails)},
		{"angler_unfinished_since_seconds", "gauge",
			"Unix time since which the schedule's round has left something to do; 0 = it has not",
			unixSeconds(s.Unfinished)},
		{"angler_network_away_since_seconds", "gauge", "Unix time since which the network is away; 0 = it is there",
			unixSeconds(s.AwaySince)},
		{"angler_hosts_banned", "gauge", "hosts that rest because they refuse us", float64(len(c.watch.Banned()))},
		{"angler_workers_busy", "gauge", "fetches under way", float64(s.Busy)},
		{"angler_viewers", "gauge", "people attached to the workbench", float64(len(s.Viewers))},
		{"angler_publish_seconds_max", "gauge", "longest handing of a snapshot to all viewers",
			c.publisher.slowest.get().Seconds()},
	})
	r := &s.Rendering
	x.all([]metric{
		{"angler_rendered_total", "counter", "pages that were read through the browser since the start",
			float64(r.Pages)},
		{"angler_render_errors_total", "counter", "pages that the browser did not bring", float64(r.Failed)},
		{"angler_render_seconds_total", "counter", "time that both took", r.Took.Seconds()},
		{"angler_render_requests_total", "counter", "requests of such pages that were answered, the documents apart",
			float64(r.Requests)},
		{"angler_browser_starts_total", "counter", "times that the browser was begun", float64(r.Begun)},
		{"angler_browser_killed_total", "counter", "times that it was ended for its memory", float64(r.Killed)},
		{"angler_browser_bytes", "gauge",
			"memory of all its processes, what they share counted for each; 0 = it does not run", float64(r.Memory)},
	})
	workerMetrics(&x, c.machines.seen())
	c.processMetrics(&x, m.Last)
	_, err := w.Write(x.b.Bytes())
	return err
}

// processMetrics writes metrics of the process, its disk and its last successes. It leaves out figures that the
// system does not provide.
func (c *core) processMetrics(x *prometheus, fetched time.Time) {
	x.head("angler_build_info", "gauge", "1, with what was built")
	x.row("angler_build_info", label("version", config.Version, "go", runtime.Version(), "schema",
		strconv.Itoa(store.Schema)), 1)
	x.one("angler_goroutines", "gauge", "goroutines", float64(runtime.NumGoroutine()))
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(heap)
	x.one("angler_heap_bytes", "gauge", "memory of live and dead objects of the program",
		float64(heap[0].Value.Uint64()))
	if n, ok := resident(); ok {
		x.one("angler_resident_bytes", "gauge", "memory of the process in RAM, pages of the database among it",
			float64(n))
	}
	if open, most, ok := descriptors(); ok {
		x.all([]metric{
			{"angler_open_files", "gauge", "open files and connections", float64(open)},
			{"angler_open_files_limit", "gauge", "most that the process may have", float64(most)},
		})
	}
	if free, size, ok := modes.Disk(c.ws.Dir()); ok {
		x.all([]metric{
			{"angler_disk_free_bytes", "gauge", "free on the disk of the workspace", float64(free)},
			{"angler_disk_size_bytes", "gauge", "size of that disk", float64(size)},
		})
	}
	file, free := store.Sizes(c.ws)
	x.all([]metric{
		{"angler_database_bytes", "gauge", "size of crawl.db", float64(file)},
		{"angler_database_free_bytes", "gauge", "of those, bytes that the next commits can use", float64(free)},
	})
	x.head("angler_last_success_seconds", "gauge",
		"Unix time at which the process last did this with success; a kind is missing until then")
	last := []struct {
		kind string
		unix int64
	}{{"backup", c.successes.backup.Load()}, {"commit", c.successes.stored.Load()},
		{view.Discovery, c.successes.discovery.Load()},
		{"fetch", 0}, {view.Harvest, c.successes.harvest.Load()}}
	if !fetched.IsZero() {
		last[3].unix = fetched.Unix()
	}
	for _, l := range last {
		if l.unix != 0 {
			x.row("angler_last_success_seconds", label("kind", l.kind), float64(l.unix))
		}
	}
	x.head("angler_healthy", "gauge", "1 while the check of /healthz passes")
	for _, check := range c.Health() {
		x.row("angler_healthy", label("check", check.Name), zeroOne(check.OK))
	}
}

// zeroOne returns 1 for true.
func zeroOne(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// unixSeconds returns a time in Unix seconds; 0 for the zero time.
func unixSeconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.Unix())
}

// prometheus writes metrics in the text format.
type prometheus struct{ b bytes.Buffer }

func (x *prometheus) head(name, kind, help string) {
	fmt.Fprintf(&x.b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func (x *prometheus) row(name, labels string, v float64) {
	fmt.Fprintf(&x.b, "%s%s %s\n", name, labels, strconv.FormatFloat(v, 'g', -1, 64))
}

func (x *prometheus) one(name, kind, help string, v float64) {
	x.head(name, kind, help)
	x.row(name, "", v)
}

// metric is a metric without labels.
type metric struct {
	name, kind, help string
	value            float64
}

// all writes metrics with their heads.
func (x *prometheus) all(list []metric) {
	for _, m := range list {
		x.one(m.name, m.kind, m.help, m.value)
	}
}

var escapeLabel = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// label formats the labels of a row from alternating names and values.
func label(pairs ...string) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		fmt.Fprintf(&b, `,%s="%s"`, pairs[i], escapeLabel.Replace(pairs[i+1]))
	}
	return "{" + strings.TrimPrefix(b.String(), ",") + "}"
}
