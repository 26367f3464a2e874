package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"syscall"

	"angler/crawl"
)

// A panic in a goroutine of the engine ends the process at once: no deferred call can restore the
// terminal. So a shell waits beside the workbench. The Go runtime sends it the crash report, and it
// starts this program again, which restores the terminal and saves the report.

// watchEnv marks the process that handles a crash report.
const watchEnv = "ANGLER_WATCH"

// waiting is the script of the shell; $0 is this program. A shell starts in a hundredth of the time.
const waiting = `trap '' INT TERM QUIT HUP
IFS= read -r first || exit 0
{ printf '%s\n' "$first"; cat; } | "$0"`

// watch starts the shell; without one, this program waits itself. The workbench also works without
// either.
func watch() (stop func()) {
	nothing := func() {}
	path, err := os.Executable()
	if err != nil {
		return nothing
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nothing
	}
	c := exec.Command("sh", "-c", waiting, path)
	if c.Err != nil {
		c = exec.Command(path)
	}
	c.Env = append(os.Environ(), watchEnv+"=1")
	c.Stdin, c.Stdout, c.Stderr = r, os.Stdout, os.Stderr
	if err := c.Start(); err != nil {
		r.Close()
		w.Close()
		return nothing
	}
	r.Close()
	if debug.SetCrashOutput(w, debug.CrashOptions{}) != nil {
		w.Close()
		_ = c.Wait()
		return nothing
	}
	return func() {
		_ = debug.SetCrashOutput(nil, debug.CrashOptions{}) // closes the runtime's copy
		w.Close()
		_ = c.Wait()
	}
}

// restore leaves the alternate screen and turns off mouse reports and bracketed paste; it shows the
// cursor.
const restore = "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?25h\x1b[?1049l\x1b[0m\r"

// reportCrash waits for the end of the workbench, whose crash report it reads from in, and reports a
// crash, if any. It ignores signals, because the workbench handles them.
func reportCrash(in io.Reader) int {
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGHUP)
	words, err := io.ReadAll(bufio.NewReader(in))
	if err != nil || len(words) == 0 {
		return 0
	}
	fmt.Fprint(os.Stdout, restore)
	sane := exec.Command("stty", "sane")
	sane.Stdin = os.Stdout // the terminal itself; standard input is a pipe
	_ = sane.Run()
	fmt.Fprintf(os.Stderr, "\nangler: the program crashed; %s; the report is in %s\n", crawl.AfterCrash(words),
		crawl.WriteReport(words))
	return 1
}
