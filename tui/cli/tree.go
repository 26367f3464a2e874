package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"angler/tui/widget"
)

// noun is a command that only holds verbs: angler NOUN VERB DIR ….
func noun(name, short string, verbs ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: name + " VERB …", Short: short, Annotations: map[string]string{nounMark: ""},
		SuggestionsMinimumDistance: maxTypos, DisableFlagsInUseLine: true}
	c.AddCommand(verbs...)
	checkArguments(verbs)
	if c.Long = short + "."; defaultVerb(c) != nil {
		c.Long += " Without a verb it is " + defaultVerb(c).Name() + "."
	}
	c.Args = func(c *cobra.Command, args []string) error {
		usage := fmt.Sprintf("%s %s", c.CommandPath(), strings.Join(verbNames(c), "|"))
		if len(args) == 0 {
			return misusef("missing verb; usage: %s", usage)
		}
		for _, typed := range args[:min(2, len(args))] { // the folder may precede the verb
			if near := c.SuggestionsFor(typed); len(near) > 0 {
				return misusef("%s has no verb %q; did you mean: %s", c.CommandPath(), typed,
					c.CommandPath()+" "+near[0])
			}
		}
		return misusef("%s has no verb %q; usage: %s", c.CommandPath(), args[0], usage)
	}
	c.RunE = func(*cobra.Command, []string) error { return nil } // Args refuses every call
	return c
}

const (
	nounMark = "noun"
	maxTypos = 2 // letters in which a typed name may differ from the proposed one
)

func verbNames(c *cobra.Command) []string { return widget.Map(c.Commands(), (*cobra.Command).Name) }

// verbFirst returns a command line as NOUN VERB DIR …. The folder may precede the verb (samples DIR
// add URL), and a noun without a verb lists or shows (lists DIR).
func verbFirst(c *cobra.Command, args []string) []string {
	if len(args) < 2 {
		return args
	}
	named := func(c *cobra.Command, name string) *cobra.Command {
		for _, sub := range c.Commands() {
			if sub.Name() == name || sub.HasAlias(name) {
				return sub
			}
		}
		return nil
	}
	c = named(c, args[0])
	if c == nil {
		return args
	}
	if _, ok := c.Annotations[nounMark]; !ok {
		return args
	}
	head, rest := args[:1], slices.Clone(args[1:])
	first := defaultVerb(c)
	switch {
	case rest[0] == "-h" || rest[0] == "--help":
	case named(c, rest[0]) != nil:
		rest = verbFirst(c, rest)
	case len(rest) > 1 && named(c, rest[1]) != nil:
		rest[0], rest[1] = rest[1], rest[0]
		rest = verbFirst(c, rest)
	case first == nil || mistyped(c, first, rest):
	default:
		rest = append([]string{first.Name()}, rest...)
	}
	return slices.Concat(head, rest)
}

// defaultVerb returns the default verb of a noun; nil means none.
func defaultVerb(c *cobra.Command) *cobra.Command {
	for _, verb := range c.Commands() {
		if verb.Name() == "list" || verb.Name() == "show" {
			return verb
		}
	}
	return nil
}

// mistyped reports whether an argument is nearly the name of a verb: the first one if there is no
// such folder, and the second one if the default verb takes only a folder.
func mistyped(c, first *cobra.Command, args []string) bool {
	near := func(s string) bool { return !strings.HasPrefix(s, "-") && len(c.SuggestionsFor(s)) > 0 }
	if !folder(args[0]) && near(args[0]) {
		return true
	}
	return len(args) > 1 && first.ValidateArgs(args[:2]) != nil && near(args[1])
}

// folder reports whether an argument can be the folder of a workspace: a path, or an existing
// folder.
func folder(arg string) bool {
	_, err := os.Stat(arg)
	return strings.ContainsRune(arg, filepath.Separator) || !os.IsNotExist(err)
}

// groups are the headings of angler's help, in order.
var groups = []*cobra.Group{
	{ID: "work", Title: "Work:"}, {ID: "topic", Title: "Topic and seeds:"}, {ID: "results", Title: "Results:"},
	{ID: "upkeep", Title: "Upkeep:"}, {ID: "more", Title: "More:"},
}

// add adds commands below a heading of the help.
func add(root *cobra.Command, group string, list ...*cobra.Command) {
	for _, c := range list {
		c.GroupID = group
	}
	checkArguments(list)
	root.AddCommand(list...)
}

// usageText is cobra's usage without the second line of nouns.
const usageText = `Usage: {{.UseLine}}
{{if .Aliases}}
Short form: {{index .Aliases 0}}
{{end}}{{if .Example}}
Examples:
{{.Example}}
{{end}}{{if .HasAvailableSubCommands}}{{$all := .Commands}}{{if .Groups}}{{range $group := .Groups}}
{{.Title}}{{range $all}}{{if eq .GroupID $group.ID}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}
{{end}}{{else}}
Verbs:{{range $all}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}
{{end}}{{end}}{{if .HasAvailableLocalFlags}}
Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableSubCommands}}
{{.CommandPath}} {{if .Groups}}COMMAND{{else}}VERB{{end}} --help describes one.
{{end}}`

// helpCommand is cobra's with an error for an unknown command.
func helpCommand(root *cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: "help [COMMAND…]", Short: "Show the help of a command",
		Example: "  angler help notices search"}
	c.RunE = func(_ *cobra.Command, args []string) error {
		found, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 {
			return misusef("no command is called %q; angler --help lists them", strings.Join(args, " "))
		}
		found.InitDefaultHelpFlag()
		return found.Help()
	}
	return c
}

func completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the completion script of a shell",
		Long: "completion prints a script by which a shell completes commands, flags, folders of workspaces,\n" +
			"hosts and seeds.",
		Example: "  source <(angler completion bash)\n  angler completion fish > ~/.config/fish/completions/angler.fish",
		RunE: func(c *cobra.Command, args []string) error {
			root, w := c.Root(), c.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(w, true)
			case "zsh":
				return root.GenZshCompletion(w)
			case "fish":
				return root.GenFishCompletion(w, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(w)
			}
			return misusef("shell %q is unknown; choose bash, zsh, fish or powershell", args[0])
		},
	}
}

// command refuses an argument of angler itself that is neither a folder nor a command.
func command(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 0 && !folder(args[0]) {
			if near := c.SuggestionsFor(args[0]); len(near) > 0 {
				return misusef("%q is no command and no folder; did you mean: angler %s", args[0],
					strings.Join(near, ", angler "))
			}
			return misusef("no command or workspace named %q; see angler --help", args[0])
		}
		return check(c, args)
	}
}
