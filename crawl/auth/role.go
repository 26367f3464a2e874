// Package auth says which action each role may perform, and checks it for an Actor.
//
// A viewer watches and tries things out on their own screen, an analyst decides
// about the topic and the runs, an admin also about the load on the network. The
// owner sits at the terminal of the process and may do everything.
//
// An Action names its least role once. Keys are bound to actions, so that one that is
// off says why; the engine's methods check the same action again by Actor.May. Zero
// values of Role and Action are refused. TestEveryMethodIsDecided of tui/screen finds a
// method of the workbench without an entry.
package auth

import (
	"errors"
	"fmt"
	"strings"
)

// Role is what a person may do. The empty role may do nothing.
type Role string

// The roles, each may do what the one before may.
const (
	Viewer  Role = "viewer"
	Analyst Role = "analyst"
	Admin   Role = "admin"
	Owner   Role = "owner" // sits at the terminal of the process; no key has this role
)

// Reading is the role of every person at a workspace that this user cannot write.
const Reading Role = "reading"

// Parse reads the name of a role that a key may have.
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

// Actor is the person for whom a part of the engine acts. The zero Actor may do nothing.
type Actor struct {
	Name   string // for the log
	Role   Role
	Remote bool // at another machine: files and addresses of this one stay closed
}

// May returns why the actor may not do a; nil means permission.
func (a Actor) May(do Action) error {
	if why := a.Role.Denied(do); why != "" {
		return errors.New(why)
	}
	return nil
}

// Opens reports whether the actor may have the engine read from an address or a path:
// a remote actor names addresses only, because a file would be the server's.
func (a Actor) Opens(addressOrFile string) bool {
	return !a.Remote || strings.HasPrefix(addressOrFile, "http://") || strings.HasPrefix(addressOrFile, "https://")
}
