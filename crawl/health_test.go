package crawl

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

func checkNamed(t *testing.T, list []healthCheck, name string) healthCheck {
	t.Helper()
	for _, c := range list {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no check %q in %+v", name, list)
	return healthCheck{}
}

func TestHealth(t *testing.T) {
	e, _ := edited(t, Options{})
	for _, c := range e.Health() {
		if !c.OK && c.Name != "disk" { // that of this machine may be full
			t.Errorf("a new engine: %+v", c)
		}
	}
	if err := e.Alive(); err != nil {
		t.Error(err)
	}

	// A publisher that hangs is not alive, and is again when it goes on.
	now := time.Now()
	if c := e.checkLoop(now.Add(maxBeat / 2)); !c.OK {
		t.Errorf("a slow round: %+v", c)
	}
	if c := e.checkLoop(now.Add(maxBeat + time.Hour)); c.OK || !strings.Contains(c.Says, "no snapshot for 1h0m") {
		t.Errorf("a hanging publisher: %+v", c)
	}

	e.runner.last.Store(&outcome{err: "no space left on device"})
	if c := checkNamed(t, e.Health(), "database"); c.OK || !strings.Contains(c.Says, "no space left on device") {
		t.Errorf("a commit that failed: %+v", c)
	}
	if e.Alive() != nil {
		t.Error("another start would not mend a full disk")
	}
	e.runner.last.Store(nil)
	if c := checkNamed(t, e.Health(), "database"); !c.OK {
		t.Errorf("the next run: %+v", c)
	}
}

// metricLine is one sample of the text format 0.0.4.
var metricLine = regexp.MustCompile(`^([a-z_]+)(\{[a-z]+="(?:[^"\\]|\\.)*"(?:,[a-z]+="(?:[^"\\]|\\.)*")*\})? (\S+)$`)

// TestMetricsFamilies reads everything that is told as Prometheus does: every family
// has a help and a type before its samples, stands once, and no sample twice.
func TestMetricsFamilies(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	e, _ := edited(t, Options{Now: func() time.Time { return at }})
	e.successes.reached("discovery", at)
	var b bytes.Buffer
	must(t, e.WriteMetrics(&b))
	types, samples, family := map[string]string{}, map[string]float64{}, ""
	for line := range strings.Lines(b.String()) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "# HELP "); ok {
			family, _, _ = strings.Cut(rest, " ")
			if _, twice := types[family]; twice {
				t.Errorf("%s stands twice", family)
			}
			types[family] = ""
			continue
		}
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			name, kind, _ := strings.Cut(rest, " ")
			if name != family || kind != "counter" && kind != "gauge" && kind != "histogram" {
				t.Errorf("%q follows the help of %s", line, family)
			}
			types[name] = kind
			continue
		}
		m := metricLine.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("%q is no sample", line)
			continue
		}
		name := m[1]
		if types[family] == "histogram" {
			name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "_bucket"), "_sum"), "_count")
		}
		v, err := strconv.ParseFloat(m[3], 64)
		if _, twice := samples[m[1]+m[2]]; err != nil || name != family || twice {
			t.Errorf("%q: %v; in the family %s; twice %v", line, err, family, twice)
		}
		samples[m[1]+m[2]] = v
	}
	for name, least := range map[string]float64{"angler_goroutines": 2, "angler_heap_bytes": 1 << 16, "angler_database_bytes": 1 << 12, "angler_database_free_bytes": 0,
		`angler_last_success_seconds{kind="discovery"}`: float64(at.Unix()), `angler_healthy{check="loop"}`: 1} {
		if v, ok := samples[name]; !ok || v < least {
			t.Errorf("%s is %v, there %v", name, v, ok)
		}
	}
	if _, ok := samples[`angler_last_success_seconds{kind="harvest"}`]; ok {
		t.Error("a harvest has succeeded that never was")
	}
	if open, ok := samples["angler_open_files"]; ok && (open < 3 || samples["angler_open_files_limit"] < open) {
		t.Errorf("%v open files of %v", open, samples["angler_open_files_limit"])
	}
	if free, ok := samples["angler_disk_free_bytes"]; ok && free > samples["angler_disk_size_bytes"] {
		t.Errorf("%v free of %v", free, samples["angler_disk_size_bytes"])
	}
}
