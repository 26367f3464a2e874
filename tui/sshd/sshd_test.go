package sshd

import (
	"context"
	"slices"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"angler/crawl/auth"
	"angler/crawl/view"
	"angler/message"
	"angler/store/config"
	"angler/topic"
)

func TestTwoViewersAndAnAnalyst(t *testing.T) {
	x := newCrawledSite(t, Limits{}, nil)
	wang, li, zhou := x.workbench(x.attach("wang"), 120, 40), x.workbench(x.attach("li"), 100, 30), x.workbench(x.attach("li"), 80, 24)
	wang.samples("help")
	li.samples("read only")
	zhou.samples()
	waitFor(t, "three are attached", func() bool { return len(x.b.Snapshot().Viewers) == 3 })

	// Each has their own screen.
	li.press("5")
	li.sees("[5 Harvest]")
	wang.press("3")
	wang.sees("[3 Threshold]", "in force θ")

	// All get the analyst's action, with person and time.
	wang.press("]]]a")
	waitFor(t, "θ is applied", func() bool { return x.b.Topic.Config().Theta != 0 })
	li.sees("(was ", "by wang, ")
	ev := x.eventBy("wang")
	if !strings.HasPrefix(ev.What.String(), "θ .") || !strings.Contains(ev.What.String(), "(was ") {
		t.Errorf("the event is %+v", ev)
	}

	// A viewer's write key says why it is off, and changes nothing.
	li.press("u")
	li.sees("role=viewer")
	if x.b.Topic.Config().Theta == 0 {
		t.Error("a viewer undid the analyst's threshold")
	}
	// Another analyst may undo wang's action after a question.
	admin := x.workbench(x.attach("zhou"), 80, 24)
	admin.sees("help")
	admin.press("u")
	admin.sees("undo wang's “"+ev.What.String()+"” of ", "? y/n")
	admin.press("n")
	admin.sees("nothing was undone")
	if x.b.Topic.Config().Theta == 0 {
		t.Error("it was undone without a yes")
	}
	admin.press("u")
	admin.sees("? y/n")
	admin.press("y")
	waitFor(t, "θ is automatic again", func() bool { return x.b.Topic.Config().Theta == 0 })
	if undone := x.eventBy("zhou"); undone.What != message.Of("undo: %s", ev.What) {
		t.Errorf("the undo is %+v", undone)
	}

	// Quitting removes a person from the list, without confirmation.
	wang.press("q")
	if err := <-wang.over; err != nil {
		t.Errorf("wang's session ended with %v", err)
	}
	if got := wang.out.String(); !strings.Contains(got, "\x1b[?1049l") || !strings.Contains(got, "\x1b[?25h") {
		t.Errorf("the terminal is not given back: %q", got)
	}
	waitFor(t, "wang is gone", func() bool { return len(x.b.Snapshot().Viewers) == 3 })
}

// eventBy waits until the newest event is a person's.
func (x *site) eventBy(name string) (ev view.Event) {
	x.t.Helper()
	waitFor(x.t, "an event by "+name, func() bool {
		if list := x.b.Snapshot().Events; len(list) > 0 {
			ev = list[len(list)-1]
		}
		return ev.By == name
	})
	return ev
}

func TestColoursAndSizeComeFromTheSession(t *testing.T) {
	x := newSite(t, Limits{})
	open := func(env map[string]string, term string) *personsTerminal {
		s, err := x.attach("wang").NewSession()
		must(t, err)
		for k, v := range env {
			must(t, s.Setenv(k, v))
		}
		w := x.workbenchOn(s, term, 80, 24)
		waitFor(t, "a frame", func() bool { return strings.Contains(plain(w.out.String()), "[0 Home]") })
		return w
	}
	for _, c := range []struct {
		name, term string
		env        map[string]string
		want, not  string
	}{
		{"true colour", "xterm-256color", map[string]string{"COLORTERM": "truecolor"}, "38;2;", ""},
		{"256 colours", "xterm-256color", nil, "38;5;", "38;2;"},
		{"no colour", "xterm-256color", map[string]string{"NO_COLOR": "1"}, "1m", "38;"},
		{"a dumb terminal", "dumb", nil, "", "38;"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := open(c.env, c.term)
			got := w.out.String()
			if !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) {
				t.Errorf("want %q, not %q: %.1500q", c.want, c.not, got)
			}
			w.out.Reset()
			must(t, w.s.WindowChange(30, 132))
			waitFor(t, "a repaint of 30 rows", func() bool {
				return strings.Contains(w.out.String(), "\x1b[2J") && strings.Contains(w.out.String(), "\x1b[30;")
			})
		})
	}
	s, err := x.attach("wang").NewSession()
	must(t, err)
	if err := s.Setenv("LD_PRELOAD", "/tmp/x.so"); err == nil {
		t.Error("any variable is accepted")
	}
}

func TestMouseBurstSplitAtEveryByte(t *testing.T) {
	x := newCrawledSite(t, Limits{}, nil)
	w := x.workbench(x.attach("wang"), 120, 40)
	w.samples("candidates")
	burst := "\x1b[<64;39;12M\x1b[<0;30;9M\x1b[<32;31;9M\x1b[<0;31;9m\x1b[<65;40;13M"
	for i := range len(burst) {
		w.press(burst[i : i+1])
	}
	for cut := 1; cut < len(burst); cut++ {
		w.press(burst[:cut])
		w.press(burst[cut:])
	}
	w.press("6")
	w.sees("[6 Label]")
	if n := x.b.Snapshot().Counts.Labels; n != 0 {
		t.Errorf("%d labels were given by the mouse", n)
	}
	// Chinese typed byte by byte works as a filter.
	w.press("1/")
	for _, c := range []byte("公告") {
		w.press(string([]byte{c}))
	}
	w.sees("公告")
	w.press("\r")
	if ev := x.b.Snapshot().Events; len(ev) > 0 && ev[len(ev)-1].By == "wang" {
		t.Errorf("something was done: %+v", ev[len(ev)-1])
	}
}

func TestWrongKeyIsToldHowToGetIn(t *testing.T) {
	x := newSite(t, Limits{})
	if _, err := x.dial(nil); err == nil {
		t.Fatal("a client without a key got in")
	}
	stranger := newKey(t)
	if _, err := x.dial(stranger); err == nil {
		t.Fatal("an unknown key got in")
	}
	said := ""
	hears := gossh.KeyboardInteractive(func(_, instruction string, questions []string, _ []bool) ([]string, error) {
		said += instruction
		return make([]string, len(questions)), nil
	})
	if _, err := gossh.Dial("tcp", x.addr, x.config(gossh.PublicKeys(stranger), hears)); err == nil {
		t.Fatal("an unknown key got in")
	}
	line := strings.TrimSpace(string(gossh.MarshalAuthorizedKey(stranger.PublicKey())))
	if !strings.Contains(said, "authorized_keys") || !strings.Contains(said, line) {
		t.Errorf("the stranger was told %q", said)
	}
	if _, err := gossh.Dial("tcp", x.addr, x.config(gossh.Password("x"))); err == nil {
		t.Fatal("a password got in")
	}
	waitFor(t, "the log tells", func() bool { return strings.Contains(x.log.String(), "login failed") })
}

func TestTheServerTellsTheOneVersion(t *testing.T) {
	x := newSite(t, Limits{})
	if got, want := string(x.attach("li").ServerVersion()), "SSH-2.0-angler_"+config.Version; got != want {
		t.Errorf("the server is %q, want %q", got, want)
	}
}

func TestNobodyGetsInByDefault(t *testing.T) {
	x := newSite(t, Limits{})
	x.setKeys(nil)
	said := ""
	c := x.config(gossh.PublicKeys(x.keys["zhou"]))
	c.BannerCallback = func(m string) error { said = m; return nil }
	if _, err := gossh.Dial("tcp", x.addr, c); err == nil {
		t.Fatal("a client got in")
	}
	if !strings.Contains(said, "no login is possible yet") || !strings.Contains(said, "role=") || !strings.Contains(said, "authorized_keys") {
		t.Errorf("the banner is %q", said)
	}
}

func TestLabelUnderOnesOwnName(t *testing.T) {
	x := newCrawledSite(t, Limits{}, nil)
	rows, err := x.b.Pages.Candidates(context.Background())
	if err != nil || len(rows) == 0 {
		t.Fatal(err)
	}
	must(t, x.b.As(auth.Actor{Name: "wang", Role: auth.Owner}).Labels.SetLabel(rows[0].ID, topic.Yes))
	labels, err := x.b.Labels.LabelRows()
	if err != nil || len(labels) != 1 || labels[0].By != "wang" {
		t.Errorf("labels %+v, %v", labels, err)
	}
}

// Seeds added over SSH are recorded, so that their hosts' private addresses stay closed.
func TestSeedsOverALineAreNoted(t *testing.T) {
	x := newSite(t, Limits{})
	w := x.workbench(x.attach("zhou"), 120, 40)
	w.samples("help")
	w.press("4+http://www.intranet.example.org:8080/\r")
	waitFor(t, "the seed is added", func() bool { return len(x.b.Set().Crawl.PublicOnly) > 0 })
	if got := x.b.Set().Crawl.PublicOnly; !slices.Equal(got, []string{"www.intranet.example.org:8080"}) {
		t.Errorf("public_only is %q", got)
	}
}
