package cli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"angler/store"
	"angler/store/config"
	"angler/store/generated"
)

var update = flag.Bool("update", false, "write the commands into docs/commands.md")

func tree() *cobra.Command { return new(Program).rootCommand() }

func TestReferenceOfCommands(t *testing.T) {
	var b bytes.Buffer
	must(t, reference(&b, tree()))
	generated.Section(t, "../../docs/commands.md", "commands", b.String(), *update)
}

// The README's table names every command.
func TestReadmeNamesEveryCommand(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	must(t, err)
	readme := string(b)
	for _, c := range tree().Commands() {
		if c.IsAvailableCommand() && !strings.Contains(readme, "`"+c.Name()+"`") {
			t.Errorf("README.md: the table of commands lacks %s", c.Name())
		}
	}
}

// The manual page names every command and flag, and no line of text is read as a macro.
func TestManual(t *testing.T) {
	out, _, err := call(t, "man")
	must(t, err)
	root := tree()
	for _, c := range shown(root) {
		if !strings.Contains(out, ".SS "+roff(c.UseLine())+"\n") {
			t.Errorf("the manual lacks %s", c.CommandPath())
		}
		flagsOf(c, func(written, usage string) {
			if !strings.Contains(out, ".B "+roff(written)+"\n"+roff(usage)+"\n") {
				t.Errorf("%s: the manual lacks %s", c.CommandPath(), written)
			}
		})
	}
	request := regexp.MustCompile(`^\.(TH|SH|SS|TP|B|br|nf|fi)( |$)`)
	for line := range strings.Lines(out) {
		if line = strings.TrimSuffix(line, "\n"); (strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'")) && !request.MatchString(line) {
			t.Errorf("%q is taken for a request", line)
		}
	}
	if got := roff(`.so -a\b`); got != `\&.so \-a\eb` {
		t.Errorf("%q", got)
	}
}

// A shell completes the arguments in the usage of a command.
func TestCompletion(t *testing.T) {
	dir := t.TempDir() + "/ws"
	set := config.Default()
	set.Seeds = []string{"http://www.a.test/"}
	set.Host = map[string]config.Host{"b.test": {}}
	must(t, store.Create(dir, set))
	for _, c := range []struct {
		typed []string
		want  []string
		how   cobra.ShellCompDirective
	}{
		{[]string{"doctor", ""}, nil, cobra.ShellCompDirectiveFilterDirs},
		{[]string{""}, []string{"attach", "crawl", "completion"}, cobra.ShellCompDirectiveFilterDirs},
		{[]string{"lists", "login", dir, ""}, []string{"b.test", "www.a.test"}, cobra.ShellCompDirectiveNoFileComp},
		{[]string{"topic", "explain", dir, ""}, []string{"http://www.a.test/"}, cobra.ShellCompDirectiveNoFileComp},
		{[]string{"import", dir, ""}, nil, cobra.ShellCompDirectiveDefault},
		{[]string{"seeds", ""}, []string{"list", "suggest", "accept", "reject"}, cobra.ShellCompDirectiveNoFileComp},
		{[]string{"export", dir, ""}, []string{"pages", "lists", "warc"}, cobra.ShellCompDirectiveNoFileComp},
		{[]string{"crawl", dir, "--strategy", "bf"}, []string{"bfs"}, cobra.ShellCompDirectiveNoFileComp},
		{[]string{"demo", "--theme", ""}, []string{"dark", "light"}, cobra.ShellCompDirectiveNoFileComp},
	} {
		out, _, err := call(t, append([]string{"__completeNoDesc"}, c.typed...)...)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if err != nil || lines[len(lines)-1] != fmt.Sprintf(":%d", c.how) {
			t.Errorf("%q: %v, %q", c.typed, err, out)
		}
		for _, want := range c.want {
			if !strings.Contains("\n"+out, "\n"+want+"\n") {
				t.Errorf("%q: %q is not proposed: %q", c.typed, want, out)
			}
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if out, _, err := call(t, "completion", shell); err != nil || !strings.Contains(out, "__complete") {
			t.Errorf("%s: %v", shell, err)
		}
	}
}
