package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"angler/store/config"
)

func manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page", Example: "  angler man | man -l -",
		Long: "man prints the manual of all commands as a manual page, such as for\n~/.local/share/man/man1/angler.1.",
		RunE: func(c *cobra.Command, _ []string) error { return manual(c.OutOrStdout(), c.Root()) },
	}
}

// shown returns the visible commands below c, each after its parent.
func shown(c *cobra.Command) (out []*cobra.Command) {
	c.InitDefaultHelpFlag()
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			out = append(append(out, sub), shown(sub)...)
		}
	}
	return out
}

// flagsOf calls f for every own flag of a command, with its written form.
func flagsOf(c *cobra.Command, f func(written, usage string)) {
	c.InitDefaultHelpFlag()
	c.LocalFlags().VisitAll(func(fl *pflag.Flag) {
		if fl.Hidden || fl.Name == "help" {
			return
		}
		written := "--" + fl.Name
		if fl.Shorthand != "" {
			written = "-" + fl.Shorthand + ", " + written
		}
		kind, usage := pflag.UnquoteUsage(fl)
		if kind != "" {
			written += " " + kind
		}
		if fl.DefValue != "" && fl.DefValue != "false" && fl.DefValue != "0" && fl.DefValue != "0s" &&
			fl.DefValue != "[]" {
			usage += " (" + fl.DefValue + ")"
		}
		f(written, usage)
	})
}

// about is the long help of a command.
func about(c *cobra.Command) string {
	return cmp.Or(c.Long, c.Short+".")
}

// manual writes all commands as a page in the language of man(7).
func manual(w io.Writer, root *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH ANGLER 1 \"%s\" \"angler %s\"\n", config.ReleasedAfter().Format("2006-01-02"), config.Version)
	b.WriteString(".SH NAME\nangler \\- " + roff(root.Short) + "\n.SH SYNOPSIS\n")
	for _, line := range []string{root.Use, "angler COMMAND [ARGUMENT …] [--FLAG …]"} {
		b.WriteString(".B " + roff(line) + "\n.br\n")
	}
	b.WriteString(".SH DESCRIPTION\n" + paragraphs(root.Long) + ".SH OPTIONS\n")
	options := func(c *cobra.Command) {
		flagsOf(c, func(written, usage string) { fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(written), roff(usage)) })
	}
	options(root)
	b.WriteString(".SH COMMANDS\n")
	for _, c := range shown(root) {
		b.WriteString(".SS " + roff(c.UseLine()) + "\n" + paragraphs(about(c)))
		if c.Example != "" {
			b.WriteString(paragraphs("\nExamples:\n" + c.Example))
		}
		options(c)
	}
	b.WriteString(".SH EXIT STATUS\n" +
		roff(
			"0 when the work was done, 1 when it failed, 2 when the command was misused; attach ends with the "+
				"status of ssh.") + "\n" +
		".SH FILES\n.TP\n.B DIR/angler.toml\n" + roff("the settings of a workspace, for people") + "\n" +
		".TP\n.B DIR/crawl.db\n" + roff("what was crawled and decided, for the program") + "\n" +
		".TP\n.B DIR/ssh/authorized_keys\n" + roff("who may log in to angler serve, and as what") + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// paragraphs returns lines without filling.
func paragraphs(text string) string {
	var b strings.Builder
	b.WriteString(".nf\n")
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(roff(line) + "\n")
	}
	b.WriteString(".fi\n")
	return b.String()
}

// roff escapes a line for man(7).
func roff(line string) string {
	line = strings.ReplaceAll(strings.ReplaceAll(line, `\`, `\e`), "-", `\-`)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	return line
}

// reference writes all commands as Markdown.
func reference(w io.Writer, root *cobra.Command) error {
	var b strings.Builder
	for _, c := range append([]*cobra.Command{root}, shown(root)...) {
		fmt.Fprintf(&b, "## %s\n\n```\n%s\n```\n\n", c.CommandPath(), c.UseLine())
		fmt.Fprintf(&b, "```text\n%s\n```\n\n", about(c))
		if c.Example != "" {
			fmt.Fprintf(&b, "```sh\n%s\n```\n\n", strings.ReplaceAll(c.Example[2:], "\n  ", "\n"))
		}
		head := "| flag | what it does |\n|---|---|\n"
		flagsOf(c, func(written, usage string) {
			fmt.Fprintf(&b, "%s| `%s` | %s |\n", head, written, strings.ReplaceAll(usage, "|", `\|`))
			head = ""
		})
		if head == "" {
			b.WriteString("\n")
		}
	}
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}
