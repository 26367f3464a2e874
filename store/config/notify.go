package config

import (
	"cmp"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // time zones for machines without a zone database
	"unicode"
)

// Notify is one alert: which notices it reports, when, and to whom: [[notify]] in angler.toml.
type Notify struct {
	Name     string   `toml:"name" comment:"unique name, e.g. morning"`
	Filter   string   `toml:"filter,omitempty" comment:"notices it reports, as a filter of the inbox; empty: all"`
	Rhythm   string   `toml:"rhythm,omitempty" comment:"when it is sent: at once, daily"`
	At       string   `toml:"at,omitempty" comment:"daily: time of day, e.g. 08:30"`
	Zone     string   `toml:"zone,omitempty" comment:"time zone of at, e.g. Asia/Shanghai; empty: the zone of this machine"`
	Tell     []string `toml:"tell,omitempty" comment:"events: new, changed, won, due, lists; empty: the first three for at once, all for daily"`
	Due      Duration `toml:"due,omitempty" comment:"time before its deadline from which a notice is due soon; empty: 72h"`
	Language string   `toml:"language,omitempty" comment:"zh or en; empty: the language of the environment"`
	Empty    bool     `toml:"empty,omitempty" comment:"true sends a digest even if it is empty"`
	Off      bool     `toml:"off,omitempty" comment:"true pauses the alert; notices of that time are sent when it is on again"`
	Way      string   `toml:"way" comment:"smtp, webhook, dingtalk, wecom, feishu"`
	Timeout  Duration `toml:"timeout,omitempty" comment:"time limit of one attempt; empty: 30s"`

	Server       string   `toml:"server,omitempty" comment:"smtp: HOST:PORT"`
	TLS          string   `toml:"tls,omitempty" comment:"smtp: starttls, tls, none; empty: chosen by the port"`
	From         string   `toml:"from,omitempty" comment:"smtp: the sender's address"`
	To           []string `toml:"to,omitempty" comment:"smtp: addresses of the recipients"`
	User         string   `toml:"user,omitempty" comment:"smtp: user name, if the server needs a login"`
	PasswordFile string   `toml:"password_file,omitempty" comment:"smtp: file with the password"`
	PasswordEnv  string   `toml:"password_env,omitempty" comment:"smtp: environment variable with the password"`

	URL        string `toml:"url,omitempty" comment:"webhook, dingtalk, wecom, feishu: address of the receiver"`
	URLFile    string `toml:"url_file,omitempty" comment:"file with that address; use it for chat robots, whose addresses are secrets"`
	URLEnv     string `toml:"url_env,omitempty" comment:"environment variable with that address"`
	SecretFile string `toml:"secret_file,omitempty" comment:"webhook, dingtalk, feishu: file with the secret that signs messages"`
	SecretEnv  string `toml:"secret_env,omitempty" comment:"environment variable with that secret"`
}

// The values of Notify.Way.
const (
	WaySMTP     = "smtp"
	WayWebhook  = "webhook"
	WayDingTalk = "dingtalk"
	WayWeCom    = "wecom"
	WayFeishu   = "feishu"
)

// The values of Notify.Rhythm.
const (
	AtOnce = "at once"
	Daily  = "daily"
)

// The values of Notify.Tell.
const (
	TellNew     = "new"
	TellChanged = "changed"
	TellWon     = "won"
	TellDue     = "due"
	TellLists   = "lists"
)

// Ways, Rhythms and Tells list these values.
var (
	Ways    = []string{WaySMTP, WayWebhook, WayDingTalk, WayWeCom, WayFeishu}
	rhythms = []string{AtOnce, Daily}
	tells   = []string{TellNew, TellDue, TellChanged, TellWon, TellLists}
)

// replacements says what replaces a removed way or rhythm.
var replacements = map[string]string{
	"command": `"command" was removed; use way = "webhook", which posts the same JSON to an address`,
	"atom":    `"atom" was removed; run: angler export DIR notices --format atom -o FILE --force`,
	"weekly":  `"weekly" was removed; use rhythm = "daily"`,
}

// Bounds of [[notify]].
const (
	mostNotifies = 50
	mostTo       = 100 // addresses of one mail
	defaultDue   = 72 * time.Hour
	longestDue   = 365 * 24 * time.Hour
	defaultWait  = 30 * time.Second
	longestWait  = 10 * time.Minute
)

// goodName reports whether a row may have this name.
func goodName(s string) bool {
	n := 0
	for i, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && (i == 0 || !strings.ContainsRune(" ._-", r)) {
			return false
		}
		n++
	}
	return n > 0 && n <= 40
}

// goodVariable reports whether an environment variable may have this name.
func goodVariable(s string) bool {
	for i, r := range s {
		if r != '_' && (r|0x20 < 'a' || r|0x20 > 'z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// RhythmOf returns the rhythm or its default.
func (n *Notify) RhythmOf() string { return cmp.Or(n.Rhythm, AtOnce) }

// Tells reports whether the alert reports a kind of event.
func (n *Notify) Tells(kind string) bool {
	if len(n.Tell) == 0 {
		return n.RhythmOf() != AtOnce || kind != TellDue && kind != TellLists
	}
	return slices.Contains(n.Tell, kind)
}

// DueWithin returns how long before its deadline a notice is due soon.
func (n *Notify) DueWithin() time.Duration { return cmp.Or(time.Duration(n.Due), defaultDue) }

// Wait returns the time limit of one attempt.
func (n *Notify) Wait() time.Duration { return cmp.Or(time.Duration(n.Timeout), defaultWait) }

// Location returns the time zone of At, which was checked.
func (n *Notify) Location() *time.Location {
	if n.Zone != "" {
		if l, err := time.LoadLocation(n.Zone); err == nil {
			return l
		}
	}
	return time.Local
}

// Slot returns the newest time of a daily digest that is not after now. On a day without that clock
// time the digest is an hour later.
func (n *Notify) Slot(now time.Time) time.Time {
	if t := n.onDay(now, 0); !t.After(now) {
		return t
	}
	return n.onDay(now, -1)
}

// Next returns the first time of a daily digest after now.
func (n *Notify) Next(now time.Time) time.Time {
	if t := n.onDay(now, 0); t.After(now) {
		return t
	}
	return n.onDay(now, 1)
}

// onDay returns the time of the digest a number of days after the day of now.
func (n *Notify) onDay(now time.Time, days int) time.Time {
	now = now.In(n.Location())
	h, m, _ := clock(cmp.Or(n.At, "08:30"))
	return time.Date(now.Year(), now.Month(), now.Day()+days, h, m, 0, 0, now.Location())
}

func clock(s string) (h, m int, err error) {
	t, err := time.Parse("15:04", s)
	return t.Hour(), t.Minute(), err
}

// checkNotify reports the first invalid row of [[notify]] with its number, name and key. The inbox
// checks the filter.
func (s *Settings) checkNotify() error {
	if len(s.Notify) > mostNotifies {
		return fmt.Errorf("%d rows are more than %d", len(s.Notify), mostNotifies)
	}
	seen := map[string]int{}
	for i := range s.Notify {
		n := &s.Notify[i]
		if key, why := n.check(); key != "" {
			return n.wrongRow(i, key, why)
		}
		if seen[n.Name] > 0 {
			return n.wrongRow(i, "name", fmt.Sprintf("row %d has the same", seen[n.Name]))
		}
		seen[n.Name] = i + 1
	}
	return nil
}

// checkRemoved reports the first row of [[notify]] with a removed way or rhythm.
func (s *Settings) checkRemoved() error {
	for i := range s.Notify {
		if key, why := s.Notify[i].removed(); key != "" {
			return s.Notify[i].wrongRow(i, key, why)
		}
	}
	return nil
}

func (n *Notify) removed() (key, why string) {
	if why := replacements[n.Way]; why != "" {
		return "way", why
	}
	if why := replacements[n.Rhythm]; why != "" {
		return "rhythm", why
	}
	return "", ""
}

func (n *Notify) wrongRow(i int, key, why string) error {
	if n.Name == "" {
		return fmt.Errorf("row %d: %s: %s", i+1, key, why)
	}
	return fmt.Errorf("row %d (%.40q): %s: %s", i+1, n.Name, key, why)
}

func oneOf(v string, list []string) string {
	return fmt.Sprintf("%.40q is none of %s", v, strings.Join(list, ", "))
}

func (n *Notify) check() (key, why string) {
	if key, why := n.removed(); key != "" {
		return key, why
	}
	switch {
	case !goodName(n.Name):
		return "name", "a letter or digit, then at most 39 letters, digits, spaces, . _ -"
	case !slices.Contains(rhythms, n.RhythmOf()):
		return "rhythm", oneOf(n.Rhythm, rhythms)
	case n.At != "" && n.RhythmOf() == AtOnce:
		return "at", `goes with rhythm = "daily" only`
	case n.Due < 0 || time.Duration(n.Due) > longestDue:
		return "due", "outside of 0 … 8760h"
	case n.Timeout < 0 || time.Duration(n.Timeout) > longestWait || n.Timeout > 0 &&
		time.Duration(n.Timeout) < time.Second:
		return "timeout", "outside of 1s … 10m"
	case n.Language != "" && n.Language != "zh" && n.Language != "en":
		return "language", oneOf(n.Language, []string{"zh", "en"})
	}
	if n.At != "" {
		if _, _, err := clock(n.At); err != nil {
			return "at", fmt.Sprintf("%.20q is no time of day, as 08:30", n.At)
		}
	}
	if n.Zone != "" {
		if _, err := time.LoadLocation(n.Zone); err != nil {
			return "zone", fmt.Sprintf("%.40q is no time zone, as Asia/Shanghai", n.Zone)
		}
	}
	for _, t := range n.Tell {
		if !slices.Contains(tells, t) {
			return "tell", oneOf(t, tells)
		}
	}
	for _, env := range [][2]string{{"password_env", n.PasswordEnv}, {"url_env", n.URLEnv},
		{"secret_env", n.SecretEnv}} {
		if env[1] != "" && !goodVariable(env[1]) {
			return env[0], "it is the name of an environment variable, not the secret itself"
		}
	}
	if key, why := n.foreign(); key != "" {
		return key, why
	}
	return n.checkWay()
}

// foreign reports a key that belongs to another way.
func (n *Notify) foreign() (key, why string) {
	for _, l := range leaves(n) {
		ways := waysOf(l.key)
		if !l.v.IsZero() && !slices.Contains(ways, n.Way) && slices.Contains(Ways, n.Way) {
			return l.key, fmt.Sprintf("goes with way = %q only, and the way is %q", strings.Join(ways, `", "`), n.Way)
		}
	}
	return "", ""
}

// waysOf returns the ways that have a key.
func waysOf(key string) []string {
	switch key {
	case "server", "tls", "from", "to", "user", "password_file", "password_env":
		return []string{WaySMTP}
	case "url", "url_file", "url_env":
		return []string{WayWebhook, WayDingTalk, WayWeCom, WayFeishu}
	case "secret_file", "secret_env":
		return []string{WayWebhook, WayDingTalk, WayFeishu}
	}
	return Ways
}

func (n *Notify) checkWay() (key, why string) {
	switch n.Way {
	case WaySMTP:
		return n.checkMail()
	case WayWebhook, WayDingTalk, WayWeCom, WayFeishu:
		given := 0
		for _, v := range []string{n.URL, n.URLFile, n.URLEnv} {
			if v != "" {
				given++
			}
		}
		switch {
		case given == 0:
			return "url", "is missing; write it, or url_file or url_env"
		case given > 1:
			return "url", "one of url, url_file, url_env is enough"
		case n.SecretFile != "" && n.SecretEnv != "":
			return "secret_file", "one of secret_file, secret_env is enough"
		case n.URL != "":
			if why := CheckHook(n.URL); why != "" {
				return "url", why
			}
		}
	default:
		return "way", oneOf(n.Way, Ways)
	}
	return "", ""
}

// CheckHook reports what is wrong with the address of a webhook, or "". It does not repeat the
// address, which may be a secret.
func CheckHook(address string) (why string) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "it is no http address"
	}
	return ""
}

// HostOnly returns an address without its possible secrets: user, path and query.
func HostOnly(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "an address that is none"
	}
	return u.Scheme + "://" + u.Host + "/…"
}

// The values of Notify.TLS.
const (
	TLSStart = "starttls"
	TLSWhole = "tls"
	TLSNone  = "none"
)

// Protection returns TLS or its default: TLS from the start on port 465, STARTTLS on others.
func (n *Notify) Protection() string {
	if n.TLS == "" && strings.HasSuffix(n.Server, ":465") {
		return TLSWhole
	}
	return cmp.Or(n.TLS, TLSStart)
}

func (n *Notify) checkMail() (key, why string) {
	host, port, err := net.SplitHostPort(n.Server)
	number, perr := strconv.Atoi(port)
	switch {
	case n.Server == "":
		return "server", `is missing, e.g. server = "smtp.example.com:587"`
	case err != nil || host == "" || perr != nil || number < 1 || number > 65535:
		return "server", fmt.Sprintf("%.60q is not HOST:PORT, e.g. smtp.example.com:587", n.Server)
	case !slices.Contains([]string{TLSStart, TLSWhole, TLSNone}, n.Protection()):
		return "tls", oneOf(n.TLS, []string{TLSStart, TLSWhole, TLSNone})
	case n.From == "":
		return "from", "is missing"
	case len(n.To) == 0:
		return "to", `is missing, e.g. to = ["wang@example.com"]`
	case len(n.To) > mostTo:
		return "to", fmt.Sprintf("%d addresses are more than %d", len(n.To), mostTo)
	case n.PasswordFile != "" && n.PasswordEnv != "":
		return "password_file", "one of password_file, password_env is enough"
	case n.User == "" && (n.PasswordFile != "" || n.PasswordEnv != ""):
		return "user", "is missing, and there is a password"
	case n.User != "" && n.PasswordFile == "" && n.PasswordEnv == "":
		return "password_file", "is missing, and there is a user; or write password_env"
	case n.User != "" && n.Protection() == TLSNone && !isLoopback(host):
		return "tls", "a password would be sent in the open: use starttls or tls"
	}
	for _, a := range append([]string{n.From}, n.To...) {
		if _, err := mail.ParseAddress(a); err != nil {
			key = "to"
			if a == n.From {
				key = "from"
			}
			return key, fmt.Sprintf("%.60q is no mail address", a)
		}
	}
	return "", ""
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
