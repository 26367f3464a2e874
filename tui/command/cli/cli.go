// Package cli is what the commands share: their flags, the opening of workspaces and
// files, errors of misuse, progress on standard error and rows on standard output. The
// commands stand in rooms above it.
package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// MisuseError marks a command that was called wrongly: exit status 2.
type MisuseError struct{ error }

func (e *MisuseError) Unwrap() error { return e.error }

// Misuse makes an error one of a command that was called wrongly; nil stays nil.
func Misuse(err error) error {
	if err == nil {
		return nil
	}
	return &MisuseError{err}
}

// ExitError is the end of another program that ran in place of the command: its
// exit status, and what is to be said besides what it has said itself.
type ExitError struct {
	Status int
	Says   string
}

func (e *ExitError) Error() string { return e.Says }

// Args takes least to most arguments, any number where most is less than 0. Its error
// names the argument that is missing, or the first that is too many.
func Args(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		usage := strings.TrimSuffix(c.UseLine(), " [flags]")
		switch {
		case len(args) < least:
			return Missing(strings.Fields(c.Use)[len(args)+1], usage)
		case most >= 0 && len(args) > most:
			return Misuse(fmt.Errorf("unexpected argument %q; usage: %s", args[most], usage))
		}
		return nil
	}
}

// Missing is the error of a command without an argument, which is written as in a usage:
// DIR, URL|FILE….
func Missing(argument, usage string) error {
	words := strings.NewReplacer("DIR", "folder", "FILE", "file", "QUERY", "query", "[", "", "]", "", "…", "").Replace(argument)
	kinds := strings.Split(words, "|")
	if last := len(kinds) - 1; last > 0 {
		kinds = []string{strings.Join(kinds[:last], ", ") + " or " + kinds[last]}
	}
	return Misuse(fmt.Errorf("missing %s; usage: %s", kinds[0], usage))
}

// JSONLines prints rows as JSON, one a line.
func JSONLines[T any](w io.Writer, rows []T) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, row := range rows {
		if err := enc.Encode(row); err != nil {
			return err
		}
	}
	return nil
}

// OneLine joins the lines of an error: one error, one line.
func OneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
