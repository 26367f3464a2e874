//go:build unix

package ways

import (
	"os/exec"
	"syscall"
)

// ofGroup has the end of the time end what the command has started, too.
func ofGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
