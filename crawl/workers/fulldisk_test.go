//go:build heavy

package workers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// A server whose disk is full takes no job and no result any more; the crawl goes on here.
func TestAFullDiskAtTheBroker(t *testing.T) {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	must(t, err)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not come up")
	}
	connect := func() *nats.Conn {
		c, err := nats.Connect(s.ClientURL())
		must(t, err)
		t.Cleanup(c.Close)
		return c
	}
	r := rigAt(t, connect(), connect(), 1)
	c := r.joins(t, "one")
	done := r.asks("a.test")
	m, j := job(t, c)
	r.answers(t, "one", m, j)
	if b := <-done; b.err != nil || b.Response.Status != 200 {
		t.Fatalf("%+v", b)
	}
	done = r.asks("a.test")
	job(t, c)
	s.ShutdownJetStream() // what a server does whose disk is full
	for i := range 3 {
		if b := <-r.asks(fmt.Sprintf("h%d.test", i)); b.err != nil || b.Response.Status != 299 {
			t.Errorf("a page is lost: %+v", b)
		}
	}
	if b := <-done; b.err != nil || b.Response.Status != 299 { // when the worker has not been heard of for workers.Gone
		t.Errorf("what a worker had is lost: %+v", b)
	}
	told := 0
	for len(r.notes) > 0 {
		if strings.Contains(<-r.notes, "cannot be handed out") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("it was told %d times that nothing can be handed out", told)
	}
}
