package sshd

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"angler/crawl"
	"angler/crawl/auth"
	"angler/crawl/seeds"
	"angler/store"
	"angler/store/config"
)

// trap is a server with targets of an attacker with a key: files, a service on loopback, a browser
// to start, another workspace.
type trap struct {
	*site
	e      *crawl.Engine
	dir    string       // of the workspace
	secret string       // a file
	canary string       // host:port of a service
	calls  atomic.Int64 // connections to it
	mark   string       // a file that a started process writes
}

func newTrap(t *testing.T) *trap {
	base := t.TempDir()
	t.Chdir(base)
	x := &trap{dir: filepath.Join(base, "ws"), secret: filepath.Join(base, "secret.html"), mark: filepath.Join(base, "started")}
	// The user data of the server's owner, and programs it might start.
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(base, "config"))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(base, "cache"))
	bin := filepath.Join(base, "bin")
	must(t, os.Mkdir(bin, 0o755))
	for _, name := range []string{"xdg-open", "open", "sh", "bash", "ssh", "vi"} {
		must(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n: > "+x.mark+"\n"), 0o755))
	}
	t.Setenv("PATH", bin)
	must(t, os.WriteFile(x.secret, []byte("<html><title>the secret</title><body><ul><li><a href=/a>a</a></ul>"), 0o644))

	set := config.Default()
	set.Name, set.Seeds = "tenders", []string{"http://www.x.test/"}
	set.Store.ExpectedURLs = 1000
	must(t, store.Create(x.dir, set))
	other := filepath.Join(base, "competitors")
	set.Name = "competitors"
	must(t, store.Create(other, set))
	setup := seeds.NewSetup()
	setup.Remember(x.dir)
	setup.Remember(other)

	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	x.canary = l.Addr().String()
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			x.calls.Add(1)
			c.Close()
		}
	}()
	x.e, err = crawl.Open(context.Background(), x.dir, crawl.Options{By: "server"})
	must(t, err)
	x.site = newSiteOf(t, x.e, x.e.Close, Limits{})
	return x
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tree lists the files below a folder with their contents, without the database, which runs change.
func tree(t *testing.T, dir string) (out []string) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), "crawl.db") {
			return err
		}
		b, err := os.ReadFile(path)
		out = append(out, fmt.Sprintf("%s %x", path, b))
		return err
	}))
	return out
}

// TestAnAttackerWithAKey tries, as every person with a key, all ways from the workbench to the
// server's machine.
func TestAnAttackerWithAKey(t *testing.T) {
	for _, who := range []string{"li", "wang", "zhou"} {
		t.Run(who, func(t *testing.T) {
			x := newTrap(t)
			before := tree(t, ".")
			_, port, _ := net.SplitHostPort(x.canary)
			bystander := x.workbench(x.attach("wang"), 100, 30)
			bystander.samples()
			w := x.workbench(x.attach(who), 250, 40)
			w.samples("help")
			all := ""
			try := func(keys, answer string) {
				t.Helper()
				key, text, typed := strings.Cut(keys, " ")
				if typed {
					text += "\r"
				}
				w.press(key + text)
				// A change of size redraws the answer and keeps it.
				polls := 0
				waitFor(t, fmt.Sprintf("%q answered to %q", answer, keys), func() bool {
					if polls++; polls%40 == 0 {
						_ = w.s.WindowChange(40+polls/40%2, 250)
					}
					return strings.Contains(plain(w.out.String()), answer)
				})
				all += w.out.String()
				w.out.Reset()
				if typed {
					w.press("\x03") // leaves the prompt, which stays open with its reason
				}
			}
			refused := "role="

			// Files, by path and by URL, and with an address that hides them.
			for _, path := range []string{x.secret, "secret.html", "file://" + x.secret, "secret.html http://www.x.test/"} {
				if who == "li" {
					try("a", refused)
				} else {
					try("a "+path, "over SSH a sample is a URL")
				}
			}
			// Private addresses.
			for _, u := range []string{"http://" + x.canary + "/", "http://localhost:" + port + "/", "http://[::ffff:127.0.0.1]:" + port + "/", "http://2130706433:" + port + "/"} {
				if who != "li" {
					try("a "+u, "address ")
				}
			}
			try("4", "[4 Crawl]")
			if who == "zhou" {
				for _, u := range []string{"http://" + x.canary + "/", "http://localhost:" + port + "/"} {
					try("+ "+u, "public name")
				}
			}
			// Another workspace, a browser, a file of the server's.
			try("\x0f", "one workspace only")
			try("5", "[5 Harvest]")
			try("e", "ssh HOST export")
			try("O", "O browser: ")
			if who != "zhou" {
				try(",", refused)
			} else {
				try(",", "angler.toml")
				w.press("/allow_private\r")
				try("\r", "stays as it is")
				w.press("\x1b")
			}
			w.press("\x1b")
			w.s.Close()
			<-w.over
			all += w.out.String()

			if n := x.calls.Load(); n != 0 {
				t.Errorf("the service on loopback was reached %d times", n)
			}
			if _, err := os.Stat(x.mark); err == nil {
				t.Error("a process was started")
			}
			if strings.Contains(plain(all), "competitors") || strings.Contains(plain(all), "the secret") {
				t.Error("the other workspace's name, or the file, was shown")
			}
			if after := tree(t, "."); !slices.Equal(after, before) {
				t.Errorf("files changed:\n%.3000q\n%.3000q", before, after)
			}
			if s := x.e.Set(); s.Crawl.AllowPrivate || len(s.Seeds) != 1 || len(x.e.Topic.Samples()) != 0 {
				t.Errorf("settings %+v, %d samples", s.Crawl, len(x.e.Topic.Samples()))
			}
			if strings.Contains(bystander.out.String(), "\x1b]52") {
				t.Error("another person's clipboard was written")
			}
		})
	}
}

// c writes to the clipboard of the person who presses it, and only text.
func TestCopyReachesOnesOwnTerminal(t *testing.T) {
	x := newCrawledSite(t, Limits{}, nil)
	w, other := x.workbench(x.attach("li"), 120, 40), x.workbench(x.attach("li"), 120, 40)
	w.samples("candidates")
	other.samples("candidates")
	w.press("c")
	waitFor(t, "the clipboard", func() bool { return strings.Contains(w.out.String(), "\x1b]52;c;aHR0cDov") })
	other.press("5")
	other.sees("[5 Harvest]")
	if strings.Contains(other.out.String(), "\x1b]52") {
		t.Error("it was written to another session too")
	}
}

// liar offers one key and signs with another.
type liar struct {
	gossh.Signer
	public gossh.PublicKey
}

func (l liar) PublicKey() gossh.PublicKey { return l.public }

// An attacker may offer an admin's public key, but gets the role of the proved key.
func TestRoleOfTheKeyThatWasProved(t *testing.T) {
	x := newSite(t, Limits{})
	viewer, admin := x.keys["li"], x.keys["zhou"].PublicKey()
	if _, err := x.dial(liar{viewer, admin}); err == nil {
		t.Fatal("a key that was not proved lets in")
	}
	c, err := gossh.Dial("tcp", x.addr, x.config(gossh.PublicKeys(liar{viewer, admin}, viewer)))
	if err == nil {
		c.Close()
		t.Error("a false signature is no end")
	}
	c = x.attach("li")
	x.workbench(c, 80, 24).samples("read only")
}

// One key cannot take all sessions, nor strangers all connections.
func TestNobodyTakesAllPlaces(t *testing.T) {
	x := newSite(t, Limits{Sessions: 4, Guests: 3})
	c := x.attach("li")
	for range 2 {
		x.workbench(c, 80, 24).sees("help")
	}
	refusedSession(t, c, "with this key")
	x.workbench(x.attach("zhou"), 80, 24).sees("help")

	var held []net.Conn
	for range 3 {
		nc, err := net.Dial("tcp", x.addr)
		must(t, err)
		held = append(held, nc)
	}
	waitFor(t, "they wait at the door", func() bool { return x.atTheDoor("127.0.0.1") == 3 })
	if n := x.atTheDoor("127.0.0.2"); n != 0 {
		t.Errorf("another address is counted too: %d", n)
	}
	// One of them is closed for the next, who gets in.
	x.workbench(x.attach("wang"), 80, 24).sees("help")
	if n := x.atTheDoor("127.0.0.1"); n != 2 {
		t.Errorf("%d wait at the door, want 2", n)
	}
	for _, nc := range held {
		nc.Close()
	}
	waitFor(t, "no connection waits for a login", func() bool { return x.atTheDoor("127.0.0.1") == 0 })
}

// A client cannot fill the log.
func TestALongCommandIsCutInTheLog(t *testing.T) {
	x := newSite(t, Limits{})
	if _, _, status := x.run("li", "nonsense "+strings.Repeat("x", 100<<10)); status == 0 {
		t.Error("it was run")
	}
	waitFor(t, "the log tells", func() bool { return strings.Contains(x.log.String(), "session ends") })
	if n := x.log.Count(); n > 4<<10 {
		t.Errorf("the log has %d bytes", n)
	}
	x.setKeys([]byte("nonsense\n"))
	for range 5 {
		if _, err := x.dial(x.keys["li"]); err == nil {
			t.Fatal("let in")
		}
	}
	waitFor(t, "the log tells of each", func() bool { return strings.Count(x.log.String(), "login failed") == 5 })
	if n := strings.Count(x.log.String(), "a key was left out"); n != 1 {
		t.Errorf("the broken line is in the log %d times", n)
	}
}

// A panic in one session ends only that session.
func TestACrashEndsOneSession(t *testing.T) {
	x := newSite(t, Limits{})
	s := &session{s: x.s, who: auth.Actor{Name: "li"}}
	if status := s.safely(func() int { var list []int; return list[runtime.NumCPU()] }); status != 1 {
		t.Errorf("status %d", status)
	}
	if got := x.log.String(); !strings.Contains(got, "a session crashed") || !strings.Contains(got, "index out of range") || !strings.Contains(got, "attacker_test.go") {
		t.Errorf("the log says %q", got)
	}
}
