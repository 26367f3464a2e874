package sshd

import (
	"strings"
	"testing"

	"angler/crawl/workers"
)

// All see the workers; only an admin sends orders.
func TestWorkersOverALine(t *testing.T) {
	x := newSite(t, Limits{})
	run := func(who, line string) (string, bool) {
		t.Helper()
		out, says, status := x.run(who, line)
		return out + says, status == 0
	}
	if out, ok := run("li", "workers"); ok || !strings.Contains(out, "--workers-listen") {
		t.Errorf("no workers are expected: %s, %v", out, ok)
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
	if out, ok := run("li", "workers"); !ok || !strings.Contains(out, "angler workers join nats://"+b.Addr()) {
		t.Errorf("%s, %v", out, ok)
	}
	if out, ok := run("li", "workers --json"); !ok || !strings.Contains(out, `"rows":null`) && !strings.Contains(out, `"rows":[]`) {
		t.Errorf("%s, %v", out, ok)
	}
	if out, ok := run("li", "status --json"); !ok || !strings.Contains(out, `"machines":{"workers":0`) {
		t.Errorf("%s, %v", out, ok)
	}
	for _, order := range orders {
		if out, ok := run("wang", "workers "+order+" one"); ok || !strings.Contains(out, "role=admin") {
			t.Errorf("%s as an analyst: %s, %v", order, out, ok)
		}
		if out, ok := run("zhou", "workers "+order+" one"); ok || !strings.Contains(out, "no worker is called") {
			t.Errorf("%s as an admin: %s, %v", order, out, ok)
		}
	}
}
