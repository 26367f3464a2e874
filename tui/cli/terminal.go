package cli

import (
	"io"
	"os"

	"github.com/charmbracelet/x/term"
)

// keepCursor saves the cursor position: terminals return to it when they leave the alternate
// screen. On the alternate screen it saves the position of that screen's cursor.
const keepCursor = "\x1b7"

// Remember saves the settings of a terminal and returns a function that restores them: echo and
// lines, the main screen, no mouse reports, a cursor. It cleans up after another program that could
// not. It does nothing if in or out is not a terminal.
func Remember(in, out *os.File) (giveBack func()) {
	state, err := term.GetState(in.Fd())
	return func() {
		if term.IsTerminal(out.Fd()) {
			_, _ = io.WriteString(out, keepCursor+restore)
		}
		if err == nil {
			_ = term.Restore(in.Fd(), state)
		}
	}
}
