package config

import (
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// The error for a wrong value says what to write, and names no types of Go.
func TestWrongSaysWhatToWrite(t *testing.T) {
	for text, want := range map[string]string{
		`N = "x"`:                  "write a whole number",
		`N = 1.5`:                  "write a whole number",
		`N = 1e400`:                "",
		`N = 99999999999999999999`: "this number is too large",
		`F = "x"`:                  "write a number",
		`B = 1`:                    "write true or false",
		`S = 1`:                    "write a text in quotes",
		`L = "x"`:                  `write a list: ["one", "two"]`,
		`L = [1]`:                  "write a text in quotes",
		`D = "x"`:                  `"x" is no duration; write for example 500ms, 1s or 2m`,
		`N = abc`:                  `syntax error at "a"`,
		`N == 1`:                   `syntax error at "="`,
		"[N]\nx = 1":               "write a whole number",
		"[[N]]\nx = 1":             "write a whole number",
	} {
		var doc struct {
			N int
			F float64
			B bool
			S string
			L []string
			D Duration
		}
		err := toml.Unmarshal([]byte(text), &doc)
		if err == nil {
			t.Errorf("%s is read", text)
			continue
		}
		got := Wrong(err)
		if want != "" && got != want || strings.Contains(got, "cannot") || strings.Contains(got, "int") || strings.Contains(got, "U+") {
			t.Errorf("%s: %q, want %q; the decoder says %q", text, got, want, err)
		}
	}
}
