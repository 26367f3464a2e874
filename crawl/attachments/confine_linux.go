package attachments

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// runConfined runs a converter as the leader of a process group, which is killed when it ends.
// Limits apply to CPU time and file size, and to memory if small is set. They are set shortly after
// the start, because a process cannot set them for a child before.
func runConfined(cmd *exec.Cmd, small bool) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	if err := cmd.Start(); err != nil {
		return err
	}
	pid := cmd.Process.Pid
	limit := func(what int, n uint64) { _ = unix.Prlimit(pid, what, &unix.Rlimit{Cur: n, Max: n}, nil) }
	limit(unix.RLIMIT_CPU, 40)
	limit(unix.RLIMIT_FSIZE, 2*maxConvertOutput)
	limit(unix.RLIMIT_CORE, 0)
	if small {
		limit(unix.RLIMIT_AS, 1<<30)
	}
	err := cmd.Wait()
	_ = syscall.Kill(-pid, syscall.SIGKILL)
	return err
}
