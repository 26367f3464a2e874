//go:build unix

package tuitest

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"angler/store/secrets"
)

// authorize rewrites authorized_keys.
func (x *server) authorize(change func(string) string) {
	x.t.Helper()
	path := secrets.AuthorizedKeysPath(x.dir)
	b, err := os.ReadFile(path)
	must(x.t, err)
	must(x.t, os.WriteFile(path, []byte(change(string(b))), 0o600))
}

// TestSSHRevokedKey removes a key from the file while its owner is attached.
func TestSSHRevokedKey(t *testing.T) {
	t.Parallel()
	x := startServer(t, "--every", "0")
	li, wang := x.attach("li", 100, 30), x.attach("wang", 100, 30)
	li.samples()
	wang.samples()
	tail := exec.Command("ssh", x.args("chen", "127.0.0.1", "tail")...)
	must(t, tail.Start())
	eventually(t, "the tail runs", func() bool { return strings.Contains(x.logged(), "run=tail") })
	x.authorize(func(file string) string {
		lines := strings.Split(file, "\n")
		keep := lines[:0]
		for _, l := range lines {
			switch {
			case strings.HasPrefix(l, "role=viewer "), strings.HasSuffix(l, " chen"): // li and chen
			case strings.HasPrefix(l, "role=analyst "): // wang
				keep = append(keep, "role=viewer "+strings.TrimPrefix(l, "role=analyst "))
			default:
				keep = append(keep, l)
			}
		}
		return strings.Join(keep, "\n")
	})
	li.wait("taken out of authorized_keys", "left with status 1")
	wang.wait("or its role changed", "left with status 1")
	if err := tail.Wait(); tail.ProcessState.ExitCode() == 0 {
		t.Errorf("the tail of a revoked key ended with %v", err)
	}
	if r := x.ssh("li", "127.0.0.1", "status"); r.Status != 255 {
		t.Errorf("li gets in again: %+v", r)
	}
	wang = x.attach("wang", 100, 30)
	wang.wait("[1 Samples]", "read only") // where they were
}

func (x *server) logged() string {
	x.t.Helper()
	b, err := os.ReadFile(x.log)
	must(x.t, err)
	return string(b)
}
