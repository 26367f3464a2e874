package cli

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/store"
	"angler/store/config"
)

// A server without workers has no NATS server, no connection to one, and no files of one.
func TestWithoutFlagsThereIsNoServer(t *testing.T) {
	for _, c := range []struct {
		name  string
		flags []string
		there bool
	}{
		{"no flags", nil, false},
		{"workers are let in", []string{"--workers-listen", "127.0.0.1:0"}, true},
	} {
		dir := filepath.Join(t.TempDir(), "ws")
		must(t, store.Create(dir, config.Default()))
		e, err := crawl.Open(t.Context(), dir, crawl.Options{})
		must(t, err)
		var s workerServer
		cmd := &cobra.Command{}
		s.flags(cmd)
		must(t, errors.Join(cmd.ParseFlags(c.flags), s.check(), s.begin(t.Context(), e, dir, slog.New(slog.DiscardHandler))))
		all := make([]byte, 1<<20)
		all = all[:runtime.Stack(all, true)]
		if there := strings.Contains(string(all), "nats-io/"); there != c.there {
			t.Errorf("%s: goroutines of NATS: %v\n%s", c.name, there, all)
		}
		if _, on := e.Machines.Crew(); on != c.there {
			t.Errorf("%s: workers are waited for: %v", c.name, on)
		}
		if _, err := os.Stat(filepath.Join(dir, "workers")); errors.Is(err, fs.ErrNotExist) == c.there {
			t.Errorf("%s: the folder of the server: %v", c.name, err)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		s.Close()
	}
}

// An invitation stays the same until all are withdrawn; the command does not claim to withdraw that
// of one worker.
func TestInvite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ws")
	must(t, store.Create(dir, config.Default()))
	invite := func(args ...string) (string, error) {
		c := inviteCommand()
		c.SilenceErrors, c.SilenceUsage = true, true
		var out strings.Builder
		c.SetOut(&out)
		c.SetArgs(append([]string{dir}, args...))
		err := c.ExecuteContext(t.Context())
		return out.String(), err
	}
	all, err := invite()
	must(t, err)
	one, err := invite("east-1")
	if err != nil || one == all {
		t.Fatal(one, err)
	}
	if same, err := invite(); err != nil || same != all {
		t.Errorf("asked again: %q, %v", same, err)
	}
	if out, err := invite("east-1", "--withdraw"); err == nil ||
		!strings.Contains(err.Error(), "workers ban "+dir+" east-1") || out != "" {
		t.Errorf("one alone: %q, %v", out, err)
	}
	renewed, err := invite("--withdraw")
	if err != nil || renewed == all {
		t.Errorf("withdrawn: %q, %v", renewed, err)
	}
	if anew, err := invite("east-1"); err != nil || anew == one {
		t.Errorf("of one worker: %q, %v", anew, err)
	}
	if out, err := invite("East"); err == nil {
		t.Errorf("a name that is none: %q", out)
	}
}
