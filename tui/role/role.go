// Package role says who may do what at a workbench that several people share:
// a viewer watches and tries things out on their own screen, an analyst decides
// about the topic and the runs, an admin also about the load on the network.
//
// An Action says once who may do it. The keys of the workbench are bound to
// actions, so that one that is off can say why; Guard wraps the parts of an
// engine and checks the same actions again, whatever way a call came. A guard
// lists every method of its interface by name, so that a new one does not
// compile before somebody has decided who may call it. The danger is a method
// that is let through because it seems to change nothing.
package role

import "fmt"

// Role is what a person may do. The empty role may do everything: the
// workbench on one's own terminal.
type Role string

// The roles, each may do what the one before may.
const (
	Viewer  Role = "viewer"
	Analyst Role = "analyst"
	Admin   Role = "admin"
)

// Reading is the role of everybody at a workspace that this user cannot write.
const Reading Role = "reading"

// Parse reads a role's name.
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
	}
	return admins
}
