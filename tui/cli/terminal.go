package cli

import (
	"io"
	"os"

	"github.com/charmbracelet/x/term"
)

// keepCursor saves where the cursor is: terminals go there when they leave an
// alternate screen that they are not on. On the alternate screen it saves the
// place of that screen's own cursor.
const keepCursor = "\x1b7"

// Remember saves the settings of a terminal and returns a function that restores them:
// echo and lines, the main screen, no mouse reports, a cursor. It is for what
// another program left behind that could not do it itself. Where in or out is no
// terminal, nothing is done to it.
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
