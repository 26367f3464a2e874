package sshd

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"
)

func TestLoggable(t *testing.T) {
	for in, want := range map[string]string{
		"status --json":                               "status --json",
		"a\x1b[2J\r\nlevel=ERROR\x00 b":               "a level=ERROR b",
		"x \u202egnp.exe":                             "x gnp.exe",
		"get http://wang:hunter2@host/x socks5://u@h": "get http://***@host/x socks5://***@h",
		"--password=hunter2 token: abc apikey=1 ok":   "--password=*** token: *** apikey=*** ok",
		"Authorization: Bearer":                       "Authorization: ***",
		"\xff\xfe":                                    "\ufffd\ufffd",
	} {
		if got := loggable(in); got != want {
			t.Errorf("%q is logged as %q, want %q", in, got, want)
		}
	}
	if got := loggable(strings.Repeat("公告", 1<<20)); len(got) > maxLogged+len("…") {
		t.Errorf("%d bytes are logged", len(got))
	}
}

// The log has every command with person, address, key, command and result, and every refusal.
func TestEveryCommandIsInTheLog(t *testing.T) {
	x := newSite(t, Limits{})
	c := x.attach("wang")
	print := gossh.FingerprintSHA256(x.keys["wang"].PublicKey())
	x.runOn(c, "status --json")
	x.runOn(c, "rm -rf /\x1b[2J http://u:hunter2@h/")
	w := x.workbench(c, 80, 24)
	w.samples()
	w.press("q")
	<-w.over
	for _, kind := range []string{"subsystem", "x11-req", "auth-agent-req@openssh.com"} {
		s, err := c.NewSession()
		must(t, err)
		if ok, _ := s.SendRequest(kind, true, gossh.Marshal(struct{ Name string }{"sf\x1b]0;x\x07tp"})); ok {
			t.Errorf("%s is granted", kind)
		}
		s.Close()
	}
	_, _, _ = c.OpenChannel("direct-tcpip", nil)
	_, _, _ = c.SendRequest("tcpip-forward", true, nil)
	_, _, _ = c.SendRequest("keepalive@openssh.com", true, nil)

	who := `name=wang role=analyst from=127\.0\.0\.1 key="?` + regexp.QuoteMeta(print) + `"? `
	for _, want := range []string{
		`msg="session begins" ` + who + `run="status --json" terminal=false`,
		`msg="session ends" ` + who + `run="status --json" status=0 why="" seconds=[0-9.e-]+ bytes=[1-9]`,
		`msg="session ends" ` + who + `run="rm -rf / http://\*\*\*@h/" status=2 `,
		`msg="session begins" ` + who + `run=workbench terminal=true`,
		`msg="session ends" ` + who + `run=workbench status=0 `,
		`msg=refused ` + who + `what="subsystem sftp"`,
		`msg=refused ` + who + `what=x11-req`,
		`msg=refused ` + who + `what=auth-agent-req@openssh.com`,
		`msg=refused ` + who + `what="channel direct-tcpip"`,
		`msg=refused ` + who + `what="request tcpip-forward"`,
	} {
		line := regexp.MustCompile(want)
		waitFor(t, want+"; the log:\n"+x.log.String(), func() bool { return line.MatchString(x.log.String()) })
	}
	for _, never := range []string{"\x1b", `\x1b`, "hunter2", "keepalive"} {
		if strings.Contains(x.log.String(), never) {
			t.Errorf("%q is in the log:\n%s", never, x.log.String())
		}
	}
}

// A client that fails, is refused or connects endlessly fills no disk: the lines of one owner are
// bounded, and omitted ones are counted.
func TestStrangersDoNotFillTheLog(t *testing.T) {
	x := newSite(t, Limits{Attempts: 1000})
	for range 60 {
		if _, err := x.dial(newKey(t)); err == nil {
			t.Fatal("an unknown key got in")
		}
	}
	c := x.attach("li")
	for range 60 {
		_, _, _ = c.OpenChannel("direct-tcpip", nil)
	}
	text := x.log.String()
	for _, what := range []string{"login failed", "msg=refused"} {
		if n := strings.Count(text, what); n == 0 || n > linesOfOne.Burst+1 {
			t.Errorf("%d lines of %q", n, what)
		}
	}
	if n := x.s.lines.Left(x.s.c.Now()); n < 90 {
		t.Errorf("%d lines are said to be left out", n)
	}
	// Every action of people with a key is logged.
	for i := range commandPace.Burst / 2 {
		x.runOn(c, fmt.Sprintf("nonsense %d", i))
	}
	waitFor(t, "every command is in the log", func() bool { return strings.Count(x.log.String(), "session ends") == commandPace.Burst/2 })
}
