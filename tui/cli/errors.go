package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"angler/crawl/urls"
)

// misuseError marks a misused command: exit status 2.
type misuseError struct{ error }

func (e *misuseError) Unwrap() error { return e.error }

// misuse makes a misuse error of err; nil stays nil.
func misuse(err error) error {
	if err == nil {
		return nil
	}
	return &misuseError{err}
}

// misusef is misuse of an error with a text.
func misusef(format string, args ...any) error { return misuse(fmt.Errorf(format, args...)) }

// exitError is the end of another program that replaced the command: its exit status, and an
// additional text; "" means none.
type exitError struct {
	Status int
	Says   string
}

func (e *exitError) Error() string { return e.Says }

// checkArguments makes commands refuse a number of arguments that their usage does not name: in it
// [X] may be missing, and X… stands for any number.
func checkArguments(list []*cobra.Command) {
	for _, c := range list {
		least, most := 0, 0
		for _, word := range strings.Fields(c.Use)[1:] {
			if most++; !strings.HasPrefix(word, "[") {
				least++
			}
		}
		if strings.Contains(c.Use, "…") {
			most = -1
		}
		if c.Args == nil {
			c.Args = arguments(least, most)
		}
	}
}

// arguments accepts least to most arguments, any number if most is negative. Its error names the
// missing argument, or the first superfluous one.
func arguments(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return missing(c, strings.Fields(c.Use)[len(args)+1])
		case most >= 0 && len(args) > most:
			return misusef("unexpected argument %q; usage: %s", args[most], usageOf(c))
		}
		return nil
	}
}

// usageOf returns the usage of a command without flags.
func usageOf(c *cobra.Command) string { return strings.TrimSuffix(c.UseLine(), " [flags]") }

// missing is the error for a missing argument, written as in a usage: DIR, URL|FILE….
func missing(c *cobra.Command, argument string) error {
	words := strings.NewReplacer("DIR", "folder", "FILE", "file", "QUERY", "query", "[", "", "]", "", "…",
		"").Replace(argument)
	kinds := strings.Split(words, "|")
	if last := len(kinds) - 1; last > 0 {
		kinds = []string{strings.Join(kinds[:last], ", ") + " or " + kinds[last]}
	}
	return misusef("missing %s; usage: %s", kinds[0], usageOf(c))
}

// checkURL refuses an argument that is no URL.
func checkURL(arg string) error {
	if _, err := urls.Canonical(arg); err != nil {
		return misusef("%.60q is not a URL; write http://HOST/PATH", arg)
	}
	return nil
}

// oneLine joins the lines of an error: one error, one line.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
