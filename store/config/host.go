package config

import (
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
	"golang.org/x/net/idna"
)

// Host is what one host is asked by that differs from [crawl]: [host."www.x.cn"] in
// angler.toml. Passwords do not stand in it, only where they are.
type Host struct {
	Delay   *Duration `toml:"delay,omitempty" comment:"between two fetches of this host; empty: crawl.delay"`
	PerHost int       `toml:"per_host,omitempty" comment:"fetches of this host at once; empty: crawl.per_host"`

	Headers     []string `toml:"headers,multiline,omitempty" comment:"sent with every request, each \"Name: value\"; a value may be env:VARIABLE or file:PATH"`
	UserAgent   string   `toml:"user_agent,omitempty" comment:"empty: crawl.user_agent"`
	Proxy       string   `toml:"proxy,omitempty" comment:"http:// or socks5:// address, or direct; empty: crawl.proxy"`
	Certificate string   `toml:"certificate,omitempty" comment:"SHA-256 of a certificate that is trusted without a known authority; angler lists login DIR HOST shows it"`

	Cookies      string `toml:"cookies,omitempty" comment:"file of cookies in Netscape's form, as browsers' add-ons export it; absolute or in the workspace"`
	User         string `toml:"user,omitempty" comment:"name at the door: of basic authentication, or with login_page of the form"`
	PasswordFile string `toml:"password_file,omitempty" comment:"file that holds the password, readable by its owner alone"`
	PasswordEnv  string `toml:"password_env,omitempty" comment:"environment variable that holds it"`

	LoginPage   string   `toml:"login_page,omitempty" comment:"address of the page with the login form"`
	LoginFields []string `toml:"login_fields,multiline,omitempty" comment:"fields of the form, each \"name = value\"; empty: user goes before the password"`
	LoginSecret string   `toml:"login_secret,omitempty" comment:"name of the field that takes the password; empty: the form's password field"`
	LoginText   string   `toml:"login_text,omitempty" comment:"text that stands on the page after a login; empty: that it asks for no password"`

	Render string `toml:"render,omitempty" comment:"pages through a browser: never, always; empty: never"`
	Worker string `toml:"worker,omitempty" comment:"tag of the workers that fetch this host"`
}

// The values of Host.Render.
const (
	renderNever  = "never"
	renderAlways = "always"
)

// direct is the Host.Proxy of a host that is asked without crawl.proxy.
const direct = "direct"

// Bounds of [host."…"].
const (
	mostHosts     = 1000
	mostHeaders   = 50
	longestHeader = 4 << 10
	longestDelay  = 24 * time.Hour
)

// Logs reports whether the host has a login: by a form, by basic authentication or
// by cookies that a person has brought.
func (h *Host) Logs() bool { return h.LoginPage != "" || h.User != "" || h.Cookies != "" }

// Apart reports whether the host is asked in a way of its own, which only the process that
// has the workspace knows: a proxy, headers, secrets, a browser.
func (h *Host) Apart() bool {
	rest := *h
	rest.Delay, rest.PerHost, rest.Worker = nil, 0, ""
	return len(rest.Has()) > 0
}

// Has names the settings that differ, in their order: never what they say.
func (h *Host) Has() (list []string) {
	for name, set := range h.each() {
		if set {
			list = append(list, name)
		}
	}
	return list
}

// clone returns a copy that shares nothing.
func (h Host) clone() Host {
	if h.Delay != nil {
		d := *h.Delay
		h.Delay = &d
	}
	h.Headers, h.LoginFields = slices.Clone(h.Headers), slices.Clone(h.LoginFields)
	return h
}

func cloneHosts(m map[string]Host) map[string]Host {
	if m == nil {
		return nil
	}
	out := make(map[string]Host, len(m))
	for name, h := range m {
		out[name] = h.clone()
	}
	return out
}

// checkHosts reports the first [host."…"] that cannot work.
func (s *Settings) checkHosts() error {
	if len(s.Host) > mostHosts {
		return fmt.Errorf("%d hosts are more than %d", len(s.Host), mostHosts)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Host)) {
		if why := CheckHostName(name); why != "" {
			return fmt.Errorf("%.80q %s", name, why)
		}
		h := s.Host[name]
		if key, why := h.check(); key != "" {
			return fmt.Errorf("%q: %s: %s", name, key, why)
		}
	}
	return nil
}

// CheckHostName says what is wrong with a name of [host."…"], which is that of
// addresses: HOST, or HOST:PORT with a port of its own; "" when nothing is.
func CheckHostName(name string) string {
	u, err := url.Parse("http://" + name + "/")
	switch {
	case name == "" || strings.Contains(name, "://") || strings.ContainsAny(name, "/?#@ \t*"):
		return "is no host: write it as in addresses, e.g. www.x.cn or www.x.cn:8080"
	case err != nil || u.Hostname() == "":
		return "is no host: write it as in addresses, e.g. www.x.cn or www.x.cn:8080"
	case strings.HasSuffix(name, ":80") || strings.HasSuffix(name, ":443") || strings.HasSuffix(name, ":"):
		return fmt.Sprintf("names the usual port: write %s", u.Hostname())
	}
	if a, err := idna.Lookup.ToASCII(u.Hostname()); err == nil && a != u.Hostname() {
		return fmt.Sprintf("is written %s in addresses: write that", strings.Replace(name, u.Hostname(), a, 1))
	}
	return ""
}

func (h *Host) check() (key, why string) {
	switch {
	case h.Delay != nil && (*h.Delay < 0 || time.Duration(*h.Delay) > longestDelay):
		return "delay", "outside of 0 … 24h"
	case h.PerHost < 0 || h.PerHost > 64:
		return "per_host", fmt.Sprintf("%d is outside 1 … 64; 0 means crawl.per_host", h.PerHost)
	case !httpguts.ValidHeaderFieldValue(h.UserAgent):
		return "user_agent", "it holds a control character"
	case h.Render != "" && h.Render != renderNever && h.Render != renderAlways:
		return "render", oneOf(h.Render, []string{renderNever, renderAlways})
	case h.Worker != "" && !goodName(h.Worker):
		return "worker", "a letter or digit, then at most 39 letters, digits, spaces, . _ -"
	case h.PasswordFile != "" && h.PasswordEnv != "":
		return "password_file", "one of password_file, password_env is enough"
	case h.PasswordEnv != "" && !goodVariable(h.PasswordEnv):
		return "password_env", "it is the name of an environment variable, not the password itself"
	}
	if why := CheckProxy(h.Proxy); why != "" && h.Proxy != direct {
		return "proxy", why + ", or direct"
	}
	if _, err := h.Fingerprint(); err != nil {
		return "certificate", err.Error()
	}
	if _, err := h.Header(); err != nil {
		return "headers", err.Error()
	}
	return h.checkLogin()
}

func (h *Host) checkLogin() (key, why string) {
	secret := h.PasswordFile != "" || h.PasswordEnv != ""
	u, err := url.Parse(h.LoginPage)
	switch {
	case h.LoginPage != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == ""):
		return "login_page", "it is no http address, e.g. http://www.x.cn/login"
	case h.LoginPage != "" && u.User != nil:
		return "login_page", "it holds a password: write user and password_file"
	case h.LoginPage != "" && !secret:
		return "password_file", "is missing, and there is a login_page; or write password_env"
	case h.LoginPage == "" && (len(h.LoginFields) > 0 || h.LoginSecret != "" || h.LoginText != ""):
		return "login_page", "is missing, and there is more about a login"
	case h.LoginPage == "" && secret && h.User == "":
		return "user", "is missing, and there is a password"
	case h.User != "" && !secret:
		return "password_file", "is missing, and there is a user; or write password_env"
	case strings.ContainsAny(h.User, "\r\n\x00") || h.LoginPage == "" && strings.Contains(h.User, ":"):
		return "user", "it holds a character that a user's name cannot have"
	}
	if _, err := h.Fields(); err != nil {
		return "login_fields", err.Error()
	}
	return "", ""
}

// CheckProxy says what is wrong with the address of a proxy; "" when nothing is.
func CheckProxy(address string) string {
	if address == "" {
		return ""
	}
	u, err := url.Parse(address)
	if err == nil && u.Hostname() != "" && slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme) {
		return ""
	}
	return "write it as http://HOST:PORT or socks5://HOST:PORT"
}

// Fingerprint is the certificate that is trusted: 32 bytes, or nil for none.
func (h *Host) Fingerprint() ([]byte, error) {
	if h.Certificate == "" {
		return nil, nil
	}
	text := strings.ToLower(strings.TrimSpace(h.Certificate))
	text = strings.TrimPrefix(strings.TrimPrefix(text, "sha256:"), "sha-256:")
	b, err := hex.DecodeString(strings.NewReplacer(":", "", " ", "").Replace(text))
	if err != nil || len(b) != 32 {
		return nil, fmt.Errorf("it is no SHA-256 of a certificate, 64 digits 0-9 a-f; angler lists login DIR HOST shows it")
	}
	return b, nil
}

// notOurs are headers that a request gets by other means.
var notOurs = []string{"Host", "Cookie", "Content-Length", "Content-Type", "Transfer-Encoding", "Connection", "Upgrade", "Te", "Trailer", "Accept-Encoding", "User-Agent", "If-None-Match", "If-Modified-Since", "Proxy-Authorization"}

// Header is Headers taken apart, in canonical form; what stands for a value that is
// read elsewhere (env:, file:) is still there.
func (h *Host) Header() (http.Header, error) {
	if len(h.Headers) > mostHeaders {
		return nil, fmt.Errorf("%d are more than %d", len(h.Headers), mostHeaders)
	}
	out := http.Header{}
	for i, line := range h.Headers { // the line itself may hold a secret: it is not repeated
		name, value, ok := strings.Cut(line, ":")
		name, value = http.CanonicalHeaderKey(strings.TrimSpace(name)), strings.TrimSpace(value)
		switch {
		case !ok || !httpguts.ValidHeaderFieldName(name):
			return nil, fmt.Errorf("number %d is none: write \"Name: value\"", i+1)
		case !httpguts.ValidHeaderFieldValue(value) || len(value) > longestHeader:
			return nil, fmt.Errorf("the value of %s is longer than 4 KB or holds a control character", name)
		case name == "Cookie":
			return nil, fmt.Errorf("cookies come from a file: write cookies = \"FILE\"")
		case slices.Contains(notOurs, name):
			return nil, fmt.Errorf("%s is set by the program itself", name)
		}
		out.Add(name, value)
	}
	return out, nil
}

// Fields are LoginFields taken apart.
func (h *Host) Fields() (map[string]string, error) {
	if len(h.LoginFields) > mostHeaders {
		return nil, fmt.Errorf("%d are more than %d", len(h.LoginFields), mostHeaders)
	}
	out := map[string]string{}
	for i, line := range h.LoginFields {
		name, value, ok := strings.Cut(line, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, fmt.Errorf("number %d is none: write \"name = value\"", i+1)
		}
		out[name] = strings.TrimSpace(value)
	}
	return out, nil
}

// DelayOf is the least time between two fetches of a host.
func (s *Settings) DelayOf(host string) time.Duration {
	if d := s.Host[strings.ToLower(host)].Delay; d != nil {
		return time.Duration(*d)
	}
	return time.Duration(s.Crawl.Delay)
}
