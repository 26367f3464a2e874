package recipe

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"angler/crawl/listpage"
)

// This file parses cURL commands copied from browsers, for bash and cmd.

// maxCURL is the maximum size of a pasted command in bytes.
const maxCURL = 256 << 10

// takesValue holds the options that a value follows.
var takesValue = strings.Fields(`-X --request -H --header -d --data --data-raw --data-ascii --data-binary
	--data-urlencode --json -e --referer -b --cookie -u --user --url -A --user-agent -m --max-time --connect-timeout -o --output -x --proxy --proxy-user
	--retry --cacert --cert --key -c --cookie-jar -w --write-out --ciphers --resolve --tls-max --limit-rate`)

// ParseCURL parses a command as a request. It drops cookies and authorisations and reports them in notes, because
// recipes are shared.
func ParseCURL(text string) (x *Exchange, notes []string, err error) {
	if len(text) > maxCURL {
		return nil, nil, fmt.Errorf("longer than %d KB: that is no curl command", maxCURL>>10)
	}
	words, err := shellWords(text)
	if err != nil {
		return nil, nil, err
	}
	for len(words) > 0 && words[0] == "$" {
		words = words[1:]
	}
	if len(words) == 0 || strings.TrimSuffix(strings.ToLower(words[0][strings.LastIndexAny(words[0], `/\`)+1:]),
		".exe") != "curl" {
		return nil, nil, errors.New(
			"it does not begin with curl: in the browser's developer tools, Network, right click on the request, Copy as cURL")
	}
	c := curlCommand{request: &Exchange{Headers: map[string]string{}}}
	for i := 1; i < len(words); i++ {
		w := words[i]
		name, value, inline := w, "", false
		switch {
		case strings.HasPrefix(w, "--"):
			name, value, inline = strings.Cut(w, "=")
		case len(w) > 2 && w[0] == '-' && strings.IndexByte("XHdbAeuFmox", w[1]) >= 0:
			name, value, inline = w[:2], w[2:], true
		}
		if !inline && slices.Contains(takesValue, name) {
			if i++; i >= len(words) {
				return nil, nil, fmt.Errorf("nothing follows %s: the command was copied only in part", name)
			}
			value = words[i]
		}
		if !strings.HasPrefix(w, "-") {
			c.request.URL = cmp.Or(c.request.URL, w)
		} else if err := c.option(name, value); err != nil {
			return nil, nil, err
		}
	}
	if err := c.finish(); err != nil {
		return nil, nil, err
	}
	return c.request, c.notes, nil
}

// curlCommand is a command that is being read.
type curlCommand struct {
	request *Exchange
	data    []string // pieces of the body
	get     bool     // the pieces belong to the address
	notes   []string
}

// option reads an option. It ignores those that do not matter, such as --compressed.
func (c *curlCommand) option(name, v string) error {
	x := c.request
	switch name {
	case "-X", "--request":
		x.Method = strings.ToUpper(v)
	case "-H", "--header":
		k, value, ok := strings.Cut(v, ":")
		k = strings.TrimSpace(k)
		switch {
		case !ok:
		case isSecretHeader(k):
			c.notes = append(c.notes, leftOut(k))
		case keptHeader(k):
			x.Headers[k] = strings.TrimSpace(value)
		}
	case "-d", "--data", "--data-raw", "--data-ascii", "--data-binary":
		if strings.HasPrefix(v, "@") && name != "--data-raw" {
			return fmt.Errorf("%s %s sends a file: put its content into the command", name, v)
		}
		c.data = append(c.data, v)
	case "--data-urlencode":
		if k, value, ok := strings.Cut(v, "="); ok {
			v = k + "=" + url.QueryEscape(value)
		} else {
			v = url.QueryEscape(v)
		}
		c.data = append(c.data, strings.TrimPrefix(v, "="))
	case "--json":
		c.data = append(c.data, v)
		x.Headers["Content-Type"] = "application/json"
	case "-e", "--referer":
		x.Headers["Referer"] = v
	case "-b", "--cookie":
		c.notes = append(c.notes, leftOut("Cookie"))
	case "-u", "--user":
		c.notes = append(c.notes, leftOut("Authorization"))
	case "-F", "--form", "--form-string", "-T", "--upload-file":
		return fmt.Errorf("%s uploads: that is no list", name)
	case "-G", "--get":
		c.get = true
	case "--url":
		x.URL = v
	}
	return nil
}

// finish completes the request from all options.
func (c *curlCommand) finish() error {
	x := c.request
	if x.URL != "" && !strings.Contains(x.URL, "://") {
		x.URL = "http://" + x.URL
	}
	if x.URL = withoutFragment(x.URL); !webAddress(x.URL) {
		return fmt.Errorf("the command names no http address (%q)", x.URL)
	}
	x.Body = strings.Join(c.data, "&")
	if c.get && x.Body != "" {
		separator := "?"
		if strings.Contains(x.URL, "?") {
			separator = "&"
		}
		x.URL, x.Body = x.URL+separator+x.Body, ""
	}
	switch {
	case x.Method == "" && x.Body != "":
		x.Method = "POST"
	case x.Method == "", x.Method == "GET":
		x.Method, x.Body = "GET", ""
	case x.Method != "POST":
		return fmt.Errorf("the method is %s: lists are asked for with GET or POST", x.Method)
	}
	for k, v := range x.Headers {
		if page := withoutFragment(v); strings.EqualFold(k, "referer") && webAddress(page) {
			x.SeenOn = page
		}
	}
	return nil
}

func leftOut(header string) string {
	return "the header " + header + " was left out: recipes are shared"
}

// shellWords splits a command into words, by the rules of cmd if it contains cmd's ^, else by those of bash.
func shellWords(s string) ([]string, error) {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if strings.Contains(s, "curl.exe") && strings.Contains(s, `"`) && !strings.Contains(s, "'") {
		return cmdWords(s)
	}
	words, err := bashWords(s)
	if errors.Is(err, errCmd) {
		return cmdWords(s)
	}
	return words, err
}

// errCmd means that a ^ precedes a quote or line end outside quotes: browsers copy that for cmd only.
var errCmd = errors.New("the command is one for cmd")

var errOpen = errors.New("a quote is not closed: the command was copied only in part")

// wordList collects words.
type wordList struct {
	all []string
	b   strings.Builder
	in  bool // a word has begun, perhaps an empty one
}

func (w *wordList) write(s string) {
	w.b.WriteString(s)
	w.in = true
}

func (w *wordList) end() {
	if w.in {
		w.all = append(w.all, w.b.String())
		w.b.Reset()
		w.in = false
	}
}

func bashWords(s string) ([]string, error) {
	var w wordList
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '^' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\n'):
			return nil, errCmd
		case c == '\\' && i+1 < len(s):
			if i++; s[i] != '\n' {
				w.write(s[i : i+1])
			}
		case c == '\'':
			text, _, ok := strings.Cut(s[i+1:], "'")
			if !ok {
				return nil, errOpen
			}
			w.write(text)
			i += len(text) + 1
		case c == '$' && i+1 < len(s) && s[i+1] == '\'':
			w.in = true
			for i += 2; i < len(s) && s[i] != '\''; {
				if s[i] == '\\' {
					i = listpage.Unescape(&w.b, s, i)
					continue
				}
				w.b.WriteByte(s[i])
				i++
			}
			if i >= len(s) {
				return nil, errOpen
			}
		case c == '"':
			w.in = true
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("\"\\$`\n", s[i+1]) >= 0 {
					if i++; s[i] == '\n' {
						continue
					}
				}
				w.b.WriteByte(s[i])
			}
			if i >= len(s) {
				return nil, errOpen
			}
		case c == ' ' || c == '\t' || c == '\n':
			w.end()
		case (c == ';' || c == '|') && !w.in:
			return w.all, nil // another command
		default:
			w.write(s[i : i+1])
		}
	}
	w.end()
	return w.all, nil
}

// cmdWords removes the ^ that escape characters outside quotes. It then splits by the rules of Windows programs:
// quotes, and backslashes before them.
func cmdWords(s string) ([]string, error) {
	var t strings.Builder
	quoted := false
	for i := 0; i < len(s); i++ {
		if s[i] == '"' {
			quoted = !quoted
		}
		if s[i] == '^' && !quoted && i+1 < len(s) {
			if i++; s[i] == '\n' {
				if i+1 < len(s) && s[i+1] == '\n' { // a line break within a text
					t.WriteByte('\n')
					i++
				} else {
					t.WriteByte(' ')
				}
				continue
			}
		}
		t.WriteByte(s[i])
	}
	s = t.String()
	var w wordList
	quote := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			n := len(s[i:]) - len(strings.TrimLeft(s[i:], `\`))
			end := i + n
			i = end - 1
			if end < len(s) && s[end] == '"' {
				if n%2 == 1 { // the quote stands for itself
					i = end
				}
				w.write(strings.Repeat(`\`, n/2) + s[end:i+1])
			} else {
				w.write(strings.Repeat(`\`, n))
			}
		case c == '"' && quote && i+1 < len(s) && s[i+1] == '"':
			w.write(`"`)
			i++
		case c == '"':
			quote, w.in = !quote, true
		case !quote && (c == ' ' || c == '\t' || c == '\n'):
			w.end()
		default:
			w.write(s[i : i+1])
		}
	}
	if quote {
		return nil, errOpen
	}
	w.end()
	return w.all, nil
}
