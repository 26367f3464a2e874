package sshd

import (
	"strings"
	"testing"

	"angler/crawl/workers"
)

// All see the workers; only an admin sends orders.
func TestWorkersOverALine(t *testing.T) {
	x := newSite(t, Limits{})
	run := func(who, line string) (string, error) {
		t.Helper()
		s, err := x.attach(who).NewSession()
		must(t, err)
		defer s.Close()
		out, err := s.CombinedOutput(line)
		return string(out), err
	}
	if out, err := run("li", "workers"); err == nil || !strings.Contains(out, "--workers-listen") {
		t.Errorf("no workers are expected: %s, %v", out, err)
	}
	b, err := workers.StartBroker(t.TempDir(), "127.0.0.1:0")
	must(t, err)
	t.Cleanup(b.Close)
	conn, err := b.Connect()
	must(t, err)
	t.Cleanup(conn.Close)
	if _, err := x.b.Machines.Employ(t.Context(), conn, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.b.Close() }) // before the broker
	x.b.Machines.Invited("angler workers join nats://" + b.Addr() + " --token-file FILE")
	if out, err := run("li", "workers"); err != nil || !strings.Contains(out, "angler workers join nats://"+b.Addr()) {
		t.Errorf("%s, %v", out, err)
	}
	if out, err := run("li", "workers --json"); err != nil || !strings.Contains(out, `"rows":null`) && !strings.Contains(out, `"rows":[]`) {
		t.Errorf("%s, %v", out, err)
	}
	if out, err := run("li", "status --json"); err != nil || !strings.Contains(out, `"machines":{"workers":0`) {
		t.Errorf("%s, %v", out, err)
	}
	for _, order := range orders {
		if out, err := run("wang", "workers "+order+" one"); err == nil || !strings.Contains(out, "role=admin") {
			t.Errorf("%s as an analyst: %s, %v", order, out, err)
		}
		if out, err := run("zhou", "workers "+order+" one"); err == nil || !strings.Contains(out, "no worker is called") {
			t.Errorf("%s as an admin: %s, %v", order, out, err)
		}
	}
}
