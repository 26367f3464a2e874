package config

import (
	"errors"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Wrong explains an error of the TOML decoder in plain words. The decoder itself names types and
// fields of Go.
func Wrong(err error) string {
	text := strings.TrimPrefix(err.Error(), "toml: ")
	var at *toml.DecodeError
	if !errors.As(err, &at) {
		return text
	}
	text = strings.TrimPrefix(at.Error(), "toml: ")
	if m := unexpected.FindStringSubmatch(text); m != nil {
		return `syntax error at "` + m[1] + `"`
	}
	if m := target.FindStringSubmatch(text); m != nil {
		kind := m[1]
		switch {
		case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "uint"):
			return "write a whole number"
		case strings.HasPrefix(kind, "float"):
			return "write a number"
		case kind == "bool":
			return "write true or false"
		case kind == "string":
			return "write a text in quotes"
		case strings.HasPrefix(kind, "[]"):
			return `write a list: ["one", "two"]`
		}
		return "this value does not fit here"
	}
	if strings.HasPrefix(text, "decimal number is too large") {
		return "this number is too large"
	}
	return text
}

var (
	unexpected = regexp.MustCompile(`^unexpected character (?:U\+[0-9A-F]+ )?'(.+?)'`)
	target     = regexp.MustCompile(`^(?:cannot decode TOML .* (?:of type|into)|(?:negative )?integer value \S+ cannot be stored in|cannot store a table in a|cannot store an array table in a) (\S+)$`)
)
