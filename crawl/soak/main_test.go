package soak

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"angler/crawl/webtest"
	"angler/store"
)

// roleVar makes the binary of the tests a process of a crawl.
const roleVar = "ANGLER_TEST_SOAK"

func TestMain(m *testing.M) {
	switch role := os.Getenv(roleVar); role {
	case "":
		os.Exit(m.Run())
	case "child", "forgetful":
		in := io.Reader(os.Stdin)
		if role == "forgetful" {
			in = forgetting(in)
		}
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
		defer stop()
		if err := Child(ctx, os.Args[1:], in, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// forgetting is the input of a program that says that a label is stored and does
// not store it, once it has been started again.
func forgetting(in io.Reader) io.Reader {
	r, w := io.Pipe()
	go func() {
		defer w.Close()
		for lines := bufio.NewScanner(in); lines.Scan(); {
			var o order
			if json.Unmarshal(lines.Bytes(), &o) == nil && o.Choice != nil && o.Choice.Label != "" {
				b, _ := json.Marshal(answer{Did: true, N: o.N})
				os.Stdout.Write(append(b, '\n'))
				continue
			}
			if _, err := w.Write(append(lines.Bytes(), '\n')); err != nil {
				return
			}
		}
	}()
	return r
}

func material(t *testing.T) *webtest.Material {
	t.Helper()
	fsys, err := webtest.FindMaterial()
	must(t, err)
	m, err := webtest.Load(fsys)
	must(t, err)
	return m
}

func TestStoppedSoakLeavesNothingRunning(t *testing.T) {
	t.Setenv(roleVar, "child")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	begun := false
	o := Options{Seed: 1, Dir: t.TempDir(), Keep: true, Log: func(format string, _ ...any) {
		if strings.Contains(format, "process") {
			begun = true
			cancel()
		}
	}}
	if r, err := Run(ctx, material(t), o); !errors.Is(err, context.Canceled) || r.Crawls != 0 || !begun {
		t.Errorf("%+v, %v, a process had begun: %v", r, err, begun)
	}
	ws, err := store.Open(o.Dir + "/undisturbed") // a process that still runs holds it
	must(t, err)
	if err := ws.Close(); err != nil {
		t.Error(err)
	}
}

func TestDifferences(t *testing.T) {
	make := func(change func(*outcome)) *outcome {
		o := &outcome{
			pages:        map[string]string{"http://a.test/": "", "http://a.test/list": ""},
			aggregations: map[string]aggregation{"http://a.test/list": {"List", 10, .5}},
			notices:      map[string]notice{"http://a.test/n": {"Notice", "text"}},
			labels:       map[string]string{"http://a.test/": "no"},
			samples:      map[string]string{"http://a.test/list": "List"},
			settings:     map[string]string{"crawl.workers": "24"},
		}
		change(o)
		return o
	}
	cases := map[string]struct {
		change func(*outcome)
		want   string // the first difference; "" = none
	}{
		"equal":           {func(o *outcome) {}, ""},
		"score rounded":   {func(o *outcome) { o.aggregations["http://a.test/list"] = aggregation{"List", 10, .5 + 1e-7} }, ""},
		"score":           {func(o *outcome) { o.aggregations["http://a.test/list"] = aggregation{"List", 10, .50001} }, "aggregation pages: 0 missing, 0 extra, 1 other, of 1"},
		"records":         {func(o *outcome) { o.aggregations["http://a.test/list"] = aggregation{"List", 9, .5} }, "aggregation pages: 0 missing, 0 extra, 1 other, of 1"},
		"page missing":    {func(o *outcome) { delete(o.pages, "http://a.test/") }, "pages: 1 missing, 0 extra, 0 other, of 2"},
		"page extra":      {func(o *outcome) { o.pages["http://b.test/"] = "" }, "pages: 0 missing, 1 extra, 0 other, of 2"},
		"text":            {func(o *outcome) { o.notices["http://a.test/n"] = notice{"Notice", "other"} }, "notices: 0 missing, 0 extra, 1 other, of 1"},
		"notice missing":  {func(o *outcome) { delete(o.notices, "http://a.test/n") }, "notices: 1 missing, 0 extra, 0 other, of 1"},
		"label":           {func(o *outcome) { o.labels["http://a.test/"] = "yes" }, "labels: 0 missing, 0 extra, 1 other, of 1"},
		"sample missing":  {func(o *outcome) { clear(o.samples) }, "samples: 1 missing, 0 extra, 0 other, of 1"},
		"setting changed": {func(o *outcome) { o.settings["crawl.workers"] = "8" }, "settings: 0 missing, 0 extra, 1 other, of 1"},
	}
	calm := make(func(*outcome) {})
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := make(c.change).differences(calm)
			if c.want == "" && len(got) > 0 || c.want != "" && (len(got) < 2 || got[0] != c.want) {
				t.Errorf("%q, want %q and an example", got, c.want)
			}
		})
	}
}

// A seed names one mix of events, and every kind is drawn before one comes again.
func TestDraw(t *testing.T) {
	mix := func(seed uint64) (plans [][]event) {
		s := &soak{Options: Options{Events: Kinds()}, rnd: rand.New(rand.NewPCG(seed, 0))}
		for range 20 {
			plans = append(plans, s.draw(mostDiscovery, reachDiscovery))
		}
		return plans
	}
	a := mix(7)
	if !reflect.DeepEqual(a, mix(7)) || reflect.DeepEqual(a, mix(8)) {
		t.Error("the mix does not follow from the seed")
	}
	met := map[string]int{}
	n := 0
	for _, plan := range a {
		for _, e := range plan {
			if n++; n <= len(kinds) {
				met[e.kind]++
			}
		}
	}
	if len(met) != len(kinds) {
		t.Errorf("the first %d events are of %d kinds: %v", len(kinds), len(met), met)
	}
	if err := CheckKinds([]string{"kill", "flood"}); err == nil || !strings.Contains(err.Error(), `"flood"`) {
		t.Errorf("%v", err)
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
