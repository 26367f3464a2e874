package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
)

// progressPrinter reports progress: on a terminal in one rewritten line, otherwise only in
// permanent lines.
type progressPrinter struct {
	w        io.Writer
	width    int
	terminal bool
	dirty    bool
}

// newProgress returns a printer to the standard error of a command.
func newProgress(c *cobra.Command) *progressPrinter {
	width, terminal := terminalWidth(os.Stderr.Fd())
	return &progressPrinter{w: c.ErrOrStderr(), width: width, terminal: terminal}
}

// now shows the current work, on a terminal only.
func (t *progressPrinter) now(format string, args ...any) {
	if t.terminal {
		fmt.Fprintf(t.w, "\r\x1b[K%s", ansi.Truncate(fmt.Sprintf(format, args...), max(1, t.width-1), "…"))
		t.dirty = true
	}
}

// line prints a permanent line.
func (t *progressPrinter) line(format string, args ...any) {
	t.end()
	fmt.Fprintf(t.w, format+"\n", args...)
}

// end removes the line of Now.
func (t *progressPrinter) end() {
	if t.dirty {
		fmt.Fprint(t.w, "\r\x1b[K")
		t.dirty = false
	}
}
