//go:build unix

package wire

import (
	"os"
	"os/signal"
	"syscall"
)

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
