package secrets

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for _, c := range [][2]string{
		{"", ""},
		{"nothing here", "nothing here"},
		{"mail wang@x.test: hello", "mail wang@x.test: hello"},
		{"http://x.test/a@b", "http://x.test/a@b"},
		{"http://x.test/?q=http://y@z", "http://x.test/?q=http://xxxxx@z"},
		{"http://user:secret@proxy:3128", "http://user:xxxxx@proxy:3128"},
		{"http://token@proxy:3128", "http://xxxxx@proxy:3128"},
		{"socks5://u:se:cr@et@proxy", "socks5://u:xxxxx@proxy"},
		{"SOCKS5H://u:secret@[::1]:1080/", "SOCKS5H://u:xxxxx@[::1]:1080/"},
		{`parse "http://u:sec%zzret@h": invalid`, `parse "http://u:xxxxx@h": invalid`},
		{`{"proxy":"http:\/\/u:secret@h"}`, `{"proxy":"http:\/\/u:xxxxx@h"}`},
		{"a http://u:secret@h b https://v:secret@i c", "a http://u:xxxxx@h b https://v:xxxxx@i c"},
		{"proxyconnect tcp: dial http://user:@h", "proxyconnect tcp: dial http://user:xxxxx@h"},
		{"http://@h", "http://@h"},
	} {
		if got := Redact(c[0]); got != c[1] {
			t.Errorf("%q became %q, want %q", c[0], got, c[1])
		}
	}
}

func TestAddress(t *testing.T) {
	for _, c := range [][2]string{
		{"", ""}, {"http://proxy:3128", "http://proxy:3128"}, {"user:secret@proxy:3128", "user:xxxxx@proxy:3128"},
		{"http://u:se/cr et@proxy", "http://u:xxxxx@proxy"}, {"http://token@proxy", "http://xxxxx@proxy"}, {"secret@proxy", "xxxxx@proxy"},
	} {
		if got := RedactAddress(c[0]); got != c[1] {
			t.Errorf("%q became %q, want %q", c[0], got, c[1])
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("user", "secret", "see ", " there")
	f.Fuzz(func(t *testing.T, user, password, before, after string) {
		const odd = " \t\n\f\r\v\"'<>/?#\\@"
		if password == "" || strings.ContainsAny(user, odd+":") || strings.ContainsAny(password, odd) || strings.Contains(Masked, password) {
			return
		}
		for _, r := range password {
			if r < 0x20 || r == 0x85 || r == 0xa0 || r > 0x2000 && r < 0x3001 {
				return
			}
		}
		s := before + " http://" + user + ":" + password + "@host/ " + after
		want := Redact(before+" ") + "http://" + user + ":" + Masked + "@host/" + Redact(" "+after)
		if got := Redact(s); got != want {
			t.Errorf("%q became %q, want %q", s, got, want)
		}
	})
}
