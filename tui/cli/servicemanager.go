package cli

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

// serviceManager tells a service manager that the program is ready, reads its settings
// again, ends, and is alive. It speaks systemd's protocol (sd_notify(3)): datagrams of
// NAME=VALUE lines to the socket that NOTIFY_SOCKET names. A message that cannot be
// delivered is dropped. The zero value sends nothing. It is safe for
// concurrent use.
type serviceManager struct {
	socket string        // "" = no service manager; a first @ stands for the abstract name space
	alive  time.Duration // between two messages that the program is alive; 0 = not asked for
}

// newServiceManager reads who wants to be told from the environment of the process pid.
func newServiceManager(getenv func(string) string, pid int) *serviceManager {
	s := &serviceManager{}
	socket := getenv("NOTIFY_SOCKET")
	if !strings.HasPrefix(socket, "/") && !strings.HasPrefix(socket, "@") {
		return s // systemd defines no other kind for datagrams
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

// ready says that the program serves, also after Reloading.
func (s *serviceManager) ready(status string) { s.send("READY=1", "STATUS="+joined(status)) }

// reloading says that settings are being read again; Ready must follow.
func (s *serviceManager) reloading() {
	s.send("RELOADING=1", fmt.Sprintf("MONOTONIC_USEC=%d", monotonic().Microseconds()))
}

// stopping says that the program is ending.
func (s *serviceManager) stopping() { s.send("STOPPING=1", "STATUS=storing what was fetched") }

// status is what the manager shows of the program: one line.
func (s *serviceManager) status(status string) { s.send("STATUS=" + joined(status)) }

// sayAlive says that the program is well. The manager ends and starts it again when
// it has not heard so for twice AliveEvery.
func (s *serviceManager) sayAlive() { s.send("WATCHDOG=1") }

// aliveEvery is how often to call Alive: half of what the manager waits; 0 = the
// manager does not want to hear of it.
func (s *serviceManager) aliveEvery() time.Duration { return s.alive }

// asked tells whether there is anybody to tell.
func (s *serviceManager) asked() bool { return s.socket != "" }

func (s *serviceManager) send(lines ...string) {
	if s.socket == "" {
		return
	}
	// Each message has a socket of its own: a manager that was started again
	// listens at the same path on another one.
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

// serviceManagerOf is New for this process.
func serviceManagerOf() *serviceManager { return newServiceManager(os.Getenv, os.Getpid()) }
