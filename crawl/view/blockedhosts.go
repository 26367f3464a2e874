package view

import (
	"fmt"
	"time"
)

// The kinds of BlockedHost.
const (
	BlockSettings    = "settings"     // a file or secret named in its settings is unreadable
	BlockLoginFailed = "login failed" // the host refused the login
	BlockAsksLogin   = "asks"         // pages ask for a login
	BlockCaptcha     = "captcha"      // the host asks for a captcha
	BlockRefuses     = "refuses"      // the host refuses every request
	BlockRobots      = "robots"       // robots.txt forbids the seed
)

// BlockedHost is a host that refuses access. It holds no secret.
type BlockedHost struct {
	Host  string    `json:"host"`
	Kind  string    `json:"kind"`
	URL   string    `json:"url,omitempty"` // the page that was refused; "" = irrelevant
	Why   string    `json:"why"`
	Since time.Time `json:"since,omitzero"` // zero = before this process started
	Next  time.Time `json:"next,omitzero"`  // next attempt; zero = when its settings change
}

// Says returns the problem and the remedy on one line.
func (t *BlockedHost) Says() string {
	switch t.Kind {
	case BlockSettings:
		return fmt.Sprintf("host %s is not asked: %s", t.Host, t.Why)
	case BlockLoginFailed:
		return fmt.Sprintf("the login of host %s failed, try: angler lists login DIR %s · %s", t.Host, t.Host, t.Why)
	case BlockCaptcha:
		return fmt.Sprintf(
			"host %s asks for a captcha, which is not solved: export a browser's cookies and name the file under [host], or raise its delay", t.Host)
	case BlockRefuses:
		return fmt.Sprintf("host %s refuses us (%s): a longer delay may help, or a login or cookies under [host]",
			t.Host, t.Why)
	case BlockRobots:
		return fmt.Sprintf("host %s is closed by its robots.txt (%s): ask its owner, or take it out of the seeds",
			t.Host, t.Why)
	}
	return fmt.Sprintf("host %s asks for a login: name one under [host] in angler.toml, then: angler lists login DIR %s",
		t.Host, t.Host)
}
