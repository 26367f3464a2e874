//go:build heavy

package workers_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"angler/crawl"
	"angler/crawl/run"
	"angler/crawl/webtest"
	"angler/crawl/workers"
	"angler/store"
	"angler/store/config"
)

// This file is crawls of which every part is a process of its own: the owner, its workers,
// and the server between them, which is the program of the NATS project.

// leadVar turns the test program into an owner that crawls until nothing is left; its value
// is a lead as JSON.
const leadVar = "ANGLER_TEST_OWNER"

func init() { roles[leadVar] = leadTheCrawl }

type lead struct{ Dir, Server, Web string } // without a Server it has no workers

func leadTheCrawl(v string) error {
	var l lead
	if err := json.Unmarshal([]byte(v), &l); err != nil {
		return err
	}
	e, err := crawl.Open(context.Background(), l.Dir, crawl.Options{Dial: webtest.DialTo(l.Web)})
	if err != nil {
		return err
	}
	if l.Server != "" {
		conn, err := nats.Connect(l.Server, nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond))
		if err != nil {
			return err
		}
		defer conn.Close()
		for { // the server may be away
			if _, err = e.Machines.Employ(context.Background(), conn, 1); err == nil {
				break
			}
		}
	}
	_, err = e.Runs.Discover(context.Background(), run.Options{})
	return errors.Join(err, e.Close())
}

// natsProgram is the server of the NATS project: the one that ANGLER_NATS names, or else
// built from its module.
var natsProgram = sync.OnceValues(func() (string, error) {
	if path := os.Getenv("ANGLER_NATS"); path != "" {
		return path, nil
	}
	path := filepath.Join(os.TempDir(), "angler-nats-"+strconv.Itoa(os.Getpid()))
	leftovers = append(leftovers, path)
	out, err := exec.Command("go", "build", "-o", path, "github.com/nats-io/nats-server/v2").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

// workVar turns the test program into a worker until its standard input ends; its value is
// a child as JSON.
const workVar = "ANGLER_TEST_WORKER"

func init() { roles[workVar] = workUntilInputEnds }

func workUntilInputEnds(v string) error {
	var c child
	if err := json.Unmarshal([]byte(v), &c); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	return work(ctx, c, workers.LogTo(os.Stderr, c.Name))
}

// begin starts a worker as a process of its own.
func begin(t *testing.T, c child) *exec.Cmd {
	t.Helper()
	v, err := json.Marshal(c)
	must(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), workVar+"="+string(v)), os.Stderr
	in, err := cmd.StdinPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait() // some tests kill it
		if cmd.ProcessState.ExitCode() == 2 {
			t.Errorf("the worker %s has panicked", c.Name)
		}
	})
	return cmd
}

// freeAddresses are loopback addresses without a listener.
func freeAddresses(t *testing.T, n int) (out []string) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		must(t, err)
		defer l.Close() // after all have one
		out = append(out, l.Addr().String())
	}
	return out
}

// natsServer is how a server is started, again, too: it keeps its address and its folder.
func natsServer(t *testing.T, name, listen string, cluster string) func() *exec.Cmd {
	t.Helper()
	program, err := natsProgram()
	must(t, err)
	dir := t.TempDir()
	file := filepath.Join(dir, "nats.conf")
	must(t, os.WriteFile(file, fmt.Appendf(nil, "server_name: %s\nlisten: %q\nmax_payload: 8MB\njetstream { store_dir: %q }\n%s\n", name, listen, dir, cluster), 0o600))
	return func() *exec.Cmd { return process(t, program, nil, "-c", file, "-l", filepath.Join(dir, "log")) }
}

// process starts a program, and ends it with the test.
func process(t *testing.T, program string, env []string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(program, args...)
	c.Env, c.Stderr = append(os.Environ(), env...), os.Stderr
	must(t, c.Start())
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait() // some were waited for
	})
	return c
}

func variable(t *testing.T, name string, v any) []string {
	t.Helper()
	b, err := json.Marshal(v)
	must(t, err)
	return []string{name + "=" + string(b)}
}

// sites are a generated web, and what it was asked for.
type sites struct {
	*webtest.Server
	web   *webtest.Web
	delay time.Duration

	mu      sync.Mutex
	pages   int
	busy    map[string]int       // pages that a host is asked for now
	last    map[string]time.Time // when it was asked last
	most    int                  // pages that a host was asked for at once
	early   int                  // requests that came before the delay of their host was over
	reached func(pages int)      // at every page that is asked for
}

func newSites(t *testing.T, pages int, delay time.Duration) *sites {
	t.Helper()
	web, err := webtest.Demo(webtest.Options{Pages: pages, Hosts: max(6, pages/200)})
	must(t, err)
	s := &sites{web: web, delay: delay, busy: map[string]int{}, last: map[string]time.Time{}, reached: func(int) {}}
	if s.Server, err = webtest.Serve(web); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	s.Fail(s.asked)
	return s
}

func (s *sites) asked(r *http.Request, _ int) webtest.Fault {
	if r.URL.Path == "/robots.txt" {
		return webtest.Fault{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if last, before := s.last[r.Host]; before && now.Sub(last) < s.delay {
		s.early++
	}
	s.last[r.Host] = now
	s.busy[r.Host]++
	s.most = max(s.most, s.busy[r.Host])
	s.pages++
	s.reached(s.pages)
	context.AfterFunc(r.Context(), func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.busy[r.Host]--
	})
	return webtest.Fault{}
}

// workspace makes a workspace for the sites, with samples.
func (s *sites) workspace(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "ws")
	set := config.Default()
	set.Seeds = s.web.Seeds()
	set.Crawl.Delay, set.Crawl.Depth = config.Duration(s.delay), 50
	must(t, store.Create(dir, set))
	e := s.open(t, dir)
	sampleLists(t, e, s.web)
	must(t, e.Close())
	return dir
}

func (s *sites) open(t *testing.T, dir string) *crawl.Engine {
	t.Helper()
	e, err := crawl.Open(t.Context(), dir, crawl.Options{Dial: webtest.DialTo(s.Addr)})
	must(t, err)
	return e
}

// home is what the workspace in a folder has.
func (s *sites) home(t *testing.T, dir string) home {
	t.Helper()
	e := s.open(t, dir)
	must(t, e.Words(t.Context()))
	h := homeOf(t, e)
	must(t, e.Close())
	return h
}

// alone is what one process brings home, without any worker.
func (s *sites) alone(t *testing.T) home {
	t.Helper()
	dir := s.workspace(t)
	begun := time.Now()
	c := process(t, os.Args[0], variable(t, leadVar, lead{Dir: dir, Web: s.Addr}))
	must(t, c.Wait())
	took := time.Since(begun)
	h := s.home(t, dir)
	h.cost(t, "alone", c, took)
	return h
}

// cost says what a crawl cost the process that led it.
func (h *home) cost(t *testing.T, who string, c *exec.Cmd, took time.Duration) {
	used := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	t.Logf("%s: %s, %s of processor a page", who, took.Round(time.Second), (used / time.Duration(len(h.pages))).Round(time.Microsecond))
}

// number is what a variable of the environment says, or what it is by default.
func number(t *testing.T, name string, normal int) int {
	t.Helper()
	v := os.Getenv(name)
	if v == "" {
		return normal
	}
	n, err := strconv.Atoi(v)
	must(t, err)
	return n
}

// team is the processes of a crawl.
type team struct {
	t       *testing.T
	sites   *sites
	address string // of the server
	begin   func() *exec.Cmd
	server  *exec.Cmd
	workers map[string]*exec.Cmd
	lead    lead
	owner   *exec.Cmd
}

func newTeam(t *testing.T, s *sites, dir string, workers ...string) *team {
	t.Helper()
	address := freeAddresses(t, 1)[0]
	x := &team{t: t, sites: s, address: "nats://" + address, begin: natsServer(t, "one", address, ""), workers: map[string]*exec.Cmd{}}
	x.lead = lead{Dir: dir, Server: x.address, Web: s.Addr}
	x.server = x.begin()
	for _, name := range workers {
		x.work(name)
	}
	x.owner = process(t, os.Args[0], variable(t, leadVar, x.lead))
	return x
}

func (x *team) work(name string) {
	x.workers[name] = begin(x.t, child{Server: x.address, Proxy: x.sites.ProxyURL().String(), Name: name, Slots: 8})
}

// kill kills a process and begins it anew.
func (x *team) kill(who string) {
	switch who {
	case "owner":
		_ = x.owner.Process.Kill()
		_ = x.owner.Wait()
		x.owner = process(x.t, os.Args[0], variable(x.t, leadVar, x.lead))
	case "server":
		_ = x.server.Process.Kill()
		_ = x.server.Wait()
		x.server = x.begin()
	default:
		_ = x.workers[who].Process.Kill()
		_ = x.workers[who].Wait()
		x.work(who)
	}
}

// An owner, two workers and a server, each a process, bring home what one process does.
//
//	ANGLER_TEST_PAGES=20000 go test -tags heavy ./crawl/workers -run EveryPartIsAProcess -timeout 30m -v
func TestEveryPartIsAProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole crawl by several processes")
	}
	s := newSites(t, number(t, "ANGLER_TEST_PAGES", 1200), 0)
	want := s.alone(t)
	dir := s.workspace(t)
	before := s.pages
	begun := time.Now()
	x := newTeam(t, s, dir, "one", "two")
	must(t, x.owner.Wait())
	took := time.Since(begun)
	got := s.home(t, dir)
	got.cost(t, "owner of two workers", x.owner, took)
	s.mu.Lock()
	defer s.mu.Unlock()
	t.Logf("%d pages, %d lists, %d notices, %d requests; alone %d pages, %d requests", len(got.pages), len(got.lists), len(got.notices), s.pages-before, len(want.pages), before)
	same(t, got, want)
}

// Workers, owner and server are killed one after the other, and begun anew: nothing is lost
// and nothing comes twice, and no host is asked more often than it should.
//
//	ANGLER_TEST_KILLS=20 ANGLER_TEST_PAGES=4000 go test -tags heavy ./crawl/workers -run WhateverIsKilled -timeout 30m -v
func TestWhateverIsKilledNothingIsLost(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole crawl by several processes")
	}
	kills := number(t, "ANGLER_TEST_KILLS", 4)
	s := newSites(t, number(t, "ANGLER_TEST_PAGES", 1200), 20*time.Millisecond)
	want := s.alone(t)
	dir := s.workspace(t)
	s.mu.Lock()
	first := s.pages
	s.most, s.early = 0, 0
	due := make(chan struct{}, kills)
	given := 0
	s.reached = func(pages int) {
		if given < kills && pages-first >= (given+1)*len(want.pages)/(kills+1) {
			given++
			due <- struct{}{}
		}
	}
	s.mu.Unlock()
	x := newTeam(t, s, dir, "one", "two")
	for i := range kills {
		<-due
		x.kill([]string{"one", "server", "two", "owner"}[i%4])
	}
	must(t, x.owner.Wait())
	got := s.home(t, dir)
	s.mu.Lock()
	defer s.mu.Unlock()
	t.Logf("%d kills, %d pages, %d requests; alone %d pages, %d requests; at most %d at once, %d early", given, len(got.pages), s.pages-first, len(want.pages), first, s.most, s.early)
	same(t, got, want)
	// What was under way when a process was killed may be asked for again at once.
	if per := config.Default().Crawl.PerHost; s.most > per+1 || s.early > kills*maxUnderway {
		t.Errorf("a host was asked for %d pages at once, and %d times too early", s.most, s.early)
	}
}

// maxUnderway is how many pages both workers and the owner ask for at once.
const maxUnderway = 2*8 + 32
