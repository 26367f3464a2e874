package attachments

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// confined runs a converter as the head of a group of processes, all of which end with
// it, under limits of processor time and size of files, and of memory where small is
// true. The limits hold from shortly after the start: who starts a process cannot set
// them before.
func confined(cmd *exec.Cmd, small bool) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	if err := cmd.Start(); err != nil {
		return err
	}
	pid := cmd.Process.Pid
	limit := func(what int, n uint64) { _ = unix.Prlimit(pid, what, &unix.Rlimit{Cur: n, Max: n}, nil) }
	limit(unix.RLIMIT_CPU, 40)
	limit(unix.RLIMIT_FSIZE, 2*mostOutput)
	limit(unix.RLIMIT_CORE, 0)
	if small {
		limit(unix.RLIMIT_AS, 1<<30)
	}
	err := cmd.Wait()
	_ = syscall.Kill(-pid, syscall.SIGKILL)
	return err
}
