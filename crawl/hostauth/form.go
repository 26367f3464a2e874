package hostauth

import (
	"cmp"
	"errors"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"angler/crawl/htmldoc"
)

// loginForm is a login form of a page.
type loginForm struct {
	Action   string     // absolute target address
	Post     bool       // false = the fields would be part of the address
	Values   url.Values // preset values: hidden fields, texts, choices
	Names    []string   // names of its fields in order
	User     string     // name of the field before the password; "" = none
	Secret   string     // name of the password field
	Captcha  string     // name of a captcha field; "" = none
	Encrypts bool       // a script of the page probably encrypts the password
	Charset  string     // of the page
}

// Bounds of a form.
const (
	maxFields = 500
	maxLoad   = 64 << 10 // bytes of all names and values
	parseTime = 5 * time.Second
)

// Errors of readLoginForm.
var (
	errNoLoginForm = errors.New("the page has no form with a field for a password; a script may make it: log in with a browser, export its cookies and name the file as cookies")
	errNoSecret    = errors.New("no form of the page has the field that login_secret names")
)

// readLoginForm reads the login form of the page at an address. secret is the name of the password
// field; "" = the first one of type password.
func readLoginForm(address, contentType string, body []byte, secret string) (*loginForm, error) {
	base, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	text, name := htmldoc.DecodeText(body[:min(len(body), maxBody)], contentType)
	root, err := htmldoc.ParseWithin(text, parseTime)
	if err != nil {
		return nil, err
	}
	r := reader{base: base, secret: secret}
	r.walk(root)
	for _, f := range r.forms {
		if f.Secret != "" {
			f.Charset, f.Encrypts = name, encrypts(text)
			return f, nil
		}
	}
	if secret != "" {
		return nil, errNoSecret
	}
	return nil, errNoLoginForm
}

// encrypts guesses from the names of encryption libraries.
func encrypts(text string) bool {
	return htmldoc.AnyWord(strings.ToLower(text), strings.Contains, "jsencrypt", "encryptpassword", "rsakeypair",
		"rsa.js", "md5.js", "hex_md5", "sm2.js", "sm2encrypt", "sm3(", "cryptojs", "encrypt.js", "setpublickey")
}

// reader collects the forms of a page. It does not recurse, because pages may nest arbitrarily
// deep.
type reader struct {
	base    *url.URL
	secret  string
	forms   []*loginForm
	current *loginForm // form that fields belong to
	within  *html.Node
	last    string // name of the last text field
	size    int
}

func (r *reader) walk(root *html.Node) {
	for n := root; n != nil; {
		if n.Type == html.ElementNode {
			r.element(n)
		}
		if n.FirstChild != nil {
			n = n.FirstChild
			continue
		}
		for n != nil && n.NextSibling == nil {
			if n == r.within {
				r.current, r.within = nil, nil
			}
			n = n.Parent
		}
		if n != nil {
			if n == r.within {
				r.current, r.within = nil, nil
			}
			n = n.NextSibling
		}
	}
}

func (r *reader) element(n *html.Node) {
	switch n.DataAtom {
	case atom.Base:
		if u, err := r.base.Parse(strings.TrimSpace(htmldoc.Attr(n, "href"))); err == nil && len(r.forms) == 0 {
			r.base = u
		}
	case atom.Form:
		action := *r.base
		if a := strings.TrimSpace(htmldoc.Attr(n, "action")); a != "" {
			if u, err := r.base.Parse(a); err == nil {
				action = *u
			}
		}
		action.Fragment = ""
		r.current, r.within, r.last = &loginForm{Action: action.String(),
			Post: strings.EqualFold(strings.TrimSpace(htmldoc.Attr(n, "method")), "post"), Values: url.Values{}}, n, ""
		r.forms = append(r.forms, r.current)
		if n.FirstChild == nil { // parsers close a form in a table at once; the fields that follow belong to it
			r.within = nil
		}
	case atom.Input, atom.Select, atom.Textarea, atom.Button:
		f := r.current
		if f == nil { // fields without a form, sent by a script
			if r.secretField(n) {
				r.current = &loginForm{Action: r.base.String(), Values: url.Values{}}
				r.forms = append(r.forms, r.current)
				f = r.current
			} else {
				if texts(n) {
					r.last = nameOf(n)
				}
				return
			}
		}
		r.field(f, n)
	case atom.Img:
		if r.current != nil && r.current.Captcha == "" &&
			captcha(htmldoc.Attr(n, "src")+" "+htmldoc.Attr(n, "id")+" "+htmldoc.Attr(n, "class")) {
			r.current.Captcha = cmp.Or(htmldoc.Attr(n, "id"), "an image")
		}
	}
}

func kind(n *html.Node) string {
	return strings.ToLower(strings.TrimSpace(htmldoc.Attr(n, "type")))
}

func nameOf(n *html.Node) string { return htmldoc.Attr(n, "name") }

// texts reports whether a field takes typed text.
func texts(n *html.Node) bool {
	switch kind(n) {
	case "", "text", "email", "tel", "number":
		return n.DataAtom == atom.Input
	}
	return false
}

func (r *reader) secretField(n *html.Node) bool {
	if r.secret != "" {
		return nameOf(n) == r.secret
	}
	return n.DataAtom == atom.Input && kind(n) == "password" && nameOf(n) != ""
}

func (r *reader) field(f *loginForm, n *html.Node) {
	name := nameOf(n)
	if name == "" || len(f.Names) >= maxFields {
		return
	}
	value := htmldoc.Attr(n, "value")
	if r.size += len(name) + len(value); r.size > maxLoad {
		return
	}
	k := kind(n)
	switch {
	case r.secretField(n):
		if f.Secret == "" {
			f.Secret, f.User = name, r.last
			f.Names = append(f.Names, name)
		}
		return
	case n.DataAtom == atom.Button && k != "" && k != "submit", k == "reset", k == "file", k == "image", k == "button":
		return
	case n.DataAtom == atom.Button, k == "submit":
		if f.Values.Has("\x00submit") || value == "" {
			return
		}
		f.Values.Set("\x00submit", "") // only the first submit button is pressed
	case k == "checkbox", k == "radio":
		if !htmldoc.Has(n, "checked") {
			return
		}
		value = cmp.Or(value, "on")
	case n.DataAtom == atom.Select:
		value = htmldoc.Chosen(n)
	case n.DataAtom == atom.Textarea && n.FirstChild != nil:
		value = n.FirstChild.Data
	}
	f.Names = append(f.Names, name)
	if k != "hidden" && texts(n) {
		if captcha(name + " " + htmldoc.Attr(n, "id") + " " + htmldoc.Attr(n, "placeholder")) {
			f.Captcha = cmp.Or(f.Captcha, name)
		} else if f.Secret == "" {
			r.last = name
		}
	}
	f.Values.Add(name, value)
}

// captcha reports whether a text contains a usual name of captchas.
func captcha(text string) bool {
	return htmldoc.AnyWord(strings.ToLower(text), strings.Contains, "captcha", "verifycode", "verify_code",
		"checkcode", "validcode", "validatecode", "vcode", "yzm", "imgcode", "randcode", "authcode", "kaptcha", "验证码", "校验码")
}

// fill returns the values to send: the form's, the named ones, the user and the password.
func (f *loginForm) fill(named map[string]string, user, secret string) url.Values {
	out := url.Values{}
	for name, values := range f.Values {
		if name != "\x00submit" {
			out[name] = values
		}
	}
	if user != "" && f.User != "" {
		out.Set(f.User, user)
	}
	for name, value := range named {
		out.Set(name, value)
	}
	out.Set(f.Secret, secret)
	return out
}
