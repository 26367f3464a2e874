package sshd

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	gossh "golang.org/x/crypto/ssh"

	"angler/crawl/auth"
	"angler/tui/widget"
)

// maxName bounds a person's name, cells.
const maxName = 32

// harmless are options of OpenSSH's authorized_keys that forbid features this server does not have.
var harmless = map[string]bool{"restrict": true, "no-port-forwarding": true, "no-agent-forwarding": true,
	"no-x11-forwarding": true, "no-user-rc": true}

// keyList holds the keys of an authorized_keys file and their owners.
type keyList struct {
	people   map[string]auth.Actor // by the key's wire form
	problems []string              // skipped lines, with the reason
}

// parseKeys parses an authorized_keys file. The options of a line are role=viewer|analyst|admin
// (viewer if missing) and name="…". A line with an unknown option gives no access, because the
// option may restrict it.
func parseKeys(file []byte) keyList {
	k := keyList{people: map[string]auth.Actor{}}
	n := 0
	for line := range bytes.Lines(file) {
		n++
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		key, comment, options, _, err := gossh.ParseAuthorizedKey(line)
		var p auth.Actor
		if err == nil {
			p, err = person(comment, options)
			err = errors.Join(err, strong(key))
		} else {
			err = fmt.Errorf("this is no public key: %v", err)
		}
		if err != nil {
			k.problems = append(k.problems, fmt.Sprintf("line %d: %v", n, err))
			continue
		}
		if p.Name == "" {
			p.Name = strings.TrimPrefix(gossh.FingerprintSHA256(key), "SHA256:")[:8]
		}
		if _, twice := k.people[string(key.Marshal())]; twice {
			k.problems = append(k.problems, fmt.Sprintf("line %d: this key stands above already, which counts", n))
			continue
		}
		k.people[string(key.Marshal())] = p
	}
	return k
}

func person(comment string, options []string) (auth.Actor, error) {
	first, _, _ := strings.Cut(comment, " ")
	first, _, _ = strings.Cut(first, "@")
	p := auth.Actor{Name: cleanName(first), Role: auth.Viewer, Remote: true}
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		value = strings.Trim(value, `"`)
		switch name = strings.ToLower(name); {
		case name == "role":
			r, err := auth.Parse(value)
			if err != nil {
				return p, err
			}
			p.Role = r
		case name == "name":
			p.Name = cleanName(value)
		case !harmless[name]:
			return p, fmt.Errorf("option %q is unknown here; use role= and name=", o)
		}
	}
	return p, nil
}

func cleanName(s string) string { return widget.Fit(widget.Clean(s), maxName) }

// who returns the owner of a key.
func (k *keyList) who(key gossh.PublicKey) (auth.Actor, bool) {
	p, ok := k.people[string(key.Marshal())]
	return p, ok
}
