package command

import (
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/x/ansi"

	"angler/tui/progress"
)

// progressPrinter reports progress: one line that rewrites itself on a terminal, plain
// lines of what is worth keeping elsewhere.
type progressPrinter struct {
	w        io.Writer
	width    int
	terminal bool
	dirty    bool
}

// newProgress returns one that writes to w, which is standard error.
func newProgress(w io.Writer) *progressPrinter {
	width, terminal := progress.Terminal(os.Stderr.Fd())
	return &progressPrinter{w: w, width: width, terminal: terminal}
}

// Now says what is under way, on a terminal only.
func (t *progressPrinter) Now(format string, args ...any) {
	if t.terminal {
		fmt.Fprintf(t.w, "\r\x1b[K%s", ansi.Truncate(fmt.Sprintf(format, args...), max(1, t.width-1), "…"))
		t.dirty = true
	}
}

// Line says something that stays.
func (t *progressPrinter) Line(format string, args ...any) {
	t.End()
	fmt.Fprintf(t.w, format+"\n", args...)
}

// End removes what is under way.
func (t *progressPrinter) End() {
	if t.dirty {
		fmt.Fprint(t.w, "\r\x1b[K")
		t.dirty = false
	}
}
