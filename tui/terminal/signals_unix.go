//go:build unix

package terminal

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// CanSuspend reports whether Suspend stops the process.
const CanSuspend = true

// noStop is how long halt waits for a process that does not stop: a job without a shell.
const noStop = time.Second

// halt stops the processes of the job, like ctrl+z, and returns when they continue.
func halt() error {
	woken := make(chan os.Signal, 1)
	signal.Notify(woken, syscall.SIGCONT)
	defer signal.Stop(woken)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	select {
	case <-woken:
	case <-time.After(noStop):
	}
	return nil
}

// signals reports a new size of the terminal, and that the process continues after a stop.
func signals() (changed, woken <-chan os.Signal, stop func()) {
	sizes, conts := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(sizes, syscall.SIGWINCH)
	signal.Notify(conts, syscall.SIGCONT)
	return sizes, conts, func() {
		signal.Stop(sizes)
		signal.Stop(conts)
	}
}
