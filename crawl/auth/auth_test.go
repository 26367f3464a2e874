package auth

import (
	"strings"
	"testing"
)

func TestWhoMay(t *testing.T) {
	roles := []Role{"", "root", Reading, Viewer, Analyst, Admin, Owner}
	for _, c := range []struct {
		do  Action
		may []Role
	}{
		{Action{}, nil},
		{Own("look"), []Role{Reading, Viewer, Analyst, Admin, Owner}},
		{Star, []Role{Analyst, Admin, Owner}},
		{Seeds, []Role{Admin, Owner}},
		{Export, []Role{Reading, Owner}}, // the file would be the server's
		{TakeIn, []Role{Reading, Owner}},
	} {
		var may []Role
		for _, r := range roles {
			err := Actor{Name: "li", Role: r}.May(c.do)
			if (err == nil) != (r.Denied(c.do) == "") {
				t.Errorf("%q as %q: %v, and the key says %q", c.do.Name(), r, err, r.Denied(c.do))
			}
			if err == nil {
				may = append(may, r)
			}
		}
		if got, want := joined(may), joined(c.may); got != want {
			t.Errorf("%q may be done by %s, want %s", c.do.Name(), got, want)
		}
	}
}

func joined(roles []Role) string {
	var names []string
	for _, r := range roles {
		names = append(names, string(r))
	}
	return strings.Join(names, " ")
}

// A key never has the role of a person at the terminal of the process.
func TestRolesOfKeys(t *testing.T) {
	for _, r := range []Role{Viewer, Analyst, Admin} {
		if got, err := Parse(string(r)); got != r || err != nil {
			t.Errorf("%s is read as %q, %v", r, got, err)
		}
	}
	for _, r := range []Role{"", "root", Owner, Reading} {
		if got, err := Parse(string(r)); got != "" || err == nil {
			t.Errorf("a key may have the role %q: %q", r, got)
		}
	}
}

func TestWhatARemoteActorNames(t *testing.T) {
	for path, web := range map[string]bool{"http://x.cn/": true, "https://x.cn/": true, "/etc/passwd": false, "file:///etc/passwd": false, "HTTP://x.cn/": false, "": false} {
		if (Actor{Remote: true}).Opens(path) != web || !(Actor{}).Opens(path) {
			t.Errorf("%q is opened for a remote actor: %v, for another: %v", path, !web, (Actor{}).Opens(path))
		}
	}
}
