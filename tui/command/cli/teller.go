package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/x/ansi"

	"angler/tui/progress"
)

// ProgressPrinter reports progress: one line that rewrites itself on a terminal, plain
// lines of what is worth keeping elsewhere.
type ProgressPrinter struct {
	w        io.Writer
	width    int
	terminal bool
	dirty    bool
}

// NewTeller returns one that writes to w, which is standard error.
func NewTeller(w io.Writer) *ProgressPrinter {
	width, terminal := progress.Terminal(os.Stderr.Fd())
	return &ProgressPrinter{w: w, width: width, terminal: terminal}
}

// Now says what is under way, on a terminal only.
func (t *ProgressPrinter) Now(format string, args ...any) {
	if t.terminal {
		fmt.Fprintf(t.w, "\r\x1b[K%s", ansi.Truncate(fmt.Sprintf(format, args...), max(1, t.width-1), "…"))
		t.dirty = true
	}
}

// Line says something that stays.
func (t *ProgressPrinter) Line(format string, args ...any) {
	t.End()
	fmt.Fprintf(t.w, format+"\n", args...)
}

// End removes what is under way.
func (t *ProgressPrinter) End() {
	if t.dirty {
		fmt.Fprint(t.w, "\r\x1b[K")
		t.dirty = false
	}
}
