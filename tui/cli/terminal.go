package cli

import (
	"context"
	"io"
	"os"
	"os/exec"
	"syscall"

	"github.com/charmbracelet/x/term"
)

// keepCursor saves the cursor position: terminals return to it when they leave the alternate
// screen. On the alternate screen it saves the position of that screen's cursor.
const keepCursor = "\x1b7"

// rememberTerminal saves the settings of a terminal and returns a function that restores them: echo and
// lines, the main screen, no mouse reports, a cursor. It cleans up after another program that could
// not. It does nothing if in or out is not a terminal.
func rememberTerminal(in, out *os.File) (giveBack func()) {
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

// runProgram runs another program on this terminal until it ends or ctx does, with its standard output
// in out. It returns the exit status, or -1 if a signal ended it.
func runProgram(ctx context.Context, name string, args []string, out io.Writer) (int, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, out, os.Stderr
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	err := c.Run()
	if c.ProcessState != nil {
		return c.ProcessState.ExitCode(), nil
	}
	return 0, err
}
