package command

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"

	"angler/store/config"
	"angler/tui/command/cli"
)

// executed runs a command line and returns what it printed.
func executed(t *testing.T, args ...string) (out string, err error) {
	t.Helper()
	var b strings.Builder
	p := &Program{Open: func(path string) (io.ReadCloser, error) { return os.Open(path) }}
	c := p.rootCommand()
	c.SetArgs(args)
	c.SetOut(&b)
	c.SetErr(&b)
	err = c.ExecuteContext(t.Context())
	return b.String(), err
}

// Every command of the tree names in its own words what is missing or too much, with
// the whole command.
func TestEveryCommandNamesWrongArguments(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			walk(sub)
		}
		if c.DisableFlagParsing {
			return // a process of our own
		}
		refused := false
		for n := range 12 {
			err := c.ValidateArgs(slices.Repeat([]string{"x"}, n))
			if err == nil {
				continue
			}
			refused = true
			var misuse *cli.MisuseError
			says := err.Error()
			if !errors.As(err, &misuse) || strings.Contains(says, "arg(s)") || !strings.HasPrefix(says, "missing ") && !strings.HasPrefix(says, "unexpected argument ") || !strings.Contains(says, "; usage: "+c.CommandPath()) {
				t.Errorf("%s with %d arguments: %v", c.CommandPath(), n, err)
			}
		}
		if takesAny := c.Name() == "segment"; refused == takesAny {
			t.Errorf("%s refuses some number of arguments: %v", c.CommandPath(), refused)
		}
	}
	walk(new(Program).rootCommand())
	for args, want := range map[string]string{
		"crawl":            "missing folder; usage: angler crawl DIR",
		"sample x":         "missing add, negative, rm or list; usage: angler sample DIR add|negative|rm|list …",
		"sample x add":     "missing URL or file; usage: angler sample x add URL|FILE…",
		"search x":         "missing query; usage: angler search DIR QUERY…",
		"warc import x":    "missing file; usage: angler warc import DIR FILE…",
		"harvest x y":      `unexpected argument "y"; usage: angler harvest DIR`,
		"sample x list y":  "list takes no addresses; usage: angler sample x list",
		"extract /no/file": "open /no/file: no such file or directory",
	} {
		if _, err := executed(t, strings.Fields(args)...); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

// A slip in a seed makes no workspace.
func TestSeedsOfANewWorkspace(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "ws")
	file := func(text string) string {
		path := filepath.Join(root, "seeds")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	binary := "http://a.test/\n\x89PNG\r\n\x1a\n" + strings.Repeat("\x00\xff\x13", 2000)
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"--seed", "notaurl"}, "seed notaurl does not resolve; write a whole address, such as http://www.notaurl.com/"},
		{[]string{"--seed", "http://notaurl:8080/x"}, "seed notaurl does not resolve"},
		{[]string{"--seed", "ftp://a.test/"}, `seed "ftp://a.test/" is not a URL; write http://HOST/PATH`},
		{[]string{"--seeds", file(binary)}, file(binary) + " line 2: "},
		{[]string{"--seeds", file(binary)}, "a seeds file holds one URL per line, # starts a comment"},
	} {
		_, err := executed(t, append([]string{"new", dir}, c.args...)...)
		var misuse *cli.MisuseError
		if !errors.As(err, &misuse) || !strings.Contains(err.Error(), c.says) || len(err.Error()) > 400 || strings.ContainsFunc(err.Error(), unicode.IsControl) {
			t.Errorf("%q: %.500v, want %s", c.args, err, c.says)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Fatalf("%q made a workspace", c.args)
		}
	}
	out, err := executed(t, "new", dir, "--seeds", file("\ufeff# ours\r\nhttp://localhost:8080/\r\n"))
	if want := "Created " + dir + " (1 seed, notices: tenders). Next: angler " + dir + "\n"; err != nil || out != want {
		t.Errorf("%q, %v; want %q", out, err, want)
	}
}

// A mistyped command is no workspace that somebody has forgotten to make; a folder of such
// a name is.
func TestAMistypedCommandIsNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	run := func(args ...string) error {
		_, err := executed(t, args...)
		return err
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
