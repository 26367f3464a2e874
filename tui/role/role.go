// Package role says who may do what at a workbench that several people share:
// a viewer watches and tries things out on their own screen, an analyst decides
// about the topic and the runs, an admin also about the load on the network.
//
// The rule stands twice, for two reasons: Denied tells the interface why a key
// is off, Guard refuses the action itself, whatever way it came. Guard lists
// every method by name, so that a new one does not compile before somebody has
// decided who may call it. The danger is a key that Denied forgets: it then
// fails with Guard's reason instead of being off.
package role

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Role is what a person may do. The empty role may do everything: the
// workbench on one's own terminal.
type Role string

// The roles, each may do what the one before may.
const (
	Viewer  Role = "viewer"
	Analyst Role = "analyst"
	Admin   Role = "admin"
)

// Parse reads a role's name.
func Parse(s string) (Role, error) {
	switch r := Role(s); r {
	case Viewer, Analyst, Admin:
		return r, nil
	}
	return "", fmt.Errorf("role %q is none of viewer, analyst, admin", s)
}

func (r Role) rank() int {
	switch r {
	case Viewer:
		return 0
	case Analyst:
		return 1
	}
	return 2
}

// refuse says why r may not do what needs the given role; "" when it may.
func (r Role) refuse(needed Role) string {
	if r.rank() >= needed.rank() {
		return ""
	}
	return "your key has role=" + string(r) + "; it takes role=" + string(needed)
}

func (r Role) check(needed Role) error {
	if why := r.refuse(needed); why != "" {
		return errors.New(why)
	}
	return nil
}

// needs tells what the bindings of the workbench need, by name; what is not
// here changes nothing but one's own screen.
var needs = map[string]Role{
	"sample": Analyst, "add": Analyst, "anti-sample": Analyst, "add anti": Analyst, "gamma": Analyst, "yes": Analyst, "no": Analyst, "unsure": Analyst, "batch": Analyst, "learner decides": Analyst, "rule decides": Analyst,
	"on/off": Analyst, "add word": Analyst, "heavier": Analyst, "lighter": Analyst, "weight 1": Analyst, "weight": Analyst,
	"scheme": Analyst, "norm": Analyst, "words": Analyst, "terms": Analyst, "accept": Analyst, "look again": Analyst,
	"stop word": Analyst, "user word": Analyst,
	"apply": Analyst, "automatic": Analyst, "undo": Analyst, "redo": Analyst,
	"scout": Analyst, "discovery": Analyst, "harvest": Analyst, "pause": Analyst, "resume": Analyst, "step": Analyst, "stop": Analyst,
	"steer": Analyst, "rules": Analyst, "replay": Analyst, "use it": Admin,
	"strategy": Admin, "workers": Admin, "seeds": Admin, "settings": Admin, "delay": Admin, "depth": Admin, "budget": Admin, "scope": Admin,
}

// away tells why a binding is off for everyone at the other end of a line: what
// it touches would be the server's.
var away = map[string]string{
	"export": "the file would be the server's; run: ssh HOST export KIND > FILE",
}

// Denied says why the binding of that name does nothing for r; "" when it
// works.
func (r Role) Denied(binding string) string {
	if why := away[binding]; why != "" && r != "" {
		return why
	}
	if needed, ok := needs[binding]; ok {
		return r.refuse(needed)
	}
	return ""
}

// Bindings lists the names that Denied knows.
func Bindings() []string {
	return slices.Sorted(slices.Values(slices.Concat(slices.Collect(maps.Keys(needs)), slices.Collect(maps.Keys(away)))))
}
