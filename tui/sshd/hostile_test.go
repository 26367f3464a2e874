package sshd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"angler/crawl/auth"
	"angler/crawl/view"
)

func TestNothingElseCanBeReached(t *testing.T) {
	x := newSite(t, Limits{})
	c := x.attach("zhou") // even an admin
	for _, kind := range []string{"direct-tcpip", "direct-streamlocal@openssh.com", "x11", "auth-agent@openssh.com", "tun@openssh.com", "nonsense"} {
		_, _, err := c.OpenChannel(kind, gossh.Marshal(struct {
			Host string
			Port uint32
			From string
			P2   uint32
		}{"127.0.0.1", 22, "127.0.0.1", 1}))
		var refused *gossh.OpenChannelError
		if !errors.As(err, &refused) || refused.Reason != gossh.UnknownChannelType {
			t.Errorf("channel %s: %v", kind, err)
		}
	}
	for _, kind := range []string{"tcpip-forward", "streamlocal-forward@openssh.com", "cancel-tcpip-forward"} {
		ok, _, err := c.SendRequest(kind, true, gossh.Marshal(struct {
			Host string
			Port uint32
		}{"127.0.0.1", 0}))
		if ok || err != nil {
			t.Errorf("request %s: %v, %v", kind, ok, err)
		}
	}
	for _, kind := range []string{"subsystem", "auth-agent-req@openssh.com", "x11-req", "signal", "break"} {
		s, err := c.NewSession()
		must(t, err)
		ok, err := s.SendRequest(kind, true, gossh.Marshal(struct{ Name string }{"sftp"}))
		if ok || err != nil {
			t.Errorf("session request %s: %v, %v", kind, ok, err)
		}
		s.Close()
	}
	none := "; there are: backup, export, query, search, status, tail, warc, workers"
	for command, said := range map[string]string{"/bin/sh": `unknown command "/bin/sh"` + none, "sh -c id": `unknown command "sh"` + none, "status; id": `unknown command "status;"` + none,
		"scp -t /": none, "export ../../etc/passwd": "usage: export pages|", "status id": "usage: status [--json]", "query -o x": "usage: query [--fields", strings.Repeat("x", 5000): none} {
		out, errs, status := x.runOn(c, command)
		if status != 2 || out != "" || strings.Count(errs, "\n") != 1 || len(errs) > 250 || !strings.Contains(errs, said) {
			t.Errorf("%q: %v, said %q and %q", command, status, out, errs)
		}
	}
	// A shell needs a terminal, and this session has none.
	s, err := c.NewSession()
	must(t, err)
	var errs bytes.Buffer
	s.Stderr = &errs
	must(t, s.Shell())
	if err := s.Wait(); err == nil || !strings.Contains(errs.String(), "needs a terminal") {
		t.Errorf("a session without a terminal: %v, %q", err, errs.String())
	}
}

func TestCommandsForScripts(t *testing.T) {
	x := newCrawledSite(t, Limits{}, nil)
	run := func(who, command string) string {
		t.Helper()
		out, says, status := x.run(who, command)
		if status != 0 {
			t.Fatalf("%s: %v, %s", command, status, says)
		}
		return out
	}
	var st struct {
		State        string         `json:"state"`
		Pages        int            `json:"pages"`
		Aggregations int            `json:"aggregations"`
		Queue        map[string]int `json:"queue"`
		Viewers      []view.Viewer  `json:"viewers"`

		Seen struct {
			Keys, Bits, Hashes int
			Fill               float64
		} `json:"seen_filter"`
	}
	must(t, json.Unmarshal([]byte(run("li", "status --json")), &st))
	n := x.b.Snapshot().Counts
	if st.State != "idle" || st.Pages != n.Pages || st.Pages == 0 || st.Queue["complete"] != n.Complete || st.Viewers == nil {
		t.Errorf("status %+v, counts %+v", st, n)
	}
	if s := st.Seen; s.Keys < n.Complete || s.Bits < 8*s.Keys || s.Hashes != 10 || s.Fill <= 0 || s.Fill > .5 {
		t.Errorf("the seen filter of %d URLs: %+v", n.Complete+n.Waiting, s)
	}
	if line := run("li", "status"); !strings.Contains(line, "idle") || strings.Count(line, "\n") != 1 {
		t.Errorf("status says %q", line)
	}
	rows := strings.Count(run("li", "export pages"), "\n")
	if rows != n.Pages {
		t.Errorf("%d pages were exported of %d", rows, n.Pages)
	}
	run("li", "search 深海钻井平台")
	if got := run("wang", "search --unanswered"); !strings.Contains(got, "深海钻井平台") || !strings.Contains(got, "li") {
		t.Errorf("a request without an answer: %q", got)
	}
	for _, command := range []string{`search 显微镜 "unclosed`, `query 显微镜 "unclosed`, `export notices --filter 显微镜 "unclosed`} {
		if out, said, status := x.run("li", command); status == 0 || out != "" || !strings.Contains(said, `a quote is not closed: 显微镜 "unclosed`) {
			t.Errorf("%s: %v, %q", command, status, said)
		}
	}
}

func TestTail(t *testing.T) {
	x := newSite(t, Limits{})
	s, err := x.attach("li").NewSession()
	must(t, err)
	out, err := s.StdoutPipe()
	must(t, err)
	must(t, s.Start("tail"))
	if _, err := x.b.As(auth.Actor{Name: "wang", Role: auth.Owner}).Topic.AddSample(context.Background(), x.b.TenderLists(1)[0], ""); err != nil {
		t.Fatal(err)
	}
	sc := bufio.NewScanner(out)
	seq := uint64(0)
	for found := false; !found; {
		if !sc.Scan() {
			t.Fatal("the tail ended")
		}
		var ev view.Event
		if err := json.Unmarshal(sc.Bytes(), &ev); err != nil {
			t.Fatalf("%q: %v", sc.Text(), err)
		}
		if ev.Seq <= seq {
			t.Errorf("event %d came after %d", ev.Seq, seq)
		}
		seq = ev.Seq
		found = ev.By == "wang" && strings.HasPrefix(ev.What.String(), "sample ")
	}
	s.Close()
	waitFor(t, "the tail's session is over", func() bool { return x.sessions() == 0 })
}

func TestTooManySessions(t *testing.T) {
	x := newSite(t, Limits{Sessions: 2})
	c := x.attach("wang")
	x.workbench(c, 80, 24).sees("help")
	x.workbench(c, 80, 24).sees("help")
	refusedSession(t, x.attach("li"), "try again later")
}

func TestIdleWorkbenchIsEnded(t *testing.T) {
	const idle = 24 * time.Hour
	x := newStoodSite(t, Limits{Idle: idle})
	w := x.workbench(x.attach("li"), 80, 24)
	w.samples()
	x.clock.pass(idle - time.Second)
	w.press("5")
	w.sees("[5 Harvest]")
	x.clock.pass(idle - time.Second) // since the key, which restarted the time
	w.press("4")
	w.sees("[4 Crawl]")
	w.out.Reset()
	x.clock.pass(idle)
	<-w.over
	if got := w.out.String(); !strings.Contains(got, "attach again") || !strings.Contains(got, "\x1b[?1049l") {
		t.Errorf("the last words are %q", got)
	}
}

func TestConnectionsWithoutASessionAreClosed(t *testing.T) {
	const login = 20 * time.Second
	x := newStoodSite(t, Limits{Login: login})
	waits := func(n int) { // the number of running login timers
		t.Helper()
		waitFor(t, "the time runs", func() bool { return x.clock.due(login) == n })
	}
	silent, err := net.Dial("tcp", x.addr) // never authenticates
	must(t, err)
	defer silent.Close()
	waits(1)
	x.clock.pass(login)
	_, _ = io.Copy(io.Discard, silent) // ends when the server closes it

	c := x.attach("li") // opens no channel
	waits(1)
	x.clock.pass(login)
	_ = c.Wait()

	c = x.attach("li")
	_, err = c.NewSession() // a channel without a request
	must(t, err)
	waitFor(t, "the time of the channel runs, not that of the connection", func() bool {
		sessions := 0
		x.s.mu.Lock()
		defer x.s.mu.Unlock()
		for open := range x.s.conns {
			open.mu.Lock()
			sessions += open.sessions
			open.mu.Unlock()
		}
		return sessions == 1 && x.clock.due(login) == 1
	})
	x.clock.pass(login)
	waits(1) // the channel is closed, so the connection has no session
	x.clock.pass(login)
	_ = c.Wait()
	waitFor(t, "no connection is left", func() bool { return x.conns() == 0 })
}

// stopping is a connection whose client can stop reading.
type stopping struct {
	net.Conn
	stop chan struct{} // closed: nothing is read any more
}

// Read returns nothing after the client has stopped, not even the current read: like a stopped
// process, it never returns.
func (s *stopping) Read(p []byte) (int, error) {
	n, err := s.Conn.Read(p)
	select {
	case <-s.stop:
		select {}
	default:
		return n, err
	}
}

// stalled attaches a workbench whose client stops reading, and fills the line until full reports
// true; by default, until a write of the server waits. The returned function fills it again: on a
// busy machine the line may get room later.
func (x *site) stalled(name string, full func() bool) (fill func()) {
	x.t.Helper()
	nc, err := net.Dial("tcp", x.addr)
	must(x.t, err)
	nc.(*net.TCPConn).SetReadBuffer(4096)
	st := &stopping{nc, make(chan struct{})}
	client, err := x.clientOn(st, x.keys[name])
	must(x.t, err)
	w := x.workbench(client, 500, 250)
	w.samples()
	close(st.stop)
	if full == nil {
		full = func() bool { return x.s.stuck() > 0 }
	}
	fill = func() { _, _ = io.WriteString(w.in, "\x0c") } // draw all again
	waitFor(x.t, "a line that is full", func() bool {
		fill()
		return full()
	})
	return fill
}

func TestStalledClientSlowsNobody(t *testing.T) {
	x := newCrawledSite(t, Limits{Stall: time.Hour, Bytes: 50 << 20}, nil)
	fill := x.stalled("li", nil)
	live := x.workbench(x.attach("wang"), 80, 24)
	live.samples()
	stuck := func() bool { fill(); return x.s.stuck() == 1 }
	waitFor(t, "the stalled client's write waits", stuck)
	first := x.b.Snapshot().Seq
	for i := range 200 { // a publish that waits for a client would not return
		e := x.b.As(auth.Actor{Name: fmt.Sprintf("zhou%d", i), Role: auth.Owner})
		e.Attend()() // publishes twice
	}
	if last := x.b.Snapshot().Seq; last < first+400 {
		t.Errorf("%d snapshots were published, want 400 at least", last-first)
	}
	live.press("5")
	live.sees("[5 Harvest]")
	waitFor(t, "the stalled client's write waits, and no other", stuck)
}

func TestStalledClientIsDropped(t *testing.T) {
	// The server checks only when its clock says so: after the client has stopped.
	x := newStoodSite(t, Limits{Stall: 50 * time.Millisecond, Bytes: 50 << 20})
	x.stalled("li", func() bool {
		x.clock.pass(recheck)
		return strings.Contains(x.log.String(), "reads nothing")
	})
	waitFor(t, "no viewer is attached", func() bool { return len(x.b.Snapshot().Viewers) == 0 })
}

func TestEndWithSessionsAttached(t *testing.T) {
	x := newCrawledSite(t, Limits{Bytes: 10 << 20, Leave: time.Hour}, newClock())
	w, v := x.workbench(x.attach("wang"), 120, 40), x.workbench(x.attach("li"), 80, 24)
	w.samples()
	v.samples()
	x.stalled("li", nil)
	silent, err := net.Dial("tcp", x.addr)
	must(t, err)
	defer silent.Close()
	must(t, x.b.Runs.StartDiscovery())
	x.cancel()
	for _, w := range []*personsTerminal{w, v} {
		<-w.over // while the stalled client still has time to leave
		if got := w.out.String(); !strings.Contains(got, "server is ending") || !strings.Contains(got, "\x1b[?1049l") {
			t.Errorf("the last words are %q", got)
		}
	}
	x.stop() // waiting for the stalled or silent client would block here
	if err := x.b.Close(); err != nil {
		t.Error(err)
	}
}

func TestConnectsLeaveNothingBehind(t *testing.T) {
	x := newCrawledSite(t, Limits{}, nil)
	// The first viewer's ranking of the stored frontier is kept for the next ones.
	if _, err := x.b.Survey.Queue(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	visit := func(i int) {
		c, err := x.dial(x.keys["wang"])
		must(t, err)
		w := x.workbench(c, 120, 40)
		waitFor(t, "a frame", func() bool { return w.out.Count() > 500 })
		switch i % 3 {
		case 0:
			w.press("q")
			<-w.over
		case 1: // in the middle of a frame
			w.press("2345")
		}
		c.Close()
	}
	quiet := func() bool {
		x.s.mu.Lock()
		defer x.s.mu.Unlock()
		return len(x.s.open) == 0 && len(x.s.conns) == 0 && len(x.b.Snapshot().Viewers) == 0
	}
	fds := func() int { list, _ := os.ReadDir("/proc/self/fd"); return len(list) }
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for i := range 5 {
		visit(i)
	}
	waitFor(t, "the first are gone", quiet)
	goroutines, files, bytes := runtime.NumGoroutine(), fds(), heap()
	for i := range visits {
		visit(i)
	}
	waitFor(t, "all are gone", quiet)
	waitFor(t, fmt.Sprintf("as many goroutines as before (%d)", goroutines), func() bool { return runtime.NumGoroutine() <= goroutines })
	// Files that the engine opens once do not count for a visit.
	waitFor(t, fmt.Sprintf("few more descriptors than before (%d)", files), func() bool { return fds() <= files+visits/4 })
	if n := heap(); n > bytes+(4<<20) {
		t.Errorf("the heap grew from %d to %d KB", bytes>>10, n>>10)
	} else {
		t.Logf("heap %d KB → %d KB, %d goroutines, %d descriptors", bytes>>10, n>>10, runtime.NumGoroutine(), fds())
	}
}

// Exports without a reader keep their memory: they are bounded for one key and in all, and one that
// ends makes room.
func TestTooManyExports(t *testing.T) {
	x := newCrawledSite(t, Limits{}, nil)
	export := func(name string) (string, int) {
		rows, says, status := x.run(name, "export pages")
		if status == 0 && rows == "" {
			t.Errorf("%s got no rows", name)
		}
		return says, status
	}
	var ends []func()
	for _, name := range []string{"li", "li", "wang", "wang"} {
		end, err := x.s.export(string(x.keys[name].PublicKey().Marshal()))
		must(t, err)
		ends = append(ends, end)
	}
	for _, name := range []string{"li", "zhou"} {
		if says, status := export(name); status != 1 || !strings.Contains(says, "too many exports") {
			t.Errorf("%s: %v, %q", name, status, says)
		}
	}
	ends[2]() // one of wang's
	if says, status := export("li"); status == 0 {
		t.Errorf("li has three exports: %q", says)
	}
	if says, status := export("zhou"); status != 0 {
		t.Errorf("there is no room: %v, %q", status, says)
	}
	waitFor(t, "it is over", func() bool { x.s.mu.Lock(); defer x.s.mu.Unlock(); return len(x.s.exports) == 2 })
}
