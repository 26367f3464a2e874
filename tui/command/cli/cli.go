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

// Exactly makes a wrong number of arguments a misuse.
func Exactly(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return Misuse(fmt.Errorf("%w; usage: %s", err, c.UseLine()))
		}
		return nil
	}
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
