package cli

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

// serviceManager reports to a service manager that the program is ready, reloads its settings,
// ends, or is alive. It speaks systemd's protocol (sd_notify(3)): datagrams of NAME=VALUE lines to
// the socket in NOTIFY_SOCKET. A message that cannot be delivered is dropped. The zero value sends
// nothing. It is safe for concurrent use.
type serviceManager struct {
	socket string        // "": no service manager; a first @ stands for the abstract name space
	alive  time.Duration // interval of sayAlive, half of the manager's limit; 0: not requested
}

// newServiceManager reads the service manager from the environment of the process pid.
func newServiceManager(getenv func(string) string, pid int) *serviceManager {
	s := &serviceManager{}
	socket := getenv("NOTIFY_SOCKET")
	if !strings.HasPrefix(socket, "/") && !strings.HasPrefix(socket, "@") {
		return s // systemd uses no other kind for datagrams
	}
	s.socket = socket
	if of := getenv("WATCHDOG_PID"); of != "" && of != strconv.Itoa(pid) {
		return s
	}
	if usec, err := strconv.ParseInt(getenv("WATCHDOG_USEC"), 10, 64); err == nil && usec > 0 {
		s.alive = max(time.Duration(usec)*time.Microsecond/2, time.Millisecond)
	}
	return s
}

// ready reports that the program serves, also after reloading.
func (s *serviceManager) ready(status string) { s.send("READY=1", "STATUS="+joined(status)) }

// reloading reports that settings are read again; ready must follow.
func (s *serviceManager) reloading() {
	s.send("RELOADING=1", fmt.Sprintf("MONOTONIC_USEC=%d", monotonic().Microseconds()))
}

// stopping reports that the program is ending.
func (s *serviceManager) stopping() { s.send("STOPPING=1", "STATUS=storing what was fetched") }

// status sets the one-line status that the manager shows.
func (s *serviceManager) status(status string) { s.send("STATUS=" + joined(status)) }

// sayAlive reports that the program is alive. The manager restarts it after twice the
// interval without this message.
func (s *serviceManager) sayAlive() { s.send("WATCHDOG=1") }

func (s *serviceManager) send(lines ...string) {
	if s.socket == "" {
		return
	}
	// Each message has its own socket: a restarted manager listens at the same path on another one.
	c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: s.socket, Net: "unixgram"})
	if err != nil {
		return
	}
	defer c.Close()
	if c.SetWriteDeadline(time.Now().Add(time.Second)) == nil {
		_, _ = c.Write([]byte(strings.Join(lines, "\n")))
	}
}

func joined(s string) string { return strings.Join(strings.Fields(s), " ") }

// serviceManagerOf returns the service manager of this process.
func serviceManagerOf() *serviceManager { return newServiceManager(os.Getenv, os.Getpid()) }
