package crawl_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
)

// gate is a site whose pages stand behind a login with a token.
type gate struct {
	mu       sync.Mutex
	secret   string
	pages    int
	expireAt int // session ends once, when so many pages were given; 0 = never
	open     bool
	logins   int // that succeeded
	tries    int
	given    int
	tokens   int
	sessions map[string]bool
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	form := func() {
		g.tokens++
		fmt.Fprintf(w, `<title>系统登录</title><form method="post" action="/door/login?from=/"><table><tr><td><input type="hidden" name="token" value="t%d"><input name="account"><input type="password" name="pw"><button type="submit">登录</button></td></tr></table></form>`, g.tokens)
	}
	session := ""
	if c, err := r.Cookie("session"); err == nil && g.sessions[c.Value] {
		session = c.Value
	}
	switch {
	case r.URL.Path == "/robots.txt":
		fmt.Fprint(w, "User-agent: *\nDisallow: /door/\n")
	case r.URL.Path == "/door/login" && r.Method == http.MethodPost:
		g.tries++
		if r.FormValue("account") != "alice" || r.FormValue("pw") != g.secret || r.FormValue("token") != fmt.Sprintf("t%d", g.tokens) {
			form()
			return
		}
		g.logins++
		name := fmt.Sprintf("s%d", g.logins)
		g.sessions = map[string]bool{name: true}
		http.SetCookie(w, &http.Cookie{Name: "session", Value: name, Path: "/", HttpOnly: true})
		http.Redirect(w, r, "/", http.StatusFound)
	case r.URL.Path == "/door/login":
		form()
	case session == "" && !g.open:
		http.Redirect(w, r, "/door/login?from="+r.URL.Path, http.StatusFound)
	case r.URL.Path == "/":
		g.given++
		for i := range g.pages {
			fmt.Fprintf(w, `<a href="/d%d/%d.htm">内部文件 %d</a> `, i, i, i)
		}
	default:
		if g.given++; g.given == g.expireAt {
			g.sessions = nil
		}
		fmt.Fprintf(w, "<p>内部的文件 %s 的正文在这里。</p>", r.URL.Path)
	}
}

func (g *gate) count() (logins, tries int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.logins, g.tries
}

// guarded gives a site the settings of a login, with its password in a file.
func guarded(t *testing.T, password string) func(*config.Settings) {
	file := filepath.Join(t.TempDir(), "password")
	must(t, os.WriteFile(file, []byte(password+"\n"), 0o600))
	return func(s *config.Settings) {
		s.Crawl.Workers = 2
		s.Host = map[string]config.Host{"a.test": {User: "alice", PasswordFile: file, LoginPage: "http://a.test/door/login"}}
	}
}

// What stands behind a login comes home, also when the session ends in the middle, and
// the next process goes on with the cookies of this one, though it was killed.
func TestPagesBehindALogin(t *testing.T) {
	g := &gate{secret: "geheim", pages: 20, expireAt: 8}
	e, server := site(t, g, guarded(t, "geheim"))
	dir := e.Workspace().Dir()
	s := discover(t, e.Runs)
	if s.Pages != 21 || s.Failed != 0 {
		t.Fatalf("%d pages, %d failed", s.Pages, s.Failed)
	}
	if logins, tries := g.count(); logins != 2 || tries != 2 {
		t.Errorf("%d of %d logins, want 2: before the first page, and when the session had ended", logins, tries)
	}
	if saying(e, "logged in to host a.test") == 0 {
		t.Error("nothing tells of the login")
	}
	for _, ev := range e.Snapshot().Events {
		if strings.Contains(ev.Text.String(), "geheim") || strings.Contains(ev.Text.String(), "session") && strings.Contains(ev.Text.String(), "s1") {
			t.Errorf("an event gives a secret away: %s", ev.Text.String())
		}
	}
	// A copy of the files as a kill leaves them.
	killed := t.TempDir()
	must(t, os.CopyFS(killed, os.DirFS(dir)))
	must(t, e.Close())
	for _, name := range []string{"crawl.db", store.CookieKeyName} {
		if b, err := os.ReadFile(filepath.Join(killed, name)); err != nil || strings.Contains(string(b), "s2\"") || strings.Contains(string(b), "geheim") {
			t.Errorf("%s gives a secret away, %v", name, err)
		}
	}
	if st, err := os.Stat(filepath.Join(dir, store.CookieKeyName)); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the key of the cookies: %v", err)
	}
	must(t, os.Chmod(filepath.Join(killed, store.CookieKeyName), 0o600))
	later := func() time.Time { return time.Now().Add(48 * time.Hour) } // known pages are due again
	again := opened(t, killed, crawl.Options{By: "wang", Dial: dialling(server), Now: later})
	if s := discover(t, again.Runs, run.Options{MaxPages: 3}); s.Fetched != 3 || s.Failed != 0 {
		t.Fatalf("%d fetched, %d failed", s.Fetched, s.Failed)
	}
	if logins, _ := g.count(); logins != 2 {
		t.Errorf("%d logins, though the cookies of the second one still count", logins)
	}
}

// A host that leads to its login from the first visit on is told of; once its settings
// name one, the next discovery begins there again, though nothing of it is due.
func TestALoginFromTheFirstVisit(t *testing.T) {
	g := &gate{secret: "geheim", pages: 5}
	e, server := site(t, g, nil)
	if s := discover(t, e.Runs); s.Pages != 1 {
		t.Fatalf("%d pages", s.Pages)
	}
	if list := e.Runs.Closed(); len(list) != 1 || list[0].Host != "a.test" || list[0].Kind != view.BlockAsksLogin || !strings.Contains(list[0].Says(), "angler lists login DIR a.test") {
		t.Fatalf("%+v", list)
	}
	dir := e.Workspace().Dir()
	must(t, e.Close())
	e = opened(t, dir, crawl.Options{By: "wang", Dial: dialling(server), Override: guarded(t, "geheim")})
	if s := discover(t, e.Runs); s.Fetched != 6 || s.Failed != 0 {
		t.Fatalf("%d fetched, %d failed", s.Fetched, s.Failed)
	}
	if list := e.Runs.Closed(); len(list) != 0 {
		t.Errorf("behind the login: %+v", list)
	}
}

// A login that fails is tried once, closes its host with a reason, and is tried again
// when its settings have changed.
func TestALoginThatFails(t *testing.T) {
	t.Parallel()
	g := &gate{secret: "geheim", pages: 5}
	e, _ := site(t, g, guarded(t, "falsch"))
	for range 2 { // in the second run the host rests
		if s, err := e.Runs.Discover(t.Context(), run.Options{}); s.Pages != 0 {
			t.Fatalf("%d pages, %v", s.Pages, err)
		}
	}
	if _, tries := g.count(); tries != 1 {
		t.Errorf("the login was tried %d times", tries)
	}
	doors := e.Snapshot().Doors
	if len(doors) != 1 || doors[0].Host != "a.test" || doors[0].Kind != view.BlockLoginFailed || !strings.Contains(doors[0].Why, "asks for the password again") || strings.Contains(doors[0].Why, "falsch") {
		t.Errorf("%+v", doors)
	}
	if r := e.TryLogin(t.Context(), "a.test"); r.Err == nil || len(r.Steps) < 3 {
		t.Errorf("%v", r)
	}
	file := filepath.Join(t.TempDir(), "right")
	must(t, os.WriteFile(file, []byte("geheim"), 0o600))
	must(t, errOf(e.Settings.ChangeSetting(config.HostKey("a.test", "password_file"), file)))
	if s := discover(t, e.Runs); s.Pages != 6 {
		t.Errorf("%d pages", s.Pages)
	}
	if doors := e.Snapshot().Doors; len(doors) != 0 {
		t.Errorf("%+v", doors)
	}
}

// A secret that others can read closes its host and no other, and says what to do.
func TestASecretThatOthersCanRead(t *testing.T) {
	t.Parallel()
	change := guarded(t, "geheim")
	e, _ := site(t, &gate{secret: "geheim"}, func(s *config.Settings) {
		change(s)
		must(t, os.Chmod(s.Host["a.test"].PasswordFile, 0o644))
	})
	doors := e.Snapshot().Doors
	if len(doors) != 1 || doors[0].Kind != view.BlockSettings || !strings.Contains(doors[0].Why, "chmod 600") {
		t.Errorf("%+v", doors)
	}
	if s, err := e.Runs.Discover(t.Context(), run.Options{}); err == nil || s.Pages != 0 {
		t.Errorf("%d pages, %v", s.Pages, err)
	}
}

// Pages that were open and turn into a login are failures: what is stored stays, the
// host rests, and the analyst is told.
func TestPagesThatTurnIntoALogin(t *testing.T) {
	t.Parallel()
	g := &gate{pages: 5, open: true}
	e, server := site(t, g, func(s *config.Settings) { s.Crawl.Workers = 2 })
	if s := discover(t, e.Runs); s.Pages != 6 {
		t.Fatalf("%d pages", s.Pages)
	}
	before := map[string]store.Key{}
	ids := map[string]uint64{}
	for u := range each(t, e.Workspace().URLs()) {
		p, err := e.Workspace().Page(u.ID)
		if err != nil || p == nil {
			t.Fatalf("%s: %v", u.URL, err)
		}
		before[u.URL], ids[u.URL] = p.Hash, u.ID
	}
	g.mu.Lock()
	g.open = false
	g.mu.Unlock()
	dir := e.Workspace().Dir()
	must(t, e.Close())
	e = opened(t, dir, crawl.Options{By: "wang", Dial: dialling(server), Now: func() time.Time { return time.Now().Add(60 * 24 * time.Hour) }})
	discover(t, e.Runs)
	doors := e.Snapshot().Doors
	if len(doors) != 1 || doors[0].Host != "a.test" || doors[0].Kind != view.BlockAsksLogin || doors[0].Next.IsZero() {
		t.Fatalf("%+v", doors)
	}
	for address, hash := range before {
		p, err := e.Workspace().Page(ids[address])
		if err != nil || p == nil || p.Hash != hash || p.Location != "" {
			t.Errorf("%s was overwritten: %+v, %v", address, p, err)
		}
	}
	if saying(e, "asks for a login") == 0 {
		t.Error("no event tells of it")
	}
}

// Hosts that refuse everyone stand among the closed doors with what is wrong and what helps,
// also in the next process, until they answer; nothing is done to get around them.
func TestHostsThatLetNobodyIn(t *testing.T) {
	t.Parallel() // it waits for most of its time
	var open atomic.Bool
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch kind, _, _ := strings.Cut(r.Host, "."); {
		case kind == "members" && r.URL.Path == "/sso/login":
			fmt.Fprint(w, `<title>统一身份认证</title><form method=post><input name=u><input type=password name=p></form>`)
		case kind == "members" && !open.Load() && r.URL.Path != "/robots.txt":
			http.Redirect(w, r, "/sso/login?from="+r.URL.Path, http.StatusFound)
		case r.URL.Path == "/robots.txt":
			if kind == "robots" && !open.Load() {
				fmt.Fprint(w, "User-agent: *\nDisallow: /\n")
			}
		case kind == "ban" && !open.Load():
			w.WriteHeader(http.StatusForbidden)
		case kind == "captcha" && !open.Load():
			fmt.Fprint(w, `<title>安全验证</title><p>请输入验证码</p><input name="captcha">`)
		default:
			fmt.Fprint(w, "<p>公开的文件，正文在这里。</p>")
		}
	})
	e, s := site(t, server, func(set *config.Settings) {
		set.Seeds = []string{"http://a.test/", "http://ban.test/", "http://captcha.test/", "http://members.test/", "http://robots.test/"}
		for i := range 8 { // so many that the host rests, and what it refused waits without a mark
			set.Seeds = append(set.Seeds, fmt.Sprintf("http://captcha.test/%d.htm", i))
		}
	})
	if s := discover(t, e.Runs); s.Pages != 3 { // a redirect and where it leads are two
		t.Fatalf("%d pages", s.Pages)
	}
	want := []string{"ban.test " + view.BlockRefuses + " a longer delay may help", "captcha.test " + view.BlockCaptcha + " export a browser's cookies", "members.test " + view.BlockAsksLogin + " name one under [host]", "robots.test " + view.BlockRobots + " ask its owner"}
	check := func(list []view.BlockedHost) {
		t.Helper()
		if len(list) != len(want) {
			t.Fatalf("%+v", list)
		}
		for i, w := range want {
			host, helps, _ := strings.Cut(w, " "+list[i].Kind+" ")
			if list[i].Host != host || helps == "" || !strings.Contains(list[i].Says(), helps) {
				t.Errorf("%+v: %s, want %s", list[i], list[i].Says(), w)
			}
		}
	}
	check(e.Runs.Closed())
	dir := e.Workspace().Dir()
	must(t, e.Close())
	e = opened(t, dir, crawl.Options{By: "wang", Dial: dialling(s), Now: func() time.Time { return time.Now().Add(60 * 24 * time.Hour) }})
	snapshots, end := e.Subscribe()
	defer end()
	told := time.After(10 * time.Minute)
	for list := e.Snapshot().Doors; len(list) < len(want); {
		select {
		case s := <-snapshots:
			list = s.Doors
		case <-told:
			t.Fatalf("a new process tells %+v", list)
		}
	}
	check(e.Runs.Closed())
	open.Store(true)
	must(t, errOf(e.Runs.Retry("all")))
	discover(t, e.Runs)
	if list := e.Runs.Closed(); len(list) != 0 {
		t.Errorf("once they answer: %+v", list)
	}
}

// A host that bans us while a run goes on stands among the closed doors until it answers.
func TestABanIsAClosedDoor(t *testing.T) {
	t.Parallel() // it waits for most of its time
	var asked atomic.Int64
	e, _ := site(t, fan(20, func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) > 3 {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		fmt.Fprintf(w, "<p>公开的文件 %s</p>", r.URL.Path)
	}), func(set *config.Settings) { set.Crawl.Workers = 1 })
	if _, err := e.Runs.Discover(t.Context(), run.Options{}); err != nil && !strings.Contains(err.Error(), "rest") {
		t.Fatal(err)
	}
	list := e.Runs.Closed()
	if len(list) != 1 || list[0].Host != "a.test" || list[0].Kind != view.BlockRefuses || list[0].Next.IsZero() || !strings.Contains(list[0].Says(), "403") {
		t.Errorf("%+v", list)
	}
}
