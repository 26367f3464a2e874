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

func tree() *cobra.Command { return new(program).rootCommand() }

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
	out := done(t, "man")
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
	const (
		files   = cobra.ShellCompDirectiveDefault
		folders = cobra.ShellCompDirectiveFilterDirs
		words   = cobra.ShellCompDirectiveNoFileComp
	)
	for _, c := range []struct {
		typed string
		want  string
		how   cobra.ShellCompDirective
	}{
		{"doctor ", "", folders},
		{"", "attach crawl completion", folders},
		{"lists login DIR ", "b.test www.a.test", words},
		{"topic explain DIR ", "http://www.a.test/", words},
		{"import DIR ", "", files},
		{"seeds ", "list suggest accept reject", words},
		{"export DIR ", "pages lists warc", words},
		{"crawl DIR --strategy bf", "bfs", words},
		{"demo --theme ", "dark light", words},
	} {
		typed := strings.Split(strings.ReplaceAll(c.typed, "DIR", dir), " ")
		out, _, err := call(t, "__completeNoDesc", typed...)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if err != nil || lines[len(lines)-1] != fmt.Sprintf(":%d", c.how) {
			t.Errorf("%q: %v, %q", c.typed, err, out)
		}
		for want := range strings.FieldsSeq(c.want) {
			if !strings.Contains("\n"+out, "\n"+want+"\n") {
				t.Errorf("%q: %q is not proposed: %q", c.typed, want, out)
			}
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		holds(t, done(t, "completion", shell), "__complete")
	}
}
