package machines

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

// Whoever asks for no workers has no server, no connection to one, and no files of it.
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
		if err := store.Create(dir, config.Default()); err != nil {
			t.Fatal(err)
		}
		e, err := crawl.Open(t.Context(), dir, crawl.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var s Serving
		cmd := &cobra.Command{}
		s.Flags(cmd)
		if err := errors.Join(cmd.ParseFlags(c.flags), s.Check(), s.Begin(t.Context(), e, dir, slog.New(slog.DiscardHandler))); err != nil {
			t.Fatal(err)
		}
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
