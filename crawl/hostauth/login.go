package hostauth

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/encoding/htmlindex"

	"angler/crawl/fetch"
	"angler/crawl/htmldoc"
	"angler/store/secrets"
)

// formLogin is the configuration of a login by a form.
type formLogin struct {
	Page        string
	Fields      map[string]string
	User        string
	Secret      string
	SecretField string // "" = the form's password field
	Text        string // text on the page after the login; "" = any page without a password field
}

// LoginReport is the result of a login, for display. It contains no sent or received value.
type LoginReport struct {
	Steps       []string // requests and responses in order
	Cookies     []string // names of the cookies in force
	Already     bool     // nothing was sent: earlier cookies are valid
	Fingerprint string   // of a certificate without a known issuer, see fetch.Fingerprint
	Err         error    // nil = logged in
}

const maxRedirects = 8 // redirects after a request

// conversation is one login in progress.
type conversation struct {
	ctx context.Context
	f   *fetch.Fetcher
	l   *formLogin
	r   LoginReport
}

func (c *conversation) say(format string, args ...any) {
	c.r.Steps = append(c.r.Steps, secrets.Redact(htmldoc.CleanLine(fmt.Sprintf(format, args...), 300)))
}

// logIn performs one login. ctx must be marked by fetch.Entering.
func logIn(ctx context.Context, f *fetch.Fetcher, jar *secrets.CookieJar, host string, l *formLogin) LoginReport {
	c := &conversation{ctx: ctx, f: f, l: l}
	c.r.Err = c.do()
	c.r.Fingerprint = fetch.Fingerprint(c.r.Err)
	for _, scheme := range []string{"https", "http"} {
		for _, name := range jar.Names(&url.URL{Scheme: scheme, Host: host, Path: "/"}) {
			if !slices.Contains(c.r.Cookies, name) {
				c.r.Cookies = append(c.r.Cookies, name)
			}
		}
	}
	return c.r
}

func (c *conversation) do() error {
	page, err := c.get(fetch.Request{URL: c.l.Page})
	if err != nil {
		return err
	}
	if page.Status >= 400 {
		return fmt.Errorf("the login page answers with status %d: correct login_page", page.Status)
	}
	form, err := readLoginForm(page.URL, page.ContentType, page.Body, c.l.SecretField)
	if err != nil {
		if c.l.Text != "" && contains(page, c.l.Text) {
			c.r.Already = true
			c.say("%s holds what stands there after a login", page.URL)
			return nil
		}
		return err
	}
	c.say("%s has a form for %s with the fields %s", page.URL, form.Action, strings.Join(form.Names, ", "))
	request, err := c.fill(page, form)
	if err != nil {
		return err
	}
	answer, err := c.get(request)
	if err != nil {
		return err
	}
	return c.judge(answer, form)
}

// fill returns the request that sends a form. The error says why the form must not be sent.
func (c *conversation) fill(page *fetch.Response, form *loginForm) (r fetch.Request, err error) {
	from, err := url.Parse(page.URL)
	if err != nil {
		return r, err
	}
	to, err := url.Parse(form.Action)
	switch {
	case err != nil || to.Scheme != "http" && to.Scheme != "https":
		return r, errors.New("the form is sent by a script, which is not run: log in with a browser, export its cookies and name the file as cookies")
	case form.Captcha != "":
		return r, fmt.Errorf("the form asks for a captcha (%s), which is not solved: log in with a browser, export its cookies and name the file as cookies", htmldoc.CleanLine(form.Captcha, 60))
	case !form.Post:
		return r, errors.New("the form would put the password into an address, or a script sends it: log in with a browser, export its cookies and name the file as cookies")
	case from.Scheme == "https" && to.Scheme == "http":
		return r, errors.New("the form of a secure page would send the password in the open")
	case !sameSite(from.Hostname(), to.Hostname()):
		return r, fmt.Errorf("the form would send the password to another site, %s: make that page the login_page if it is the right one", to.Host)
	}
	for name := range c.l.Fields {
		if !slices.Contains(form.Names, name) {
			c.say("the form has no field %s; it is sent all the same", name)
		}
	}
	if c.l.User != "" && form.User == "" && len(c.l.Fields) == 0 {
		return r, errors.New("no field before the password takes the user's name: name it in login_fields")
	}
	values := form.fill(c.l.Fields, c.l.User, c.l.Secret)
	body := encode(values, form.Charset)
	origin := from.Scheme + "://" + from.Host
	return fetch.Request{URL: form.Action, Method: http.MethodPost, Body: []byte(body),
		Header: map[string]string{"Referer": bare(page.URL), "Origin": origin}}, nil
}

// bare returns an address without query and fragment.
func bare(address string) string {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	return address
}

// encode encodes values as a form in a page's charset.
func encode(values url.Values, name string) string {
	e, err := htmlindex.Get(name)
	if err != nil || strings.EqualFold(name, "utf-8") {
		return values.Encode()
	}
	out := url.Values{}
	for key, list := range values {
		for _, v := range list {
			k, kerr := e.NewEncoder().String(key)
			x, verr := e.NewEncoder().String(v)
			if kerr != nil || verr != nil {
				k, x = key, v
			}
			out.Add(k, x)
		}
	}
	return out.Encode()
}

func sameSite(a, b string) bool {
	if strings.EqualFold(a, b) {
		return true
	}
	x, err1 := publicsuffix.EffectiveTLDPlusOne(strings.ToLower(a))
	y, err2 := publicsuffix.EffectiveTLDPlusOne(strings.ToLower(b))
	return err1 == nil && err2 == nil && x == y
}

// get sends a request and follows redirects within the site, as a browser does.
func (c *conversation) get(r fetch.Request) (*fetch.Response, error) {
	for hop := 0; ; hop++ {
		method := cmp.Or(r.Method, http.MethodGet)
		res, err := c.f.Fetch(c.ctx, r)
		if err != nil {
			c.say("%s %s: %s", method, bare(r.URL), reason(err))
			return nil, err
		}
		c.say("%s %s: status %d", method, bare(r.URL), res.Status)
		if res.Location == "" {
			return res, nil
		}
		if hop >= maxRedirects {
			return nil, fmt.Errorf("more than %d redirects, the last to %s", maxRedirects, bare(res.Location))
		}
		if res.Status == http.StatusTemporaryRedirect || res.Status == http.StatusPermanentRedirect {
			if r.Method != "" && !sameSite(hostOf(r.URL), hostOf(res.Location)) {
				return nil, fmt.Errorf("the password was asked for by another site, %s", bare(res.Location))
			}
			r.URL = res.Location
			continue
		}
		r = fetch.Request{URL: res.Location}
	}
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

func reason(err error) string {
	if fe, ok := errors.AsType[*fetch.Error](err); ok {
		return fe.Reason()
	}
	return err.Error()
}

var refusal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)"(?:success|ok|result|status|state|code)"\s*:\s*(?:false|"(?:fail|failed|failure|error|false)")`)
})

// judge returns an error unless a response belongs to a logged-in session.
func (c *conversation) judge(answer *fetch.Response, form *loginForm) error {
	hint := ""
	if form.Encrypts {
		hint = "; a script of the page seems to encrypt the password, which is not done here: log in with a browser, export its cookies and name the file as cookies"
	}
	switch {
	case answer.Status >= 400:
		return fmt.Errorf("the login was answered with status %d%s", answer.Status, hint)
	case c.l.Text != "" && contains(answer, c.l.Text):
		return nil
	case c.l.Text != "":
		return fmt.Errorf("the page after the login, %s, does not hold login_text%s", bare(answer.URL), hint)
	case isLoginPage(answer.Body), loginRedirect(answer.Body) != "":
		return fmt.Errorf("the page after the login, %s, asks for the password again: name or password may be wrong%s",
			bare(answer.URL), hint)
	case json.Valid(answer.Body) && bytes.HasPrefix(bytes.TrimSpace(answer.Body), []byte("{")) &&
		refusal().Match(answer.Body):
		return fmt.Errorf("the login was refused%s", hint)
	}
	return nil
}

func contains(r *fetch.Response, text string) bool {
	body, _ := htmldoc.DecodeText(r.Body, r.ContentType)
	return strings.Contains(body, text)
}
