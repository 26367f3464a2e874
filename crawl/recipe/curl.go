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
	x = &Exchange{Headers: map[string]string{}}
	var data []string
	get := false
	for i := 1; i < len(words); i++ {
		w := words[i]
		name, value, inline := w, "", false
		switch {
		case strings.HasPrefix(w, "--"):
			name, value, inline = strings.Cut(w, "=")
		case len(w) > 2 && w[0] == '-' && strings.IndexByte("XHdbAeuFmox", w[1]) >= 0:
			name, value, inline = w[:2], w[2:], true
		}
		v := value
		if !inline && slices.Contains(takesValue, name) {
			if i++; i >= len(words) {
				return nil, nil, fmt.Errorf("nothing follows %s: the command was copied only in part", name)
			}
			v = words[i]
		}
		switch name {
		case "-X", "--request":
			x.Method = strings.ToUpper(v)
		case "-H", "--header":
			k, val, ok := strings.Cut(v, ":")
			k = strings.TrimSpace(k)
			switch {
			case !ok:
			case isSecretHeader(k):
				notes = append(notes, leftOut(k))
			case keptHeader(k):
				x.Headers[k] = strings.TrimSpace(val)
			}
		case "-d", "--data", "--data-raw", "--data-ascii", "--data-binary":
			if strings.HasPrefix(v, "@") && name != "--data-raw" {
				return nil, nil, fmt.Errorf("%s %s sends a file: put its content into the command", name, v)
			}
			data = append(data, v)
		case "--data-urlencode":
			if k, val, ok := strings.Cut(v, "="); ok {
				v = k + "=" + url.QueryEscape(val)
			} else {
				v = url.QueryEscape(v)
			}
			data = append(data, strings.TrimPrefix(v, "="))
		case "--json":
			data = append(data, v)
			x.Headers["Content-Type"] = "application/json"
		case "-e", "--referer":
			x.Headers["Referer"] = v
		case "-b", "--cookie":
			notes = append(notes, leftOut("Cookie"))
		case "-u", "--user":
			notes = append(notes, leftOut("Authorization"))
		case "-F", "--form", "--form-string", "-T", "--upload-file":
			return nil, nil, fmt.Errorf("%s uploads: that is no list", name)
		case "-G", "--get":
			get = true
		case "--url":
			x.URL = v
		default: // an option that does not matter, such as --compressed, or the address
			if !strings.HasPrefix(w, "-") {
				x.URL = cmp.Or(x.URL, w)
			}
		}
	}
	if x.URL != "" && !strings.Contains(x.URL, "://") {
		x.URL = "http://" + x.URL
	}
	if !webAddress(withoutFragment(x.URL)) {
		return nil, nil, fmt.Errorf("the command names no http address (%q)", x.URL)
	}
	x.URL = withoutFragment(x.URL)
	body := strings.Join(data, "&")
	if get && body != "" {
		separator := "?"
		if strings.Contains(x.URL, "?") {
			separator = "&"
		}
		x.URL, body = x.URL+separator+body, ""
	}
	x.Body = body
	switch {
	case x.Method == "" && body != "":
		x.Method = "POST"
	case x.Method == "":
		x.Method = "GET"
	case x.Method != "GET" && x.Method != "POST":
		return nil, nil, fmt.Errorf("the method is %s: lists are asked for with GET or POST", x.Method)
	}
	if x.Method == "GET" {
		x.Body = ""
	}
	for k, v := range x.Headers {
		if strings.EqualFold(k, "referer") && webAddress(withoutFragment(v)) {
			x.SeenOn = withoutFragment(v)
		}
	}
	return x, notes, nil
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
