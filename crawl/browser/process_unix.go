//go:build unix

package browser

import (
	"os/exec"
	"syscall"
)

// groupOfItsOwn has a command run in a process group of its own: an interrupt from
// the terminal is not for it, and all its processes are known by the group.
func groupOfItsOwn(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup kills what is left of a group.
func endGroup(group int) { _ = syscall.Kill(-group, syscall.SIGKILL) }
