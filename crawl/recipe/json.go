package recipe

import (
	"bytes"
	"errors"
	"strings"

	"github.com/tidwall/gjson"

	"angler/crawl/htmldoc"
)

// This file extracts bounded JSON from replies.

// Limits of a reply.
const (
	maxReply  = 32 << 20 // bytes of a reply
	maxDepth  = 200      // nested arrays and objects
	maxRows   = 5_000    // rows per page
	maxTitle  = 500      // bytes of a title
	maxURL    = 2_000    // bytes of an address
	maxText   = 4 << 20  // bytes of a notice held in its row
	maxPath   = 300      // bytes of a path
	maxPerKey = 200      // bytes of a row's key
)

// callback matches the function call of JSONP.
var callback = htmldoc.NewPattern(
	`^(?:/\*\*/\s*)?(?:typeof\s+[\w$.]+\s*===?\s*['"]function['"]\s*&&\s*)?[A-Za-z_$][\w$.\[\]'"]*\s*\(`)

// trim removes a byte order mark, JSONP and guards against script inclusion.
func trim(b []byte) []byte {
	b = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(b), []byte("\ufeff")))
	for _, guard := range []string{")]}',", ")]}'", "while(1);", "for(;;);"} {
		if rest, ok := bytes.CutPrefix(b, []byte(guard)); ok {
			b = bytes.TrimSpace(rest)
		}
	}
	if len(b) == 0 || b[0] == '{' || b[0] == '[' || b[0] == '"' || b[0] == '<' {
		return b
	}
	m := callback.FindStringIndex(string(b[:min(len(b), 300)]))
	if m == nil {
		return b
	}
	end := bytes.LastIndexByte(b, ')')
	if end < m[1] {
		return b[m[1]:] // truncated: the JSON parser reports it
	}
	return bytes.TrimSpace(b[m[1]:end])
}

// jsonOf validates a text as JSON. Otherwise the error is an *unfit that describes the text.
func jsonOf(b []byte) (string, error) {
	b = trim(b)
	switch {
	case len(b) == 0:
		return "", newUnfit(OtherType, "the reply is empty")
	case len(b) > maxReply:
		return "", newUnfit(Broken, "the reply is longer than %d MB", maxReply>>20)
	case b[0] == '<':
		return "", newUnfit(OtherType, "the reply is HTML instead of JSON%s", titled(b))
	}
	if err := shallow(b); err != nil {
		return "", err
	}
	if !gjson.ValidBytes(b) {
		switch last := b[len(b)-1]; {
		case b[0] != '{' && b[0] != '[':
			return "", newUnfit(OtherType, "the reply is no JSON: it begins with %q", firstOf(b))
		case last != '}' && last != ']':
			return "", newUnfit(Broken, "the JSON ends in the middle, after %d bytes", len(b))
		}
		return "", newUnfit(Broken, "the reply looks like JSON and is none")
	}
	return string(b), nil
}

// shallow rejects deep nesting, because JSON parsers recurse per level.
func shallow(b []byte) error {
	depth, text := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return newUnfit(Broken, "the JSON is nested deeper than %d levels", maxDepth)
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil
}

func firstOf(b []byte) string {
	return strings.ToValidUTF8(string(b[:min(len(b), 40)]), "?")
}

var titleForm = htmldoc.NewPattern(`(?i)<title[^>]*>([^<]*)<`)

// titled returns the title of an HTML page in parentheses.
func titled(b []byte) string {
	m := titleForm.FindStringSubmatch(string(b[:min(len(b), 8<<10)]))
	if m == nil {
		return ""
	}
	t := plainText(m[1], 80)
	if t == "" {
		return ""
	}
	return " (a page called " + t + ")"
}

var errPath = errors.New(
	"a path has at most 300 letters and none of the changes that begin with @, but for @this and @reverse")

// checkPath rejects gjson paths with modifiers.
func checkPath(p string) error {
	if len(p) > maxPath {
		return errPath
	}
	for i := 0; i < len(p); i++ {
		if p[i] != '@' || i > 0 && p[i-1] == '\\' {
			continue
		}
		if rest := p[i+1:]; !strings.HasPrefix(rest, "this") && !strings.HasPrefix(rest, "reverse") &&
			(i == 0 || p[i-1] == '.' || p[i-1] == '|') {
			return errPath
		}
	}
	return nil
}

// get returns the value at a path.
func get(json, path string) gjson.Result {
	if path == "@this" || path == "" {
		return gjson.Parse(json)
	}
	return gjson.Get(json, path)
}

// textOf returns a value as text, and "" for an object or array. Numbers keep their spelling, so that ids above 2^53
// keep all digits.
func textOf(v gjson.Result) string {
	switch v.Type {
	case gjson.Number:
		return v.Raw
	case gjson.JSON:
		return ""
	}
	return v.String()
}

// unwrap follows paths into strings that contain JSON.
func unwrap(json string, paths []string) (string, error) {
	for _, p := range paths {
		v := get(json, p)
		switch {
		case !v.Exists():
			return "", newUnfit(Gone, "the reply has no %s%s", p, instead(json))
		case v.Type == gjson.JSON: // plain JSON instead of a string
			json = v.Raw
			continue
		case v.Type != gjson.String:
			return "", newUnfit(OtherType, "%s is %s instead of a text that holds JSON%s", p, kindOf(v), instead(json))
		}
		inner, err := jsonOf([]byte(v.Str))
		if err != nil {
			var u *unfit
			if errors.As(err, &u) {
				return "", newUnfit(u.Kind, "in %s: %s", p, u.What)
			}
			return "", err
		}
		json = inner
	}
	return json, nil
}

var typeNames = map[gjson.Type]string{gjson.String: "a text", gjson.Number: "a number", gjson.Null: "null",
	gjson.True: "a truth value", gjson.False: "a truth value"}

// kindOf names the type of a value.
func kindOf(v gjson.Result) string {
	switch {
	case !v.Exists():
		return "nothing"
	case v.IsArray():
		return "an array"
	case v.IsObject():
		return "an object"
	}
	return typeNames[v.Type]
}
