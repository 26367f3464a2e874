// Package auth says which action each role may perform, and checks it for an Actor.
//
// A viewer watches and tries things on their own screen. An analyst decides about the topic and the runs. An admin
// also changes the load on the network. The owner sits at the terminal of the process and may do everything.
//
// An Action names its lowest role once. Keys are bound to actions, so a disabled key gives a reason. The engine's
// methods check the same action again with Actor.May. Zero values of Role and Action are refused.
// TestEveryMethodIsDecided of tui/screen finds a workbench method without an entry.
package auth

import (
	"errors"
	"fmt"
	"strings"
)

// Role is a person's permission level. The empty role allows nothing.
type Role string

// The roles. Each includes the permissions of the one before.
const (
	Viewer  Role = "viewer"
	Analyst Role = "analyst"
	Admin   Role = "admin"
	Owner   Role = "owner" // a person at the process's own terminal; no key has this role
)

// Reading is everybody's role at a workspace that this OS user cannot write.
const Reading Role = "reading"

// Parse returns the role named s. Keys may have viewer, analyst or admin.
func Parse(s string) (Role, error) {
	switch r := Role(s); r {
	case Viewer, Analyst, Admin:
		return r, nil
	}
	return "", fmt.Errorf("role %q is none of viewer, analyst, admin", s)
}

func (r Role) level() level {
	switch r {
	case Viewer, Reading:
		return viewers
	case Analyst:
		return analysts
	case Admin, Owner:
		return admins
	}
	return 0
}

// Actor is the person for whom the engine acts. The zero Actor may do nothing.
type Actor struct {
	Name   string // written to the log
	Role   Role
	Remote bool // connected from another machine: local files and addresses stay closed
}

// May returns why the actor may not perform an action; nil means permission.
func (a Actor) May(do Action) error {
	if why := a.Role.Denied(do); why != "" {
		return errors.New(why)
	}
	return nil
}

// Opens reports whether the engine may read from this address or path for the actor. A remote actor may name only
// HTTP addresses, because a file would be the server's.
func (a Actor) Opens(addressOrFile string) bool {
	return !a.Remote || strings.HasPrefix(addressOrFile, "http://") || strings.HasPrefix(addressOrFile, "https://")
}
