//go:build heavy

package workers_test

import (
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"angler/crawl/run"
	"angler/crawl/view"
	"angler/crawl/webtest"
	"angler/crawl/workers"
)

// cluster starts three servers, each a process, and returns their addresses.
func cluster(t *testing.T) (addresses []string, nodes map[string]*exec.Cmd) {
	t.Helper()
	free := freeAddresses(t, 6)
	nodes = map[string]*exec.Cmd{}
	routes := "nats-route://" + strings.Join(free[3:], ", nats-route://")
	for i, listen := range free[:3] {
		name := fmt.Sprint("n", i)
		nodes[name] = natsServer(t, name, listen, fmt.Sprintf("cluster { name: c, listen: %q, routes: [%s] }", free[3+i], routes))()
		addresses = append(addresses, "nats://"+listen)
	}
	return addresses, nodes
}

// Of a cluster of three outside servers one is killed, the one that the owner talks to.
func TestAServerOfAClusterDies(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole crawl by several processes")
	}
	want := alone()(t)
	addresses, nodes := cluster(t)
	e := open(t)
	all := strings.Join(addresses, ",")
	conn, err := nats.Connect(all, nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond))
	must(t, err)
	t.Cleanup(conn.Close)
	var o *workers.Owner
	for { // until the three have agreed on who leads
		if o, err = e.Machines.Employ(t.Context(), conn, 3); err == nil {
			break
		}
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if err := e.Engine.Close(); err != nil {
			t.Error(err)
		}
	})
	var n atomic.Int64
	reached := make(chan struct{})
	e.Server().Fail(func(*http.Request, int) webtest.Fault {
		if n.Add(1) == 500 {
			close(reached)
		}
		return webtest.Fault{}
	})
	for _, name := range []string{"one", "two"} {
		begin(t, child{Server: all, Proxy: e.Server().ProxyURL().String(), Name: name, Slots: 4})
	}
	staffed(t, e.Engine, o, 2)
	go func() {
		<-reached
		_ = nodes[conn.ConnectedServerName()].Process.Kill()
	}()
	if _, err := e.Runs.Discover(t.Context(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	select {
	case <-reached:
	default:
		t.Error("no server was killed")
	}
	for _, w := range o.Workers() {
		t.Logf("%+v", w)
	}
	same(t, homeOf(t, e.Engine), want)
}

// relay stands between a worker and its server, and can keep back what goes through.
type relay struct {
	net.Listener
	mu   sync.Mutex
	held chan struct{} // closed = everything passes
}

func newRelay(t *testing.T, to string) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	r := &relay{Listener: l, held: make(chan struct{})}
	close(r.held)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				near.Close()
				continue
			}
			go r.pass(near, far)
			go r.pass(far, near)
		}
	}()
	return r
}

func (r *relay) pass(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	b := make([]byte, 32<<10)
	for {
		n, err := from.Read(b)
		r.mu.Lock()
		held := r.held
		r.mu.Unlock()
		<-held
		if err != nil {
			return
		}
		if _, err := to.Write(b[:n]); err != nil {
			return
		}
	}
}

// cut keeps everything back until heal is called.
func (r *relay) cut() (heal func()) {
	held := make(chan struct{})
	r.mu.Lock()
	r.held = held
	r.mu.Unlock()
	return sync.OnceFunc(func() { close(held) })
}

// missed waits until all workers but one are silent for workers.Gone, and for as many
// seconds as ANGLER_TEST_AWAY says.
func missed(t *testing.T, o *workers.Owner, news <-chan *view.Snapshot) {
	least := time.After(time.Duration(number(t, "ANGLER_TEST_AWAY", 0)) * time.Second)
	for working(o) > 1 || least != nil {
		select {
		case <-news:
		case <-least:
			least = nil
		case <-t.Context().Done():
			return
		}
	}
}

// A worker that is cut off for a while loses nothing, and works again when it is back.
//
//	ANGLER_TEST_AWAY=60 go test -tags heavy ./crawl/workers -run 'APartition|StandStill' -timeout 10m -v
func TestAPartitionHeals(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole crawl by several processes")
	}
	want := alone()(t)
	e := open(t)
	b, o := employ(t, e.Engine)
	r := newRelay(t, b.Addr())
	var n atomic.Int64
	cut := make(chan struct{})
	e.Server().Fail(func(*http.Request, int) webtest.Fault {
		if n.Add(1) == 400 {
			close(cut)
		}
		return webtest.Fault{}
	})
	begin(t, child{Server: "nats://" + b.Addr(), Invitation: b.Invitation().String(), Proxy: e.Server().ProxyURL().String(), Name: "near", Slots: 4})
	begin(t, child{Server: "nats://" + r.Addr().String(), Invitation: b.Invitation().String(), Proxy: e.Server().ProxyURL().String(), Name: "far", Slots: 4})
	staffed(t, e.Engine, o, 2)
	news, end := e.Subscribe()
	defer end()
	healed := make(chan struct{})
	go func() {
		defer close(healed)
		<-cut
		heal := r.cut()
		defer heal()
		missed(t, o, news)
	}()
	if _, err := e.Runs.Discover(t.Context(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	<-healed
	staffed(t, e.Engine, o, 2) // it is back
	same(t, homeOf(t, e.Engine), want)
}
