package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl/fetch"
)

// installed skips a test where there is no browser.
func installed(t *testing.T) {
	t.Helper()
	if _, err := Find(""); err != nil {
		t.Skip(err)
	}
}

// limits are those of the tests; a busy machine has time enough.
func limits() Limits {
	return Limits{Tabs: 2, Memory: 4 << 30, Timeout: time.Minute, Pages: 100, MaxBody: 4 << 20}
}

// rig is a browser before a web of its own.
type rig struct {
	*Browser
	own  *fetch.Fetcher
	base string

	mu    sync.Mutex
	asked []string // paths, in order
}

func (r *rig) paths() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.asked, " ")
}

func newRig(t *testing.T, lim func() Limits, web http.Handler, change ...func(*Config)) *rig {
	t.Helper()
	installed(t)
	r := &rig{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path != "/robots.txt" {
			r.mu.Lock()
			r.asked = append(r.asked, q.URL.Path)
			r.mu.Unlock()
		}
		web.ServeHTTP(w, q)
	}))
	t.Cleanup(s.Close)
	r.base = s.URL
	r.own = fetcher(t, strings.TrimPrefix(s.URL, "http://"))
	c := Config{Limits: lim, Own: r.own, Others: fetcher(t), Folder: t.TempDir()}
	for _, f := range change {
		f(&c)
	}
	r.Browser = New(c)
	t.Cleanup(r.Close)
	return r
}

func fetcher(t *testing.T, seeds ...string) *fetch.Fetcher {
	t.Helper()
	f, err := fetch.New(fetch.Config{SeedHosts: seeds, MaxBody: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

// page fetches and renders a page.
func (r *rig) page(t *testing.T, path string) (*Rendered, error) {
	t.Helper()
	resp, err := r.own.Fetch(t.Context(), fetch.Request{URL: r.base + path})
	if err != nil {
		t.Fatal(err)
	}
	return r.Render(t.Context(), resp)
}

func (r *rig) rendered(t *testing.T, path string) *Rendered {
	t.Helper()
	out, err := r.page(t, path)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func html(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, "<!DOCTYPE html><html><head><title>t</title></head><body>"+body+"</body></html>")
}

// list is a list that a script fills.
func list() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "User-agent: *\nDisallow: /closed/\n")
	})
	mux.HandleFunc("/list", func(w http.ResponseWriter, _ *http.Request) {
		html(w, `<link rel="stylesheet" href="/style.css"><img src="/picture.png"><ul id="rows"></ul>
<iframe src="/frame"></iframe><script src="/app.js"></script>`)
	})
	mux.HandleFunc("/app.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, `
fetch('/closed/rows').catch(() => document.title = 'closed');
fetch('/api/rows', {method: 'POST', headers: {'Content-Type': 'application/json', 'X-Token': 'abc'}, body: '{"page":1}'})
  .then(r => r.json()).then(d => { for (const r of d.rows) {
    const li = document.createElement('li'), a = document.createElement('a');
    a.href = '/notice?id=' + r.id; a.textContent = r.title; li.append(a, ' ' + r.date); document.getElementById('rows').append(li) } });`)
	})
	mux.HandleFunc("/api/rows", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		if r.Method != http.MethodPost || string(body) != `{"page":1}` || r.Header.Get("X-Token") != "abc" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		_, _ = io.WriteString(w, `{"rows":[{"id":7,"title":"道路工程招标公告","date":"2026-11-20"},{"id":8,"title":"桥梁工程招标公告","date":"2026-11-21"}]}`)
	})
	return mux
}

func TestListFilledByScript(t *testing.T) {
	r := newRig(t, limits, list())
	out := r.rendered(t, "/list")
	for _, want := range []string{"<!DOCTYPE html>", `<a href="/notice?id=7">道路工程招标公告</a> 2026-11-20`, "桥梁工程招标公告", "<title>closed</title>"} {
		if !strings.Contains(string(out.HTML), want) {
			t.Errorf("the page lacks %s:\n%s", want, out.HTML)
		}
	}
	if got := r.paths(); got != "/list /app.js /api/rows" {
		t.Errorf("asked for %s", got)
	}
	if len(out.Exchanges) != 1 || out.Exchanges[0].Request.URL != r.base+"/api/rows" || string(out.Exchanges[0].Request.Body) != `{"page":1}` ||
		out.Exchanges[0].Request.Header["x-token"] != "abc" || !strings.Contains(string(out.Exchanges[0].Reply.Body), "道路") {
		t.Errorf("exchanges: %+v", out.Exchanges)
	}
	if out.Unquiet || out.Truncated || out.Location != "" {
		t.Errorf("%+v", out)
	}
	// The script is known now; what it asks for is not.
	r.rendered(t, "/list")
	if got := r.paths(); got != "/list /app.js /api/rows /list /api/rows" {
		t.Errorf("asked for %s", got)
	}
	s := r.State()
	if s.Pages != 2 || s.Begun != 1 || s.Failed != 0 {
		t.Errorf("%+v", s)
	}
}

type stub func(q fetch.Request) (*fetch.Response, error)

func (s stub) Fetch(_ context.Context, q fetch.Request) (*fetch.Response, error) { return s(q) }

// trap is a listener in the private network that must hear nothing.
type trap struct {
	tcp   net.Listener
	udp   net.PacketConn
	heard atomic.Int64
	what  chan string
}

func newTrap(t *testing.T) *trap {
	t.Helper()
	x := &trap{what: make(chan string, 100)}
	var err error
	if x.tcp, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if x.udp, err = net.ListenPacket("udp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = x.tcp.Close(), x.udp.Close() })
	go func() {
		for {
			c, err := x.tcp.Accept()
			if err != nil {
				return
			}
			b := make([]byte, 200)
			n, _ := c.Read(b)
			x.heard.Add(1)
			x.what <- string(b[:n])
			_ = c.Close()
		}
	}()
	go func() {
		b := make([]byte, 200)
		for {
			n, _, err := x.udp.ReadFrom(b)
			if err != nil {
				return
			}
			x.heard.Add(1)
			x.what <- fmt.Sprintf("udp, %d bytes", n)
		}
	}()
	return x
}

// hostile wants into the private network in every way that a page has.
const hostile = `<link rel="dns-prefetch" href="//@T"><link rel="preconnect" href="http://@T"><link rel="prefetch" href="http://@T/prefetch">
<link rel="prerender" href="http://@T/prerender"><link rel="stylesheet" href="http://@T/css"><link rel="icon" href="http://@T/icon">
<link rel="manifest" href="http://@T/manifest"><link rel="modulepreload" href="http://@T/mod.js">
<script type="speculationrules">{"prerender":[{"source":"list","urls":["http://@T/spec"]}],"prefetch":[{"source":"list","urls":["http://@T/spec2"]}]}</script>
<p>rows</p><img src="http://@T/img"><iframe src="http://@T/frame"></iframe><iframe src="file:///etc/passwd"></iframe><iframe src="chrome://version"></iframe>
<iframe srcdoc="<script>fetch('http://@T/srcdoc');new WebSocket('ws://@T/srcws');try{new RTCPeerConnection({iceServers:[{urls:'stun:@U'}]}).createDataChannel('x')}catch(e){}</script>"></iframe>
<iframe src="data:text/html,<script>fetch('http://@T/data')</script>"></iframe>
<video src="http://@T/video" autoplay></video><object data="http://@T/obj"></object><embed src="http://@T/emb"><audio src="http://@T/audio"></audio>
<form id="f" method="post" target="_blank" action="http://@T/form"></form><form id="g" method="post" target="fr" action="http://@T/form2"></form><iframe name="fr"></iframe>
<a id="pg" ping="http://@T/ping" href="#x">p</a><style>@import "http://@T/import"; body{background:url(http://@T/bg)} @font-face{font-family:x;src:url(http://@T/font)} p{font-family:x}</style>
<script src="http://@T/script"></script>
<script>
function T(f){try{f()}catch(e){}}
T(()=>fetch('http://@T/fetch').catch(e=>0));
T(()=>fetch('http://@T/keep',{mode:'no-cors',keepalive:true}).catch(e=>0));
T(()=>fetch('http://localhost:@P/name').catch(e=>0));
T(()=>fetch('http://[::ffff:127.0.0.1]:@P/six').catch(e=>0));
T(()=>fetch('http://2130706433:@P/number').catch(e=>0));
T(()=>fetch('http://169.254.169.254/latest/meta-data/').catch(e=>0));
T(()=>navigator.sendBeacon('http://@T/beacon','x'));
T(()=>new WebSocket('ws://@T/ws'));
T(()=>new EventSource('http://@T/es'));
T(()=>{const p=new RTCPeerConnection({iceServers:[{urls:'stun:@U'},{urls:'turn:@T?transport=tcp',username:'u',credential:'c'}]});p.createDataChannel('x');p.createOffer().then(o=>p.setLocalDescription(o))});
T(()=>{const f=document.createElement('iframe');document.body.append(f);const P=f.contentWindow.RTCPeerConnection;const p=new P({iceServers:[{urls:'stun:@U'}]});p.createDataChannel('x');p.createOffer().then(o=>p.setLocalDescription(o))});
T(()=>new WebTransport('https://@U/wt'));
T(()=>new Worker('/worker.js'));
T(()=>new Worker(URL.createObjectURL(new Blob(["fetch('http://@T/blob');new WebSocket('ws://@T/blobws');importScripts('http://@T/imported')"]))));
T(()=>new SharedWorker('/worker.js'));
T(()=>navigator.serviceWorker.register('/worker.js'));
T(()=>window.open('http://@T/win'));
T(()=>document.getElementById('f').submit());
T(()=>document.getElementById('g').submit());
T(()=>document.getElementById('pg').click());
T(()=>{alert('x');confirm('x');prompt('x')});
T(()=>{const x=new XMLHttpRequest();x.open('GET','http://@T/sync',false);x.send()});
T(()=>fetch('/redirect').catch(e=>0));
T(()=>fetch('file:///etc/passwd').then(r=>r.text()).then(x=>document.title=x,e=>0));
T(()=>import('http://@T/dynamic').catch(e=>0));
</script>`

func TestHostilePageReachesNothing(t *testing.T) {
	x := newTrap(t)
	_, port, _ := net.SplitHostPort(x.tcp.Addr().String())
	aim := strings.NewReplacer("@T", x.tcp.Addr().String(), "@U", x.udp.LocalAddr().String(), "@P", port).Replace
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) { html(w, aim(hostile)) })
	mux.HandleFunc("/redirect", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, aim("http://@T/redirected"), http.StatusFound)
	})
	mux.HandleFunc("/worker.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, aim("fetch('http://@T/worker');new WebSocket('ws://@T/workerws');self.onfetch=()=>{}"))
	})
	mux.HandleFunc("/download", func(w http.ResponseWriter, _ *http.Request) {
		html(w, aim(`<a id="d" download href="http://@T/dl">d</a><script>document.getElementById('d').click()</script>`))
	})
	mux.HandleFunc("/away", func(w http.ResponseWriter, _ *http.Request) {
		html(w, aim("<script>location='http://@T/away'</script>"))
	})
	mux.HandleFunc("/list", func(w http.ResponseWriter, _ *http.Request) {
		html(w, aim("<ul><li>rows</li></ul><script>document.querySelector('ul').append('more');location.href='http://@T/inside'</script>"))
	})
	r := newRig(t, limits, mux)
	r.Private = func(_ context.Context, address string) error {
		if strings.HasPrefix(address, aim("http://@T/inside")) {
			return errors.New("private")
		}
		return nil
	}
	out := r.rendered(t, "/page")
	if !strings.Contains(string(out.HTML), "<p>rows</p>") || strings.Contains(string(out.HTML), "root:") {
		t.Errorf("the page: %s", out.HTML)
	}
	away := r.rendered(t, "/away")
	if away.Location != aim("http://@T/away") {
		t.Errorf("sent to %q", away.Location)
	}
	list := r.rendered(t, "/list")
	if list.Location != "" || list.Barred != aim("http://@T/inside") || !strings.Contains(string(list.HTML), "<li>rows</li>more") || !slices.Contains(list.Denied, "private address") {
		t.Errorf("a page that leads into a private network is sent to %q, barred %q, denied %q: %s", list.Location, list.Barred, list.Denied, list.HTML)
	}
	r.rendered(t, "/download")
	// Over TLS a page may have service workers.
	r.Own = stub(func(q fetch.Request) (*fetch.Response, error) {
		body := aim("fetch('http://@T/worker');new WebSocket('ws://@T/workerws');self.onfetch=()=>{}")
		return &fetch.Response{URL: q.URL, Status: 200, ContentType: "text/javascript", Body: []byte(body)}, nil
	})
	secure, err := r.Render(t.Context(), &fetch.Response{URL: "https://hostile.test/page", Status: 200, ContentType: "text/html", Body: []byte(aim(hostile))})
	if err != nil || !strings.Contains(string(secure.HTML), "<p>rows</p>") {
		t.Errorf("over TLS: %v", err)
	}
	r.Close() // all that was under way has been tried
	if out.Refused < 15 || out.Requests != 1 {
		t.Errorf("%d requests answered, %d refused: the scripts of the page did not run", out.Requests, out.Refused)
	}
	if x.heard.Load() != 0 {
		t.Errorf("%d connections into the private network, the first: %q", x.heard.Load(), <-x.what)
	}
	if got := r.paths(); got != "/page /redirect /away /list /download" {
		t.Errorf("asked for %s", got)
	}
}

func TestBadPages(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/windows", func(w http.ResponseWriter, _ *http.Request) {
		html(w, `<p>rows</p><form id="f" target="_blank" action="/win"></form><a id="d" download href="/file">x</a><script>
for (let i = 0; i < 5; i++) { window.open('/w' + i); document.getElementById('f').submit(); document.getElementById('d').click(); alert(i); confirm(i) }
Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => document.title = 'found');
const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.open('/deep'); f.contentWindow.alert('deep');</script>`)
	})
	mux.HandleFunc("/never", func(w http.ResponseWriter, _ *http.Request) {
		html(w, `<p>rows</p><script>setInterval(() => fetch('/poll?' + Math.random()), 50)</script>`)
	})
	mux.HandleFunc("/poll", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") })
	mux.HandleFunc("/busy", func(w http.ResponseWriter, _ *http.Request) {
		html(w, `<p>rows</p><script>onload = () => setTimeout(() => { for (;;) ; }, 100)</script>`)
	})
	mux.HandleFunc("/loop", func(w http.ResponseWriter, _ *http.Request) {
		html(w, `<p>rows</p><script>fetch('/round').catch(() => document.title = 'round')</script>`)
	})
	mux.HandleFunc("/round", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/round?"+r.URL.RawQuery+"x", http.StatusFound)
	})
	mux.HandleFunc("/again", func(w http.ResponseWriter, _ *http.Request) { html(w, `<p>rows</p><script>location.reload()</script>`) })
	mux.HandleFunc("/cookie", func(w http.ResponseWriter, r *http.Request) {
		html(w, `<p>rows</p>`)
	})
	mux.HandleFunc("/long", func(w http.ResponseWriter, _ *http.Request) {
		html(w, `<p>rows</p><script>fetch('/long.json').then(r => r.text()).then(x => document.title = 'read ' + x.length, () => document.title = 'not read')</script>`)
	})
	mux.HandleFunc("/long.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		row := `{"title":"` + strings.Repeat("公告", 5000) + `"},`
		for range 200 << 20 / len(row) {
			if _, err := io.WriteString(w, row); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/deep", func(w http.ResponseWriter, _ *http.Request) {
		html(w, `<p>rows</p><script>let e = document.body; for (let i = 0; i < 20000; i++) { const d = document.createElement('div'); e.append(d); e = d }</script>`)
	})
	mux.HandleFunc("/wide", func(w http.ResponseWriter, _ *http.Request) {
		html(w, `<p>rows</p><script>document.body.append('公'.repeat(2 << 20))</script>`)
	})
	mux.HandleFunc("/names", func(w http.ResponseWriter, _ *http.Request) {
		html(w, `<p>rows</p><form name="documentElement"></form><script>Element.prototype.toString = () => 'no'; Object.defineProperty(Element.prototype, 'outerHTML', {get: () => 'no'})</script>`)
	})
	var restless atomic.Bool // the page never rests: it is given little time
	lim := func() Limits {
		l := limits()
		if restless.Load() {
			l.Timeout = 10 * time.Second
		}
		return l
	}
	r := newRig(t, lim, mux)
	r.rendered(t, "/cookie") // the browser is there: the time of the others is theirs
	for _, test := range []struct {
		path    string
		has     string
		unquiet bool
	}{
		{path: "/windows", has: "<title>t</title>"},
		{path: "/never", has: "<p>rows</p>", unquiet: true},
		{path: "/busy", has: "<p>rows</p>", unquiet: true},
		{path: "/loop", has: "<title>round</title>"},
		{path: "/again", has: "<p>rows</p>"},
		{path: "/long", has: "<title>not read</title>"},
		{path: "/names", has: `<form name="documentElement">`},
	} {
		t.Run(test.path[1:], func(t *testing.T) {
			restless.Store(test.unquiet)
			defer restless.Store(false)
			out := r.rendered(t, test.path)
			if !strings.Contains(string(out.HTML), test.has) || out.Unquiet != test.unquiet {
				t.Errorf("unquiet %v, %+v: %.500s", out.Unquiet, out.Denied, out.HTML)
			}
		})
	}
	t.Run("deep", func(t *testing.T) { // Chromium itself may not survive it
		if out, err := r.page(t, "/deep"); err != nil && !errors.Is(err, errCrashed) || err == nil && !strings.Contains(string(out.HTML), "<div><div>") {
			t.Error(err)
		}
	})
	t.Run("wide", func(t *testing.T) {
		out := r.rendered(t, "/wide")
		if len(out.HTML) > limits().MaxBody || !out.Truncated {
			t.Errorf("%d bytes, cut: %v", len(out.HTML), out.Truncated)
		}
	})
	if s := r.State(); s.Begun != 1 || s.Killed != 0 {
		t.Errorf("%+v", s)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	var seen atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/fat", func(w http.ResponseWriter, _ *http.Request) {
		html(w, `<script>fetch('/held'); const all = []; setInterval(() => { const a = new Uint8Array(64 << 20); a.fill(1); all.push(a); fetch('/poll') }, 20)</script>`)
	})
	mux.HandleFunc("/held", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }) // so the page never rests
	mux.HandleFunc("/thin", func(w http.ResponseWriter, _ *http.Request) { html(w, "<p>rows</p>") })
	var noted atomic.Int64
	lim := func() Limits {
		l := limits()
		l.Memory = 2 << 30
		return l
	}
	r := newRig(t, lim, mux, func(c *Config) {
		c.rss = func(group int) (int64, bool) {
			n, ok := residentOf(group)
			if n > seen.Load() {
				seen.Store(n)
			}
			return n, ok
		}
		c.Note = func(level, format string, args ...any) {
			if strings.Contains(fmt.Sprintf(format, args...), "render.memory_mb") {
				noted.Add(1)
			}
		}
	})
	if _, err := r.page(t, "/fat"); !errors.Is(err, errMemory) {
		t.Fatalf("a page that fills the memory: %v", err)
	}
	out := r.rendered(t, "/thin")
	if !strings.Contains(string(out.HTML), "rows") {
		t.Errorf("%s", out.HTML)
	}
	if s := r.State(); s.Begun != 2 || s.Killed != 1 || noted.Load() != 1 {
		t.Errorf("%+v, said %d times", s, noted.Load())
	}
	if seen.Load() <= 2<<30 {
		t.Errorf("never more than %d MB", seen.Load()>>20)
	}
}

func TestBegunAnewAfterSoManyPages(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/thin", func(w http.ResponseWriter, _ *http.Request) { html(w, "<p>rows</p>") })
	r := newRig(t, func() Limits {
		l := limits()
		l.Pages = 2
		return l
	}, mux)
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			if _, err := r.page(t, "/thin"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if s := r.State(); s.Begun != 3 || s.Pages != 5 {
		t.Errorf("%+v", s)
	}
}

func TestNothingIsLeft(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/thin", func(w http.ResponseWriter, _ *http.Request) { html(w, "<p>rows</p>") })
	r := newRig(t, limits, mux)
	r.rendered(t, "/thin")
	group := r.now.cmd.Process.Pid
	r.Close()
	if names, err := os.ReadDir(r.Folder); err != nil || len(names) != 0 {
		t.Errorf("left: %v %v", names, err)
	}
	if n, ok := residentOf(group); ok && n != 0 {
		t.Errorf("processes with %d bytes are left", n)
	}
	if _, err := r.page(t, "/thin"); !errors.Is(err, errClosed) {
		t.Errorf("a closed browser: %v", err)
	}
}

func TestNoBrowser(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Find(""); !errors.Is(err, ErrNone) {
		t.Errorf("%v", err)
	}
	if _, err := Find("no-such-browser"); err == nil || !strings.Contains(err.Error(), "render.browser") {
		t.Errorf("%v", err)
	}
	b := New(Config{Limits: limits})
	defer b.Close()
	if _, err := b.Render(context.Background(), &fetch.Response{URL: "http://x.test/"}); !errors.Is(err, ErrNone) {
		t.Errorf("%v", err)
	}
	if s := b.State(); s.Failed != 1 || !strings.Contains(s.Err, "install the package chromium") {
		t.Errorf("%+v", s)
	}
}

// BenchmarkPage says what a rendered page costs: a list with one script and one request
// for its rows.
func BenchmarkPage(b *testing.B) {
	if _, err := Find(""); err != nil {
		b.Skip(err)
	}
	web := httptest.NewServer(list())
	defer web.Close()
	own, err := fetch.New(fetch.Config{SeedHosts: []string{strings.TrimPrefix(web.URL, "http://")}})
	if err != nil {
		b.Fatal(err)
	}
	defer own.Close()
	r := New(Config{Limits: limits, Own: own, Others: own, Folder: b.TempDir()})
	defer r.Close()
	page := func() {
		resp, err := own.Fetch(b.Context(), fetch.Request{URL: web.URL + "/list"})
		if err == nil {
			_, err = r.Render(b.Context(), resp)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	page()
	before := cpuOf(r.now.cmd.Process.Pid)
	for b.Loop() {
		page()
	}
	b.ReportMetric((cpuOf(r.now.cmd.Process.Pid)-before)/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(r.State().Peak>>20), "MB")
}

// cpuOf is the time that the living processes of a group have used, in seconds; on other
// systems than Linux 0.
func cpuOf(group int) (seconds float64) {
	names, _ := os.ReadDir("/proc")
	for _, n := range names {
		stat, err := os.ReadFile("/proc/" + n.Name() + "/stat")
		if err != nil {
			continue
		}
		f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		var pgrp, user, system int
		if len(f) > 15 {
			if _, err := fmt.Sscan(f[2]+" "+f[11]+" "+f[12], &pgrp, &user, &system); err == nil && pgrp == group {
				seconds += float64(user+system) / 100
			}
		}
	}
	return seconds
}
