//go:build unix

package browser

import (
	"os/exec"
	"syscall"
)

// groupOfItsOwn starts a command in its own process group. A terminal interrupt does not reach it,
// and the group identifies all its processes.
func groupOfItsOwn(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup kills the rest of a group.
func endGroup(group int) { _ = syscall.Kill(-group, syscall.SIGKILL) }
