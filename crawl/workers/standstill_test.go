//go:build heavy && unix

package workers_test

import (
	"context"
	"net/http"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"angler/crawl/run"
	"angler/crawl/view"
	"angler/crawl/webtest"
)

// A worker that is killed, and one that stands still for longer than anybody waits, cost
// nothing but time: what they had is done by others, what comes late is dropped, and who
// goes on begins nothing that others have by now.
func TestWorkersThatDieAndStandStillLoseNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole crawl by several processes")
	}
	want := alone()(t)
	e := open(t)
	b, o := employ(t, e.Engine)
	var mu sync.Mutex
	busy, most := map[string]int{}, 0
	killed, stopped := make(chan struct{}), make(chan struct{})
	var n atomic.Int64
	e.Server().Fail(func(r *http.Request, _ int) webtest.Fault {
		mu.Lock()
		busy[r.Host]++
		most = max(most, busy[r.Host])
		mu.Unlock()
		context.AfterFunc(r.Context(), func() {
			mu.Lock()
			busy[r.Host]--
			mu.Unlock()
		})
		switch n.Add(1) {
		case 400:
			close(killed)
		case 900:
			close(stopped)
		}
		return webtest.Fault{}
	})
	var workers []*exec.Cmd
	for _, name := range []string{"one", "two", "three"} {
		workers = append(workers, begin(t, child{Server: "nats://" + b.Addr(), Invitation: b.Invitation().String(), Proxy: e.Server().ProxyURL().String(), Name: name, Slots: 4}))
	}
	staffed(t, e.Engine, o, 3)
	news, end := e.Subscribe()
	defer end()
	goesOn := make(chan struct{})
	go func() {
		defer close(goesOn)
		<-killed
		_ = workers[0].Process.Kill()
		<-stopped
		_ = workers[1].Process.Signal(syscall.SIGSTOP)
		defer func() { _ = workers[1].Process.Signal(syscall.SIGCONT) }()
		missed(t, o, news)
	}()
	if _, err := e.Runs.Discover(t.Context(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	<-goesOn
	staffed(t, e.Engine, o, 2) // it works again
	for _, w := range o.Workers() {
		t.Logf("%+v", w)
		if w.Name == "one" && w.State != view.WorkerLost {
			t.Errorf("the killed worker is %s", w.State)
		}
	}
	same(t, homeOf(t, e.Engine), want)
	mu.Lock()
	defer mu.Unlock()
	if per := e.Set().Crawl.PerHost; most > per+2 { // robots.txt, and what the killed one had begun
		t.Errorf("a host was asked for %d things at once; %d are allowed", most, per)
	}
}
