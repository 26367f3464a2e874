package recipe

import (
	"strings"
	"testing"
)

// The same request as bash and cmd copy it.
func TestParseCURL(t *testing.T) {
	for name, text := range map[string]string{
		"bash": `curl 'http://h.test/api/list?x=1' -X 'POST' \
  -H 'Content-Type: application/json' \
  -H 'Cookie: SESSION=secret' \
  -H 'User-Agent: Mozilla/5.0' -H 'Referer: http://h.test/list.html' \
  --data-raw $'{"pageNo":1,"q":"it\'s","name":"\u91c7\u8d2d"}' --compressed`,
		"cmd": `curl ^"http://h.test/api/list?x=1^" ^
  -X ^"POST^" ^
  -H ^"Content-Type: application/json^" ^
  -b ^"SESSION=secret^" ^
  -H ^"Referer: http://h.test/list.html^" ^
  --data-raw ^"^{^\^"pageNo^\^":1,^\^"q^\^":^\^"it's^\^",^\^"name^\^":^\^"采购^\^"^}^"`,
	} {
		x, notes, err := ParseCURL(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if x.Method != "POST" || x.URL != "http://h.test/api/list?x=1" || x.Body != `{"pageNo":1,"q":"it's","name":"采购"}` || x.SeenOn != "http://h.test/list.html" || x.Headers["Content-Type"] != "application/json" {
			t.Errorf("%s: %+v", name, x)
		}
		if len(notes) != 1 || !strings.Contains(notes[0], "Cookie") || strings.Contains(strings.Join(notes, ""), "secret") || x.Headers["Cookie"] != "" || x.Headers["User-Agent"] != "" {
			t.Errorf("%s: notes %q, headers %v", name, notes, x.Headers)
		}
	}
	// A ^ within quotes is part of the text, in either shell.
	for text, body := range map[string]string{
		`curl 'http://h.test/' --data-raw '{"sort":"^","q":"a^"}'`:                         `{"sort":"^","q":"a^"}`,
		`curl "http://h.test/" -d "{\"sort\":\"^\"}" -H 'X: ^"'`:                           `{"sort":"^"}`,
		"curl 'http://h.test/' --data-raw 'a=^\nb' \\\n -H 'Accept: *'":                    "a=^\nb",
		`curl 'http://h.test/' --data-raw $'it\'s "^"'`:                                    `it's "^"`,
		"curl \"http://h.test/\" ^\n  --data-raw \"{\"\"sort\"\":\"\"^\"\",\"\"q\"\":1}\"": `{"sort":"^","q":1}`,
		"curl ^\"http://h.test/^\" ^\n  --data-raw ^\"'^^'^\"":                             `'^'`,
	} {
		if x, _, err := ParseCURL(text); err != nil || x.Body != body {
			t.Errorf("%s: %+v, %v, want %s", text, x, err, body)
		}
	}
	for _, c := range []struct{ text, says string }{
		{"wget http://h.test/", "does not begin with curl"},
		{"curl 'http://h.test/", "not closed"},
		{"curl -H", "copied only in part"},
		{"curl ftp://h.test/", "names no http address"},
		{"curl http://h.test/ -F file=@x", "uploads"},
		{"curl http://h.test/ -X DELETE", "GET or POST"},
	} {
		if _, _, err := ParseCURL(c.text); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.text, err, c.says)
		}
	}
}

func FuzzParseCURL(f *testing.F) {
	f.Add(`curl 'http://h.test/' -H 'a: b' --data-raw $'x\u0041'`)
	f.Add("curl ^\"http://h.test/^\" ^\n -d ^\"a=1^\"")
	f.Fuzz(func(t *testing.T, s string) { _, _, _ = ParseCURL(s) })
}
