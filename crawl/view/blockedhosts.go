package view

import (
	"fmt"
	"time"
)

// The kinds of BlockedHost.
const (
	BlockSettings    = "settings"     // what its settings name cannot be read
	BlockLoginFailed = "login failed" // its login was refused
	BlockAsksLogin   = "asks"         // its pages ask for a login
	BlockCaptcha     = "captcha"      // it asks for proof of a person
	BlockRefuses     = "refuses"      // it refuses whatever is asked
	BlockRobots      = "robots"       // its robots.txt keeps us away from its seed
)

// BlockedHost is a host that does not let us in. No secret is in it.
type BlockedHost struct {
	Host  string    `json:"host"`
	Kind  string    `json:"kind"`
	URL   string    `json:"url,omitempty"` // the page that met it; "" where it is of no matter
	Why   string    `json:"why"`
	Since time.Time `json:"since,omitzero"` // zero = before this program began
	Next  time.Time `json:"next,omitzero"`  // when it is asked again; zero = when its settings change
}

// Says is what is wrong, in a line, and what to do next.
func (t *BlockedHost) Says() string {
	switch t.Kind {
	case BlockSettings:
		return fmt.Sprintf("host %s is not asked: %s", t.Host, t.Why)
	case BlockLoginFailed:
		return fmt.Sprintf("the login of host %s failed, try: angler lists login DIR %s · %s", t.Host, t.Host, t.Why)
	case BlockCaptcha:
		return fmt.Sprintf("host %s asks for a captcha, which is not solved: export a browser's cookies and name the file under [host], or raise its delay", t.Host)
	case BlockRefuses:
		return fmt.Sprintf("host %s refuses us (%s): a longer delay may help, or a login or cookies under [host]", t.Host, t.Why)
	case BlockRobots:
		return fmt.Sprintf("host %s is closed by its robots.txt (%s): ask its owner, or take it out of the seeds", t.Host, t.Why)
	}
	return fmt.Sprintf("host %s asks for a login: name one under [host] in angler.toml, then: angler lists login DIR %s", t.Host, t.Host)
}
