package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"angler/tui/tuitest"
)

// split splits a command line like a shell, up to a pipe or a redirection.
func split(line string) (words []string) {
	quoted, word, begun := false, "", false
	end := func() {
		if begun {
			words, word, begun = append(words, word), "", false
		}
	}
	for _, r := range line {
		switch {
		case r == '\'':
			quoted, begun = !quoted, true
		case quoted:
			word += string(r)
		case r == ' ':
			end()
		case (r == '|' || r == '>') && word == "":
			return words
		default:
			word, begun = word+string(r), true
		}
	}
	end()
	return words
}

// parsed finds the command of a command line and parses its flags and arguments.
func parsed(args []string) (*cobra.Command, error) {
	root := tree()
	c, rest, err := root.Find(verbFirst(root, args))
	if err != nil {
		return nil, err
	}
	if err := c.ParseFlags(rest); err != nil {
		return c, c.FlagErrorFunc()(c, err)
	}
	return c, c.ValidateArgs(c.Flags().Args())
}

// Every command has a short imperative, an example that parses, its folder as the first argument,
// and plain errors for wrong arguments and flags.
func TestTree(t *testing.T) {
	root := tree()
	for _, c := range append([]*cobra.Command{root}, shown(root)...) {
		path := strings.Fields(c.CommandPath())[1:]
		name := c.CommandPath()
		if c != root {
			first := strings.Fields(c.Short)[0]
			if utf8.RuneCountInString(c.Short) > 60 || strings.HasSuffix(c.Short, ".") ||
				strings.HasSuffix(first, "s") || first[0] < 'A' || first[0] > 'Z' {
				t.Errorf("%s: %q is no imperative of at most 60 characters", name, c.Short)
			}
		}
		if !c.HasSubCommands() {
			if c.Example == "" {
				t.Errorf("%s has no example", name)
			}
			if words := strings.Fields(c.Use); slices.ContainsFunc(words[1:],
				func(w string) bool { return strings.Contains(w, "DIR") }) && !strings.Contains(words[1], "DIR") {
				t.Errorf("%s: the folder is not the first argument", c.Use)
			}
		}
		for line := range strings.SplitSeq(c.Example, "\n") {
			if args := split(line); c.Example != "" && name != "angler completion" {
				if len(args) < 2 || args[0] != "angler" {
					t.Fatalf("%s: example %q", name, line)
				}
				if got, err := parsed(args[1:]); err != nil && !strings.Contains(err.Error(), `named "tenders"`) ||
					got.CommandPath() != name && c != root {
					t.Errorf("%s: example %q: %v", name, line, err)
				}
			}
		}
		refused := false
		for n := range 12 {
			err := c.ValidateArgs(slices.Repeat([]string{"./x"}, n))
			if err == nil {
				continue
			}
			refused = true
			var wrong *misuseError
			says := err.Error()
			plain := strings.HasPrefix(says, "missing ") || strings.HasPrefix(says, "unexpected argument ") ||
				strings.HasPrefix(says, name+` has no verb "./x"`)
			if !errors.As(err, &wrong) || !plain || !strings.Contains(says, "; usage: "+name) {
				t.Errorf("%s with %d arguments: %v", name, n, err)
			}
		}
		if takesAny := c.Name() == "segment" || c.Name() == "help"; refused == takesAny {
			t.Errorf("%s refuses some number of arguments: %v", name, refused)
		}
		_, err := parsed(append(path, "--nosuchflag"))
		var wrong *misuseError
		if want := name + " has no flag --nosuchflag; " + name + " --help lists the flags"; !errors.As(err, &wrong) ||
			err.Error() != want && c.Annotations[nounMark] == "" &&
				!strings.Contains(err.Error(), "has no flag --nosuchflag") {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// The folder may precede the verb, and a noun without a verb lists or shows.
func TestVerbs(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, os.Mkdir("ws", 0o755))
	root := tree()
	for line, want := range map[string]string{
		"sample ws add http://a.test/ --proxy x": "sample add ws http://a.test/ --proxy x",
		"samples add ws http://a.test/":          "samples add ws http://a.test/",
		"lists ws":                               "lists show ws",
		"lists --json ws":                        "lists show --json ws",
		"lists recipe ws":                        "lists recipe list ws",
		"lists recipe ws add http://a.test/":     "lists recipe add ws http://a.test/",
		"notices ws exam":                        "notices list ws exam",
		"topic":                                  "topic",
		"topic --help":                           "topic --help",
		"topic wrds ws":                          "topic wrds ws",
		"seeds ws acept a.test":                  "seeds ws acept a.test",
		"history ws":                             "history ws",
		"export ws notices":                      "export ws notices",
		"crawl ws":                               "crawl ws",
		"nosuch ws add":                          "nosuch ws add",
		"workers drain wang@crawl.example.edu.cn east-1": "workers drain wang@crawl.example.edu.cn east-1",
	} {
		if got := strings.Join(verbFirst(root, strings.Fields(line)), " "); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// Errors of misuse are plain and show the correct form.
func TestWrongCalls(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, os.Mkdir("x", 0o755))
	for args, want := range map[string]string{
		"crawl":            "missing folder; usage: angler crawl DIR",
		"open":             "missing folder; usage: angler open DIR",
		"topic":            "missing verb; usage: angler topic eval|explain|score|set|show|words",
		"topic shwo x":     `angler topic has no verb "shwo"; did you mean: angler topic show`,
		"seeds x acept":    `angler seeds has no verb "acept"; did you mean: angler seeds accept`,
		"workspace x":      `angler workspace has no verb "x"; usage: angler workspace backup|backups|check|compact|restore`,
		"samples add x":    "missing URL or file; usage: angler samples add DIR URL|FILE…",
		"sample x add":     "missing URL or file; usage: angler samples add DIR URL|FILE…",
		"samples list x y": `unexpected argument "y"; usage: angler samples list DIR`,
		"notices search x": "missing query; usage: angler notices search DIR QUERY…",
		"import x":         "missing file; usage: angler import DIR FILE…",
		"harvest x y":      `unexpected argument "y"; usage: angler harvest DIR`,
		"lists mute x":     "missing URL; usage: angler lists mute DIR URL",
		"topic set x":      "name what to change, such as --theta .34; angler topic set --help lists the flags",
		"crawl x --max-page 3": "angler crawl has no flag --max-page; did you mean --max-pages? angler crawl " +
			"--help lists the flags",
		"crawl x --workers":         "--workers lacks its value; angler crawl --help lists the flags",
		"crawl x -q":                "angler crawl has no flag -q; angler crawl --help lists the flags",
		"crawl x --=3":              `"--=3" is no flag; angler crawl --help lists the flags`,
		"export x secrets":          `cannot export "secrets"; choose from: pages, lists, notices, frontier, links, resources, warc`,
		"export x warc":             "name the file with -o FILE.warc.gz",
		"export x warc --bom":       "--bom does not apply to warc; leave it out",
		"topic explain x nonsense":  `"nonsense" is not a URL; write http://HOST/PATH`,
		"lists mute x nonsense":     `"nonsense" is not a URL; write http://HOST/PATH`,
		"labels judge x me":         `judge "me" is unknown; choose rule or learner`,
		"lists recipe propose x y":  `"y" is not a URL; write http://HOST/PATH`,
		"lab x --draws 0":           "--draws 0: choose 1 to 1000",
		"export x pages --bom":      "--bom goes with --format csv",
		"export x links --newest 3": "--newest goes with --format atom",
		"export x pages --filter y": "--filter goes with notices; pages are written whole",
		"topic set x --theta 5":     `--theta "5": write auto, .34 or 34%; θ is above 0 and at most 1`,
		"topic set x --weight a":    `--weight "a": write WORD=1.5`,
		"help serch":                `no command is called "serch"; angler --help lists them`,
		"completion tcsh":           `shell "tcsh" is unknown; choose bash, zsh, fish or powershell`,
		"completion": "missing bash, zsh, fish or powershell; usage: angler completion " +
			"bash|zsh|fish|powershell",
		"seeds accept x":     "name hosts, or write --all or --votes N; usage: angler seeds accept DIR [HOST…]",
		"lists recipe add x": "missing URL or --curl FILE; usage: angler lists recipe add DIR [URL|FILE|NAME]",
		"frontier list x --js": "angler frontier list has no flag --js; did you mean --json? angler frontier " +
			"list --help lists the flags",
		"labels set x http://a": `"http://a" is no label; write URL=yes, =no, =unsure or =none`,
	} {
		var wrong *misuseError
		if _, _, err := call(t, args); !errors.As(err, &wrong) || err.Error() != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
	if _, _, err := call(t, "extract /no/file"); err == nil ||
		err.Error() != "open /no/file: no such file or directory; check its name, and that you may read it" {
		t.Error(err)
	}
}

// Help names the verbs of a noun, and of a command its usage, examples and flags.
func TestHelp(t *testing.T) {
	for args, wants := range map[string][]string{
		"help": {"Usage: angler [DIR]", "Topic and seeds:\n", "\n  topic       Show, change",
			"angler COMMAND --help"},
		"topic --help": {"Usage: angler topic VERB …\n", "Without a verb it is show.",
			"\n  explain     Explain"},
		"help lists recipe add": {"Usage: angler lists recipe add DIR [URL|FILE|NAME]",
			"Examples:\n  angler lists recipe add", "--untried"},
		"samples --help": {"Short form: sample\n"},
	} {
		holds(t, done(t, args), wants...)
	}
}

// An export of lists is the one of aggregations, and the filter of notices is an argument.
func TestExportsOfOneKind(t *testing.T) {
	dir := tuitest.Waiting(t)
	lists, _, err1 := call(t, "export "+dir+" lists")
	same, _, err2 := call(t, "export "+dir+" aggregations")
	if err := errors.Join(err1, err2); err != nil || lists != same {
		t.Errorf("%v: %q, %q", err, lists, same)
	}
	file := filepath.Join(t.TempDir(), "n.csv")
	done(t, "notices export --fields title,url -o "+file, dir, "is:unread")
	if b, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(b), "title,url") {
		t.Errorf("%v: %q", err, b)
	}
	refused(t, "the filter: “bujet>3” at 1: no field bujet", "notices export", dir, "bujet>3")
}

// Labels are exported as CSV and imported again.
func TestLabels(t *testing.T) {
	dir := stored(t, 60)
	out := done(t, "export "+dir+" pages")
	url := strings.Split(strings.Split(out, `"url":"`)[1], `"`)[0]
	holds(t, done(t, "labels", dir), "no labels yet; give one: angler labels set DIR URL=yes")
	done(t, "labels set", dir, url+"=yes")
	saved, _, err := call(t, "labels list --csv", dir)
	if err != nil || !strings.Contains(saved, url+",yes,") {
		t.Fatalf("%v: %s", err, saved)
	}
	done(t, "labels set", dir, url+"=none")
	file := filepath.Join(t.TempDir(), "labels.csv")
	must(t, os.WriteFile(file, []byte(saved), 0o644))
	if _, said, err := call(t, "labels import", dir, file); err != nil ||
		!strings.Contains(said, "1 labels imported, 0 lines skipped") {
		t.Errorf("%v: %s", err, said)
	}
	holds(t, done(t, "labels list --json", dir), `"label":"yes"`)
	if out, _, err := call(t, "labels queue -n 3", dir); err != nil || strings.Count(out, "\n") != 3 {
		t.Errorf("%v: %s", err, out)
	}
}

// A binary file instead of a list is refused in one line with its line number.
func TestBinaryLists(t *testing.T) {
	dir := tuitest.Waiting(t)
	file := filepath.Join(t.TempDir(), "list")
	must(t, os.WriteFile(file, []byte("# ours\n\x7fELF\x02\x01\x00\x00"+strings.Repeat("\x00\xff\n", 3000)),
		0o644))
	fresh := filepath.Join(t.TempDir(), "new")
	for _, line := range []string{"new " + fresh + " --seeds", "labels import " + dir, "terms eval " + dir, "extract --batch"} {
		out, said, err := call(t, line, file)
		if err == nil || !strings.HasPrefix(err.Error(), file+" line 2: binary data; give a text file") ||
			out+said != "" {
			t.Errorf("%s: %v, %q", line, err, out+said)
		}
	}
	for text, want := range map[string]bool{"http://a.test/\n# \xb1\xea\n": true, "": true, "a\x00": false,
		"\xff\xfea\x00": false} {
		if err := checkText("f", []byte(text)); (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}
