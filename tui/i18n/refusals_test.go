package i18n

import (
	"strings"
	"testing"
	"unicode"

	"angler/store/config"
)

// Refusals of settings and their forms have Chinese.
func TestRefusalsAreTranslated(t *testing.T) {
	mail := config.Notify{Name: "a", Way: "smtp", Server: "mail.a.cn:587", From: "a@a.cn", To: []string{"b@a.cn"}}
	hook := config.Notify{Name: "a", Way: "webhook", URL: "http://a.cn/"}
	said := []string{config.CheckHook("foo"), config.CheckProxy("foo"), config.CheckHostName("http://a.cn"), config.CheckHostName("a.cn:80"), config.CheckHostName("南京.cn")}
	for _, wrong := range []func(mail, hook *config.Notify) *config.Notify{
		func(m, _ *config.Notify) *config.Notify { m.Name = "-"; return m },
		func(m, _ *config.Notify) *config.Notify { m.Server = ""; return m },
		func(m, _ *config.Notify) *config.Notify { m.Server = "mail"; return m },
		func(m, _ *config.Notify) *config.Notify { m.To = nil; return m },
		func(m, _ *config.Notify) *config.Notify { m.To = []string{"b"}; return m },
		func(m, _ *config.Notify) *config.Notify { m.User = "a"; return m },
		func(m, _ *config.Notify) *config.Notify { m.Rhythm = "often"; return m },
		func(m, _ *config.Notify) *config.Notify { m.At = "08:30"; return m },
		func(m, _ *config.Notify) *config.Notify { m.Rhythm, m.At = "daily", "8"; return m },
		func(m, _ *config.Notify) *config.Notify { m.Rhythm, m.Zone = "daily", "Nanjing"; return m },
		func(_, h *config.Notify) *config.Notify { h.URL = ""; return h },
		func(_, h *config.Notify) *config.Notify { h.URLEnv = "HOOK"; return h },
		func(_, h *config.Notify) *config.Notify { h.Server = "mail.a.cn:25"; return h },
	} {
		m, h := mail, hook
		_, why := wrong(&m, &h).Wrong()
		said = append(said, why)
	}
	for _, wrong := range []func(*config.Settings){
		func(s *config.Settings) { s.Crawl.HostURLs = -1 },
		func(s *config.Settings) { s.Crawl.Timeout = 0 },
		func(s *config.Settings) { s.Terms.Threshold = 0 },
		func(s *config.Settings) { s.Revisit.WatchMin = 1 },
		func(s *config.Settings) { s.Harvest.Pages = 0 },
	} {
		s := config.Default()
		wrong(&s)
		err := s.Validate()
		if err == nil {
			t.Fatal("a setting that cannot work is taken")
		}
		said = append(said, err.Error()[strings.LastIndex(err.Error(), ": ")+2:])
	}
	for _, why := range said {
		if zh := chinese().Line(why); why == "" || !strings.ContainsFunc(zh, func(r rune) bool { return unicode.Is(unicode.Han, r) }) || zh == why {
			t.Errorf("%q is %q", why, zh)
		}
	}
}
