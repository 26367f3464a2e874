package recipe

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"angler/crawl/listpage"
)

// This file parses cURL commands copied from browsers, for bash and cmd.

// maxCURL is the maximum size of a pasted command in bytes.
const maxCURL = 256 << 10

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
		arg := func() (string, error) {
			if inline {
				return value, nil
			}
			if i++; i >= len(words) {
				return "", fmt.Errorf("nothing follows %s: the command was copied only in part", name)
			}
			return words[i], nil
		}
		var v string
		switch name {
		case "-X", "--request":
			if v, err = arg(); err == nil {
				x.Method = strings.ToUpper(v)
			}
		case "-H", "--header":
			if v, err = arg(); err == nil {
				k, val, ok := strings.Cut(v, ":")
				if !ok {
					continue
				}
				k = strings.TrimSpace(k)
				if isSecretHeader(k) {
					notes = append(notes, leftOut(k))
				}
				if !isSecretHeader(k) && keptHeader(k) {
					x.Headers[k] = strings.TrimSpace(val)
				}
			}
		case "-d", "--data", "--data-raw", "--data-ascii", "--data-binary":
			if v, err = arg(); err == nil {
				if strings.HasPrefix(v, "@") && name != "--data-raw" {
					return nil, nil, fmt.Errorf("%s %s sends a file: put its content into the command", name, v)
				}
				data = append(data, v)
			}
		case "--data-urlencode":
			if v, err = arg(); err == nil {
				if k, val, ok := strings.Cut(v, "="); ok {
					v = k + "=" + url.QueryEscape(val)
				} else {
					v = url.QueryEscape(v)
				}
				data = append(data, strings.TrimPrefix(v, "="))
			}
		case "--json":
			if v, err = arg(); err == nil {
				data = append(data, v)
				x.Headers["Content-Type"] = "application/json"
			}
		case "-e", "--referer":
			if v, err = arg(); err == nil {
				x.Headers["Referer"] = v
			}
		case "-b", "--cookie":
			if _, err = arg(); err == nil {
				notes = append(notes, leftOut("Cookie"))
			}
		case "-u", "--user":
			if _, err = arg(); err == nil {
				notes = append(notes, leftOut("Authorization"))
			}
		case "-F", "--form", "--form-string", "-T", "--upload-file":
			return nil, nil, fmt.Errorf("%s uploads: that is no list", name)
		case "-G", "--get":
			get = true
		case "--url":
			if v, err = arg(); err == nil {
				x.URL = v
			}
		case "-A", "--user-agent", "-m", "--max-time", "--connect-timeout", "-o", "--output", "-x", "--proxy",
			"--proxy-user", "--retry", "--cacert", "--cert", "--key",
			"-c", "--cookie-jar", "-w", "--write-out", "--ciphers", "--resolve", "--tls-max", "--limit-rate":
			_, err = arg()
		default:
			if strings.HasPrefix(w, "-") || w == "" {
				continue // a switch: --compressed, -k, -s …
			}
			if x.URL == "" {
				x.URL = w
			}
		}
		if err != nil {
			return nil, nil, err
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
		sep := "?"
		if strings.Contains(x.URL, "?") {
			sep = "&"
		}
		x.URL, body = x.URL+sep+body, ""
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

func bashWords(s string) (out []string, err error) {
	var b strings.Builder
	in := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '^' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\n'):
			return nil, errCmd
		case c == '\\' && i+1 < len(s):
			if i++; s[i] != '\n' {
				b.WriteByte(s[i])
				in = true
			}
		case c == '\'':
			end := strings.IndexByte(s[i+1:], '\'')
			if end < 0 {
				return nil, errOpen
			}
			b.WriteString(s[i+1 : i+1+end])
			i += end + 1
			in = true
		case c == '$' && i+1 < len(s) && s[i+1] == '\'':
			j := i + 2
			for j < len(s) && s[j] != '\'' {
				if s[j] == '\\' {
					j = listpage.Unescape(&b, s, j)
					continue
				}
				b.WriteByte(s[j])
				j++
			}
			if j >= len(s) {
				return nil, errOpen
			}
			i, in = j, true
		case c == '"':
			j := i + 1
			for ; j < len(s) && s[j] != '"'; j++ {
				if s[j] == '\\' && j+1 < len(s) && strings.IndexByte("\"\\$`\n", s[j+1]) >= 0 {
					if j++; s[j] == '\n' {
						continue
					}
				}
				b.WriteByte(s[j])
			}
			if j >= len(s) {
				return nil, errOpen
			}
			i, in = j, true
		case c == ' ' || c == '\t' || c == '\n':
			if in {
				out = append(out, b.String())
				b.Reset()
				in = false
			}
		case (c == ';' || c == '|') && !in:
			return out, nil // another command
		default:
			b.WriteByte(c)
			in = true
		}
	}
	if in {
		out = append(out, b.String())
	}
	return out, nil
}

// cmdWords removes the ^ that escape characters outside quotes. It then splits by the rules of Windows programs:
// quotes, and backslashes before them.
func cmdWords(s string) (out []string, err error) {
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
	var b strings.Builder
	in, quote := false, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			n := 0
			for i+n < len(s) && s[i+n] == '\\' {
				n++
			}
			if i+n < len(s) && s[i+n] == '"' {
				b.WriteString(strings.Repeat(`\`, n/2))
				if i += n - 1; n%2 == 1 {
					b.WriteByte('"')
					i++
				}
			} else {
				b.WriteString(strings.Repeat(`\`, n))
				i += n - 1
			}
			in = true
		case c == '"':
			if quote && i+1 < len(s) && s[i+1] == '"' {
				b.WriteByte('"')
				i++
				continue
			}
			quote, in = !quote, true
		case !quote && (c == ' ' || c == '\t' || c == '\n'):
			if in {
				out = append(out, b.String())
				b.Reset()
				in = false
			}
		default:
			b.WriteByte(c)
			in = true
		}
	}
	if quote {
		return nil, errOpen
	}
	if in {
		out = append(out, b.String())
	}
	return out, nil
}
