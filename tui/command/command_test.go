package command

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angler/store/config"
	"angler/tui/command/cli"
)

// A mistyped command is no workspace that somebody has forgotten to make; a folder of such
// a name is.
func TestAMistypedCommandIsNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	run := func(args ...string) error {
		c := new(Program).rootCommand()
		c.SetArgs(args)
		return c.ExecuteContext(context.Background())
	}
	for args, want := range map[string]string{"crwal": "angler crawl", "haverst x": "angler harvest", "exprt x notices": "angler export"} {
		err := run(strings.Fields(args)...)
		var misuse *cli.MisuseError
		if !errors.As(err, &misuse) || !strings.Contains(err.Error(), "did you mean: "+want) {
			t.Errorf("%s: %v", args, err)
		}
	}
	if err := run("tenders"); !errors.Is(err, config.ErrNone) {
		t.Errorf("no command's name: %v", err)
	}
	if err := os.Mkdir("crwal", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"crwal", filepath.Join(".", "crwal")} {
		if err := run(dir); !errors.Is(err, config.ErrNone) {
			t.Errorf("a folder: %v", err)
		}
	}
}
