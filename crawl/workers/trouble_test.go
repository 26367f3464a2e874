package workers_test

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"angler/crawl/fetch"
	"angler/crawl/view"
	"angler/crawl/workers"
	"angler/store/config"
)

// This file is what goes wrong between owner and worker: pages that are too long, what is
// no job, and an invitation that was withdrawn.

// longPage is how many MB the page of TestALongPage has, which do not pack; more than a
// message holds.
func longPage(t *testing.T) int {
	v := os.Getenv("ANGLER_TEST_LONG")
	if v == "" {
		return 9
	}
	n, err := strconv.Atoi(v)
	must(t, err)
	return n
}

// A page that is too long for a message is asked for by the owner, after the pause of its
// host, and a worker that had it works on.
//
//	ANGLER_TEST_LONG=200 go test ./crawl/workers -run ALongPage -timeout 5m -v
func TestALongPageIsLeftToTheOwner(t *testing.T) {
	size := longPage(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.Host {
		case "long.test":
			_, _ = io.CopyN(w, noise{rand.NewPCG(1, 2)}, int64(size)<<20)
		case "a.test":
			fmt.Fprint(w, "<p>hello")
		}
	}))
	t.Cleanup(site.Close)
	r := newRig(t, func(s *config.Settings) {
		s.Crawl.AllowPrivate, s.Crawl.IgnoreRobots, s.Crawl.MaxBodyMB, s.Crawl.Delay = true, true, 1024, config.Duration(50*time.Millisecond)
	})
	over := r.works(t, site)
	began := time.Now()
	b := <-r.asks("long.test")
	if b.err != nil || b.Response.Status != 299 || b.Stored == nil || r.here.done != 1 {
		t.Fatalf("the page was not asked for here: %+v", b)
	}
	if took := time.Since(began); took < 50*time.Millisecond {
		t.Errorf("the host had no pause: %s", took)
	}
	b.Stored()
	if b := <-r.asks("a.test"); b.err != nil || b.Response.Status != 200 || string(b.Response.Body) != "<p>hello" {
		t.Errorf("the next page: %+v", b)
	} else {
		b.Stored()
	}
	for r.left(t, workers.JobStream) > 0 { // until both are acknowledged
	}
	for _, w := range r.Workers() {
		t.Logf("%+v", w)
		if w.Done != 2 || w.Bad+w.Late > 0 || len(w.Failed) > 0 {
			t.Errorf("the worker is %+v", w)
		}
	}
	must(t, r.Set("real", view.WorkerStops))
	over <- <-over
}

// noise is bytes that do not pack.
type noise struct{ *rand.PCG }

func (n noise) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(n.Uint64())
	}
	return len(b), nil
}

// A peer that announces a message of 200 MB is refused before it has come;
// others work on.
func TestAMessageBeyondAllBounds(t *testing.T) {
	r := newRig(t)
	c := r.joins(t, "good")
	plain, err := net.Dial("tcp", strings.TrimPrefix(r.conn.ConnectedUrl(), "nats://"))
	must(t, err)
	t.Cleanup(func() { plain.Close() })
	for b := []byte{0}; b[0] != '\n'; { // what the server says of itself, before TLS begins
		if _, err := io.ReadFull(plain, b); err != nil {
			t.Fatal(err)
		}
	}
	conn := tls.Client(plain, &tls.Config{InsecureSkipVerify: true})
	fmt.Fprintf(conn, "CONNECT {\"user\":%q,\"pass\":%q,\"verbose\":false}\r\nPUB %s %d\r\n", workers.WorkerUser, r.access.Token, workers.ResultSubject("bad"), 200<<20)
	said, err := io.ReadAll(io.LimitReader(conn, 1<<20)) // until the server ends it
	if err != nil || !strings.Contains(string(said), "Maximum Payload") {
		t.Errorf("the server said %.300q, %v", said, err)
	}
	done := r.asks("a.test")
	m, j := job(t, c)
	r.answers(t, "good", m, j)
	if b := <-done; b.err != nil || b.Response.Status != 200 {
		t.Errorf("another worker's page: %+v", b)
	} else {
		b.Stored()
	}
}

// What is no job is taken from the queue once and told; the worker works on.
func TestGarbageAmongTheJobs(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<p>hello") }))
	t.Cleanup(site.Close)
	r := newRig(t, func(s *config.Settings) { s.Crawl.AllowPrivate, s.Crawl.IgnoreRobots = true, true })
	over := r.works(t, site)
	for _, b := range []string{"", "garbage", strings.Repeat("\xff", 1<<20)} {
		if _, err := r.js.Publish(t.Context(), workers.JobSubject("real"), []byte(b)); err != nil {
			t.Fatal(err)
		}
	}
	for _, subject := range []string{workers.ResultSubject("real"), workers.ResultSubject("nobody"), "$KV." + workers.WorkerTable + ".real"} {
		must(t, r.conn.Publish(subject, []byte("garbage")))
	}
	if b := <-r.asks("a.test"); b.err != nil || b.Response.Status != 200 || b.Stored == nil {
		t.Fatalf("the page after it: %+v", b)
	} else {
		b.Stored()
	}
	for r.left(t, workers.JobStream) > 0 {
	}
	if w := r.Workers(); len(w) != 1 || w[0].Bad != 1 || w[0].Done != 1 {
		t.Errorf("the workers are %+v", w)
	}
	for told := false; !told; { // with its next beat
		for _, e := range r.Workers()[0].Errors {
			told = told || strings.Contains(e.What, "a job cannot be read")
		}
		if t.Context().Err() != nil {
			t.Fatal("no event names the garbage")
		}
	}
	must(t, r.Set("real", view.WorkerStops))
	over <- <-over
}

// Workers end with the reason when their invitations are withdrawn while the server runs;
// the owner stays connected, and a new invitation opens.
func TestAnInvitationThatWasWithdrawn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b, err := workers.StartBroker(dir, "127.0.0.1:0")
	must(t, err)
	t.Cleanup(b.Close)
	own, err := b.Connect()
	must(t, err)
	defer own.Close()
	address, old := b.Addr(), b.Invitation()
	over := make(chan error)
	invitations := []workers.WorkerAccess{old, old.For("two")}
	for _, a := range invitations {
		conn, err := nats.Connect("nats://"+address, append(a.Options(), nats.MaxReconnects(-1), nats.ReconnectWait(10*time.Millisecond))...)
		must(t, err)
		defer conn.Close()
		go func() {
			over <- workers.RunWorker(t.Context(), workers.WorkerConfig{Conn: conn, Name: cmp.Or(a.Worker, "one"), Slots: 2, Note: t.Logf})
		}()
	}
	must(t, workers.WithdrawInvitation(dir))
	for range invitations {
		if err := <-over; !errors.Is(err, workers.ErrRefused) || !strings.Contains(err.Error(), "its invitation was withdrawn") {
			t.Errorf("it ended with %v", err)
		}
	}
	if own.Stats().Reconnects != 0 || !own.IsConnected() {
		t.Error("the owner was cut off, too")
	}
	if _, err := nats.Connect("nats://"+address, old.Options()...); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("the old invitation: %v", err)
	}
	again, err := nats.Connect("nats://"+address, b.Invitation().Options()...)
	if err != nil {
		t.Fatalf("the new one: %v", err)
	}
	again.Close()
}

// A worker without a network is not believed: what it does not reach is asked for here,
// and after some hosts it rests. What is pinned to its tag only it can reach.
func TestAWorkerThatReachesNothingRests(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(s *config.Settings) { s.Host = map[string]config.Host{"lan.test": {Worker: "lan"}} })
	c := r.joins(t, "one", "lan")
	lost := func(host string) end {
		done := r.asks(host)
		m, j := job(t, c)
		x := &workers.JobResult{Lease: j.Lease, Receipt: m.Reply(), Failed: (&fetch.Error{Kind: fetch.DNS, URL: j.Request.URL, Err: errors.New("no resolver")}).Report()}
		must(t, r.conn.Publish(workers.ResultSubject("one"), x.Encode()))
		b := <-done
		b.Stored()
		return b
	}
	if b := lost("lan.test"); b.err == nil || r.here.done != 0 {
		t.Fatalf("a pinned host was asked here: %+v", b)
	}
	for i := range 4 {
		if b := lost(fmt.Sprintf("%d.test", i)); b.err != nil || b.Response.Status != 299 {
			t.Fatalf("host %d was not asked here: %+v", i, b)
		}
	}
	if joined, note := <-r.notes, <-r.notes; !strings.Contains(note, "one does not reach hosts") || !strings.Contains(note, "30s") {
		t.Errorf("people are told %q after %q", note, joined)
	}
	if b := <-r.asks("five.test"); b.err != nil || b.Response.Status != 299 || b.Stored != nil {
		t.Errorf("the worker that rests is still asked: %+v", b)
	}
	if w := r.Workers()[0]; len(w.Errors) != 1 || w.Errors[0].N != 4 || !strings.Contains(w.Errors[0].What, "no resolver") {
		t.Errorf("its errors: %+v", w.Errors)
	}
	done := r.asks("lan.test") // a tag's worker is asked, because no other can
	m, j := job(t, c)
	r.answers(t, "one", m, j)
	if b := <-done; b.err != nil || b.Response.Status != 200 {
		t.Errorf("the pinned host: %+v", b)
	} else {
		b.Stored()
	}
}
