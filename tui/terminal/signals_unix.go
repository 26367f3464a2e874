//go:build unix

package terminal

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// CanSuspend tells that Suspend stops the process.
const CanSuspend = true

// noStop is how long halt waits for a process that nothing stops: a job without a shell.
const noStop = time.Second

// halt stops the processes of the job, as a terminal does on ctrl+z, and returns when they
// go on.
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

// signals tells when the terminal has another size, and when the process goes on
// after it was stopped.
func signals() (changed, woken <-chan os.Signal, stop func()) {
	sizes, conts := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(sizes, syscall.SIGWINCH)
	signal.Notify(conts, syscall.SIGCONT)
	return sizes, conts, func() {
		signal.Stop(sizes)
		signal.Stop(conts)
	}
}
