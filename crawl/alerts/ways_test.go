package alerts

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"angler/crawl/view"
	"angler/store/config"
)

var waysAt = time.Date(2026, 11, 20, 8, 30, 0, 0, time.FixedZone("CST", 8*3600))

func message() *outgoing {
	return &outgoing{Ref: "angler-REF1", Digest: &Digest{Workspace: "招标", Notify: "morning", Language: "zh", At: waysAt, Sections: []digestSection{
		{Tells: config.TellNew, Items: []digestItem{{ID: 7, Title: "琴房楼<b>空调</b>采购[点我](http://evil.test) @all", URL: "http://www.ntu.test/7?a=1&b=(2)", Site: "ntu", Budget: 922800,
			Deadline: waysAt.Add(49 * time.Hour), Clocked: true, Buyer: "南通大学"}}},
		{Tells: config.TellLists, Lists: []view.ListAlarm{{ID: 9, Title: "采购公告", URL: "http://www.hainu.test/list", Host: "www.hainu.test", Kind: view.ListLogin}}}}}}
}

func env(t *testing.T) WayEnv {
	return WayEnv{Dir: t.TempDir(), Getenv: func(k string) string { return map[string]string{"PW": "geheim123", "SECRET": "SEC000111222"}[k] }, Now: func() time.Time { return waysAt }}
}

// server is a mail server that keeps what it gets and refuses the first letters.
type server struct {
	mu      sync.Mutex
	refuses int
	letters []string
	users   []string
}

func (s *server) NewSession(c *smtp.Conn) (smtp.Session, error) { return &session{s: s, c: c}, nil }

type session struct {
	s *server
	c *smtp.Conn
}

func (x *session) AuthMechanisms() []string { return []string{sasl.Plain} }
func (x *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if password != "geheim123" {
			return errors.New("wrong password")
		}
		x.s.mu.Lock()
		defer x.s.mu.Unlock()
		x.s.users = append(x.s.users, user)
		return nil
	}), nil
}
func (x *session) Mail(string, *smtp.MailOptions) error { return nil }
func (x *session) Rcpt(string, *smtp.RcptOptions) error { return nil }
func (x *session) Reset()                               {}
func (x *session) Logout() error                        { return nil }
func (x *session) Data(r io.Reader) error {
	b, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	x.s.mu.Lock()
	defer x.s.mu.Unlock()
	if x.s.refuses > 0 {
		x.s.refuses--
		return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "come back later"}
	}
	x.s.letters = append(x.s.letters, string(b))
	return nil
}

// mailServer begins a server with a certificate that pool vouches for.
func mailServer(t *testing.T, s *server, whole bool) (address string, pool *x509.CertPool) {
	t.Helper()
	web := httptest.NewTLSServer(nil) // for its certificate
	web.Close()
	pool = x509.NewCertPool()
	pool.AddCert(web.Certificate())
	settings := &tls.Config{Certificates: web.TLS.Certificates}
	srv := smtp.NewServer(s)
	srv.TLSConfig, srv.Domain, srv.ErrorLog = settings, "mail.test", quietly{}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	address = l.Addr().String()
	if whole {
		l = tls.NewListener(l, settings)
	}
	done := make(chan struct{})
	go func() { defer close(done); _ = srv.Serve(l) }()
	t.Cleanup(func() { srv.Close(); <-done })
	return address, pool
}

type quietly struct{}

func (quietly) Printf(string, ...any) {}
func (quietly) Println(...any)        {}

func TestMail(t *testing.T) {
	for name, c := range map[string]struct {
		tls   string
		whole bool
	}{"STARTTLS": {config.TLSStart, false}, "TLS": {config.TLSWhole, true}} {
		t.Run(name, func(t *testing.T) {
			s := &server{refuses: 1}
			address, pool := mailServer(t, s, c.whole)
			e := env(t)
			e.Roots = pool
			w := newWay(&config.Notify{Name: "m", Way: config.WaySMTP, Server: address, TLS: c.tls, From: "angler@x.test", To: []string{"Wang <wang@x.test>", "li@x.test"}, User: "angler", PasswordEnv: "PW"}, e)
			if err := w.send(t.Context(), message()); err == nil || !strings.Contains(err.Error(), "451") {
				t.Fatalf("a letter that is refused: %v", err)
			}
			must(t, w.send(t.Context(), message()))
			if len(s.letters) != 1 || len(s.users) != 2 || s.users[0] != "angler" {
				t.Fatalf("%d letters, users %q", len(s.letters), s.users)
			}
			readLetter(t, s.letters[0])
		})
	}
}

func readLetter(t *testing.T, text string) {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(text))
	must(t, err)
	subject, _ := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if subject != "招标：新公告 1 条，异常列表页 1 个" || m.Header.Get("Message-Id") != "<angler-REF1@x.test>" {
		t.Errorf("subject %q, id %q", subject, m.Header.Get("Message-Id"))
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("%q %v", kind, err)
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	var kinds []string
	for {
		p, err := parts.NextRawPart()
		if err == io.EOF {
			break
		}
		must(t, err)
		b, err := io.ReadAll(quotedprintable.NewReader(p))
		must(t, err)
		body := string(b)
		kinds = append(kinds, strings.SplitN(p.Header.Get("Content-Type"), ";", 2)[0])
		if !strings.Contains(body, "92.28万元") || !strings.Contains(body, "还有 2 天") || !strings.Contains(body, "返回的是登录页面") {
			t.Errorf("%s lacks what is known:\n%s", p.Header.Get("Content-Type"), body)
		}
		if strings.Contains(kinds[len(kinds)-1], "html") && (strings.Contains(body, "<b>空调") || !strings.Contains(body, `href="http://www.ntu.test/7?a=1&amp;b=%282%29"`)) {
			t.Errorf("markup of a title passes, or the link is none:\n%s", body)
		}
	}
	if strings.Join(kinds, " ") != "text/plain text/html" {
		t.Errorf("parts %q", kinds)
	}
}

func TestMailThatCannotArrive(t *testing.T) {
	hung, err := net.Listen("tcp", "127.0.0.1:0") // no answer comes
	must(t, err)
	defer hung.Close()
	address, pool := mailServer(t, &server{}, false)
	e := env(t)
	e.Roots = pool
	base := config.Notify{Name: "m", Way: config.WaySMTP, Server: address, From: "angler@x.test", To: []string{"wang@x.test"}, User: "angler", PasswordEnv: "PW", Timeout: config.Duration(time.Minute)}
	for name, c := range map[string]struct {
		change func(*config.Notify, *WayEnv)
		says   string
	}{
		"a server that hangs": {func(n *config.Notify, _ *WayEnv) {
			n.Server, n.Timeout = hung.Addr().String(), config.Duration(time.Second)
		}, "no end within 1s"},
		"a wrong password":     {func(n *config.Notify, e *WayEnv) { e.Getenv = func(string) string { return "secret-wrong" } }, "wrong password"},
		"no password":          {func(n *config.Notify, _ *WayEnv) { n.PasswordEnv = "NONE" }, "NONE is not set"},
		"no password file":     {func(n *config.Notify, _ *WayEnv) { n.PasswordEnv, n.PasswordFile = "", "pw" }, "password cannot be read"},
		"an unknown authority": {func(_ *config.Notify, e *WayEnv) { e.Roots = x509.NewCertPool() }, "certificate"},
		"no listener":          {func(n *config.Notify, _ *WayEnv) { n.Server = "127.0.0.1:1" }, "refused"},
	} {
		t.Run(name, func(t *testing.T) {
			n, e := base, e
			c.change(&n, &e)
			err := newWay(&n, e).send(t.Context(), message())
			if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "secret-wrong") || strings.Contains(err.Error(), "geheim") {
				t.Errorf("%v, want %q and no secret", err, c.says)
			}
		})
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	base.Server, base.Timeout = hung.Addr().String(), 0
	if err := newWay(&base, e).send(ctx, message()); err == nil {
		t.Error("sent after the end of its context")
	}
}

func TestHooks(t *testing.T) {
	var got map[string]any
	var asked *http.Request
	answer := `{}`
	status, header := 200, http.Header{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, asked = nil, r
		_ = json.NewDecoder(r.Body).Decode(&got)
		for k, v := range header {
			w.Header()[k] = v
		}
		w.WriteHeader(status)
		io.WriteString(w, answer)
	}))
	defer srv.Close()
	e := env(t)
	address := srv.URL + "/robot/send?access_token=abcdef123456"
	send := func(n config.Notify) error {
		n.Name = "h"
		if n.URL == "" && n.URLFile == "" {
			n.URL = address
		}
		return newWay(&n, e).send(t.Context(), message())
	}

	t.Run("webhook", func(t *testing.T) {
		must(t, send(config.Notify{Way: config.WayWebhook, SecretEnv: "SECRET"}))
		if got["ref"] != "angler-REF1" || asked.Header.Get("Idempotency-Key") != "angler-REF1" || !strings.HasPrefix(asked.Header.Get("X-Angler-Signature"), "sha256=") {
			t.Errorf("%v %v", got, asked.Header)
		}
		items := got["sections"].([]any)[0].(map[string]any)["items"].([]any)[0].(map[string]any)
		if items["budget"] != 922800. || items["deadline"] != "2026-11-22T09:30:00+08:00" {
			t.Errorf("%v", items)
		}
	})
	t.Run("dingtalk", func(t *testing.T) {
		answer = `{"errcode":0,"errmsg":"ok"}`
		must(t, send(config.Notify{Way: config.WayDingTalk, SecretEnv: "SECRET"}))
		q := asked.URL.Query()
		if q.Get("access_token") != "abcdef123456" || q.Get("timestamp") != fmt.Sprint(waysAt.UnixMilli()) || len(q.Get("sign")) != 44 {
			t.Errorf("%v", q)
		}
		text := got["markdown"].(map[string]any)["text"].(string)
		if strings.Contains(text, "](http://evil.test)") || strings.Contains(text, "@all") || !strings.Contains(text, "](http://www.ntu.test/7?a=1&b=%282%29)") {
			t.Errorf("%s", text)
		}
	})
	t.Run("wecom", func(t *testing.T) {
		if err := send(config.Notify{Way: config.WayWeCom}); err != nil || got["msgtype"] != "markdown" {
			t.Errorf("%v %v", err, got)
		}
	})
	t.Run("feishu", func(t *testing.T) {
		answer = `{"code":0,"msg":"success"}`
		if err := send(config.Notify{Way: config.WayFeishu, SecretEnv: "SECRET"}); err != nil || got["timestamp"] != fmt.Sprint(waysAt.Unix()) || len(got["sign"].(string)) != 44 {
			t.Errorf("%v %v", err, got)
		}
	})
	for name, c := range map[string]struct {
		way, answer, says string
		status            int
		later             time.Duration
	}{
		"a wrong signature":   {config.WayDingTalk, `{"errcode":310000,"errmsg":"sign not match"}`, "310000", 200, 0},
		"too many messages":   {config.WayWeCom, `{"errcode":45009,"errmsg":"api freq out of limit"}`, "45009", 200, time.Minute},
		"a page for people":   {config.WayFeishu, `<html>`, "what is no robot's", 200, 0},
		"a server error":      {config.WayWebhook, "oops abcdef123456", "500", 500, 0},
		"a busy server":       {config.WayWebhook, "", "429", 429, 90 * time.Second},
		"a redirect":          {config.WayWebhook, "", "leads elsewhere", 302, 0},
		"an answer too large": {config.WayDingTalk, strings.Repeat(" ", 100<<10) + "{}", "what is no robot's", 200, 0},
	} {
		t.Run(name, func(t *testing.T) {
			answer, status = c.answer, c.status
			header = http.Header{"Location": {"http://169.254.169.254/"}}
			if c.later > time.Minute {
				header.Set("Retry-After", "90")
			}
			err := send(config.Notify{Way: c.way})
			if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "abcdef123456") {
				t.Fatalf("%v, want %q and no secret", err, c.says)
			}
			var later *retryLater
			if errors.As(err, &later) != (c.later > 0) || c.later > 0 && later.After != c.later {
				t.Errorf("%v is to be tried again %+v", err, later)
			}
		})
	}
	t.Run("no listener", func(t *testing.T) {
		if err := send(config.Notify{Way: config.WayWebhook, URL: "http://127.0.0.1:1/abcdef123456?x=abcdef123456"}); err == nil || strings.Contains(err.Error(), "abcdef123456") {
			t.Errorf("%v", err)
		}
	})
}

// The signatures are those that openssl makes of the same texts.
func TestSignatures(t *testing.T) {
	s := &signing{secret: "this is secret", at: time.UnixMilli(1616502243000), query: url.Values{}, body: map[string]any{}}
	robots[config.WayDingTalk].sign(s)
	if got := s.query.Get("sign"); got != "zRVOwh1AoNz1z3fJQ1vkUR5RjG5LIOLQ0Dq1Ocj20nA=" || s.query.Get("timestamp") != "1616502243000" {
		t.Errorf("dingtalk: %v", s.query)
	}
	robots[config.WayFeishu].sign(s)
	if s.body["sign"] != "00wFzV3OLd5fGf76R8RHazQKIhvHL9I+wls2apv2vb8=" || s.body["timestamp"] != "1616502243" {
		t.Errorf("feishu: %v", s.body)
	}
}

func TestRobotsGetNoMoreThanTheyTake(t *testing.T) {
	m := message()
	for i := range 300 {
		m.Digest.Sections[0].Items = append(m.Digest.Sections[0].Items, digestItem{ID: uint64(100 + i), Title: strings.Repeat("采购", 50), URL: "http://www.ntu.test/" + fmt.Sprint(i), Site: "ntu"})
	}
	parts := newWay(&config.Notify{Way: config.WayWeCom}, env(t)).split(m.Digest)
	n := 0
	for _, p := range parts {
		n += p.size()
		if size := len(p.markdown()); size > robots[config.WayWeCom].markdown {
			t.Errorf("a message of %d bytes", size)
		}
	}
	if n != m.Digest.size() || len(parts) < 10 {
		t.Errorf("%d rows in %d messages, want %d", n, len(parts), m.Digest.size())
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"", "120", "-1", "99999999999999999999", "Fri, 20 Nov 2026 08:30:00 GMT", "soon"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { retryAfter(s, waysAt) })
}
