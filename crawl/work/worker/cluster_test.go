package worker_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"angler/crawl/run"
	"angler/crawl/webtest"
	"angler/crawl/work/owner"
)

// nodeVar turns the test program into a server of a cluster until its standard input ends;
// its value is a node as JSON.
const nodeVar = "ANGLER_TEST_NODE"

type node struct {
	Name, Dir, Listen, Routes string
	Port                      int // of the cluster
}

func serveNode(v string) error {
	var n node
	if err := json.Unmarshal([]byte(v), &n); err != nil {
		return err
	}
	var routes []*url.URL
	for r := range strings.SplitSeq(n.Routes, ",") {
		u, err := url.Parse(r)
		if err != nil {
			return err
		}
		routes = append(routes, u)
	}
	s, err := server.NewServer(&server.Options{ServerName: n.Name, Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, MaxPayload: 8 << 20,
		JetStream: true, StoreDir: n.Dir, Routes: routes, Cluster: server.ClusterOpts{Name: "c", Host: "127.0.0.1", Port: n.Port}})
	if err != nil {
		return err
	}
	s.Start()
	if !s.ReadyForConnections(time.Minute) {
		return fmt.Errorf("%s does not come up", n.Name)
	}
	fmt.Println(s.ClientURL())
	_, _ = io.Copy(io.Discard, os.Stdin)
	s.Shutdown()
	s.WaitForShutdown()
	return nil
}

// cluster starts three servers, each a process, and returns their addresses.
func cluster(t *testing.T) (addresses []string, nodes map[string]*exec.Cmd) {
	t.Helper()
	var ports []int
	var routes []string
	for range 3 { // free ones, which the others must know
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
		routes = append(routes, "nats-route://"+l.Addr().String())
		l.Close()
	}
	nodes = map[string]*exec.Cmd{}
	for i, port := range ports {
		n := node{Name: fmt.Sprint("n", i), Dir: t.TempDir(), Port: port, Routes: strings.Join(routes, ",")}
		v, err := json.Marshal(n)
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command(os.Args[0])
		c.Env, c.Stderr = append(os.Environ(), nodeVar+"="+string(v)), os.Stderr
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			in.Close()
			_ = c.Wait() // one of them is killed
		})
		var address string
		if _, err := fmt.Fscanln(out, &address); err != nil {
			t.Fatal(err)
		}
		addresses, nodes[n.Name] = append(addresses, address), c
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
	conn, err := nats.Connect(all, nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	var o *owner.Owner
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
	same(t, homeOf(t, e), want)
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
	if err != nil {
		t.Fatal(err)
	}
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

// A worker that is cut off for a while loses nothing, and works again when it is back.
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
		for working(o) > 1 { // until nobody has heard of it for queue.Gone
			select {
			case <-news:
			case <-t.Context().Done():
				return
			}
		}
	}()
	if _, err := e.Runs.Discover(t.Context(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	<-healed
	staffed(t, e.Engine, o, 2) // it is back
	same(t, homeOf(t, e), want)
}
