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

// Host holds the settings of one host that differ from [crawl]: [host."www.x.cn"] in angler.toml.
// It names where passwords are, not the passwords.
type Host struct {
	Delay   *Duration `toml:"delay,omitempty" comment:"pause between two fetches of this host; empty: crawl.delay"`
	PerHost int       `toml:"per_host,omitempty" comment:"concurrent fetches of this host; empty: crawl.per_host"`

	Headers     []string `toml:"headers,multiline,omitempty" comment:"headers of every request, each \"Name: value\"; a value may be env:VARIABLE or file:PATH"`
	UserAgent   string   `toml:"user_agent,omitempty" comment:"User-Agent of requests; empty: crawl.user_agent"`
	Proxy       string   `toml:"proxy,omitempty" comment:"address of a proxy, http:// or socks5://, or direct for none; empty: crawl.proxy"`
	Certificate string   `toml:"certificate,omitempty" comment:"SHA-256 of a certificate to trust without a known authority; angler lists login DIR HOST shows it"`

	Cookies      string `toml:"cookies,omitempty" comment:"file of cookies in Netscape format, as browser add-ons export it; its path is absolute or relative to the workspace"`
	User         string `toml:"user,omitempty" comment:"user name for basic authentication, or for the form of login_page"`
	PasswordFile string `toml:"password_file,omitempty" comment:"file with the password; only its owner may read it"`
	PasswordEnv  string `toml:"password_env,omitempty" comment:"environment variable with the password"`

	LoginPage   string   `toml:"login_page,omitempty" comment:"address of the page with the login form"`
	LoginFields []string `toml:"login_fields,multiline,omitempty" comment:"fields of the form, each \"name = value\"; empty: user goes into the field before the password"`
	LoginSecret string   `toml:"login_secret,omitempty" comment:"name of the password field; empty: the form's field of type password"`
	LoginText   string   `toml:"login_text,omitempty" comment:"text that the page shows after a login; empty: no password field means success"`

	Render string `toml:"render,omitempty" comment:"whether Chromium renders the pages: never, always; empty: never"`
	Worker string `toml:"worker,omitempty" comment:"tag of the workers that may fetch this host"`
}

// The values of Host.Render.
const (
	renderNever  = "never"
	renderAlways = "always"
)

// direct is the Host.Proxy of a host that is fetched without crawl.proxy.
const direct = "direct"

// Bounds of [host."…"].
const (
	mostHosts     = 1000
	mostHeaders   = 50
	longestHeader = 4 << 10
	longestDelay  = 24 * time.Hour
)

// Logs reports whether the host has a login: a form, basic authentication, or imported cookies.
func (h *Host) Logs() bool { return h.LoginPage != "" || h.User != "" || h.Cookies != "" }

// Apart reports whether only the process that holds the workspace can fetch the host: it needs a
// proxy, headers, secrets or a browser.
func (h *Host) Apart() bool {
	rest := *h
	rest.Delay, rest.PerHost, rest.Worker = nil, 0, ""
	return len(rest.Has()) > 0
}

// Has names the settings that differ, in their order, without their values.
func (h *Host) Has() (list []string) {
	for _, l := range leaves(h) {
		if !l.v.IsZero() {
			list = append(list, l.key)
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

// checkHosts reports the first invalid [host."…"].
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

// CheckHostName reports what is wrong with a name of [host."…"], or "". A name is the host of an
// address: HOST, or HOST:PORT with a non-default port.
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

// CheckProxy reports what is wrong with the address of a proxy, or "".
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

// Fingerprint returns the SHA-256 of the trusted certificate, 32 bytes; nil means none.
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

// notOurs are headers that the program sets itself.
var notOurs = []string{"Host", "Cookie", "Content-Length", "Content-Type", "Transfer-Encoding", "Connection", "Upgrade",
	"Te", "Trailer", "Accept-Encoding", "User-Agent", "If-None-Match", "If-Modified-Since", "Proxy-Authorization"}

// Header parses Headers into canonical form. Values that are read elsewhere (env:, file:) are not
// resolved.
func (h *Host) Header() (http.Header, error) {
	if len(h.Headers) > mostHeaders {
		return nil, fmt.Errorf("%d are more than %d", len(h.Headers), mostHeaders)
	}
	out := http.Header{}
	for i, line := range h.Headers { // the message leaves the line out: it may hold a secret
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

// Fields parses LoginFields.
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

// DelayOf returns the minimum time between two fetches of a host.
func (s *Settings) DelayOf(host string) time.Duration {
	if d := s.Host[strings.ToLower(host)].Delay; d != nil {
		return time.Duration(*d)
	}
	return time.Duration(s.Crawl.Delay)
}
