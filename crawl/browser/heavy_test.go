//go:build heavy

package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/view"
)

type stub func(q fetch.Request) (*fetch.Response, error)

func (stub) CrawlDelay(string) time.Duration                                     { return 0 }
func (stub) Private(context.Context, string) error                               { return nil }
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
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) { htmlOf(w, aim(hostile)) })
	mux.HandleFunc("/redirect", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, aim("http://@T/redirected"), http.StatusFound)
	})
	mux.HandleFunc("/worker.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, aim("fetch('http://@T/worker');new WebSocket('ws://@T/workerws');self.onfetch=()=>{}"))
	})
	mux.HandleFunc("/download", func(w http.ResponseWriter, _ *http.Request) {
		htmlOf(w, aim(`<a id="d" download href="http://@T/dl">d</a><script>document.getElementById('d').click()</script>`))
	})
	mux.HandleFunc("/away", func(w http.ResponseWriter, _ *http.Request) {
		htmlOf(w, aim("<script>location='http://@T/away'</script>"))
	})
	mux.HandleFunc("/list", func(w http.ResponseWriter, _ *http.Request) {
		htmlOf(w, aim("<ul><li>rows</li></ul><script>document.querySelector('ul').append('more');location.href='http://@T/inside'</script>"))
	})
	r := newRig(t, limits, mux)
	private := func(_ context.Context, address string) error {
		if strings.HasPrefix(address, aim("http://@T/inside")) {
			return errors.New("private")
		}
		return nil
	}
	r.Own = guarded{r.own, private}
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
	r.Own = guarded{stub(func(q fetch.Request) (*fetch.Response, error) {
		body := aim("fetch('http://@T/worker');new WebSocket('ws://@T/workerws');self.onfetch=()=>{}")
		return &fetch.Response{URL: q.URL, Status: 200, ContentType: "text/javascript", Body: []byte(body)}, nil
	}), private}
	secure, err := r.render(t.Context(), &fetch.Response{URL: "https://hostile.test/page", Status: 200, ContentType: "text/html", Body: []byte(aim(hostile))})
	if err != nil || !strings.Contains(string(secure.HTML), "<p>rows</p>") {
		t.Errorf("over TLS: %v", err)
	}
	r.close() // all that was under way has been tried
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
		htmlOf(w, `<p>rows</p><form id="f" target="_blank" action="/win"></form><a id="d" download href="/file">x</a><script>
for (let i = 0; i < 5; i++) { window.open('/w' + i); document.getElementById('f').submit(); document.getElementById('d').click(); alert(i); confirm(i) }
Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => document.title = 'found');
const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.open('/deep'); f.contentWindow.alert('deep');</script>`)
	})
	mux.HandleFunc("/never", func(w http.ResponseWriter, _ *http.Request) {
		htmlOf(w, `<p>rows</p><script>setInterval(() => fetch('/poll?' + Math.random()), 50)</script>`)
	})
	mux.HandleFunc("/poll", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") })
	mux.HandleFunc("/busy", func(w http.ResponseWriter, _ *http.Request) {
		htmlOf(w, `<p>rows</p><script>onload = () => setTimeout(() => { for (;;) ; }, 100)</script>`)
	})
	mux.HandleFunc("/loop", func(w http.ResponseWriter, _ *http.Request) {
		htmlOf(w, `<p>rows</p><script>fetch('/round').catch(() => document.title = 'round')</script>`)
	})
	mux.HandleFunc("/round", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/round?"+r.URL.RawQuery+"x", http.StatusFound)
	})
	mux.HandleFunc("/again", func(w http.ResponseWriter, _ *http.Request) {
		htmlOf(w, `<p>rows</p><script>location.reload()</script>`)
	})
	mux.HandleFunc("/cookie", func(w http.ResponseWriter, r *http.Request) {
		htmlOf(w, `<p>rows</p>`)
	})
	mux.HandleFunc("/long", func(w http.ResponseWriter, _ *http.Request) {
		htmlOf(w, `<p>rows</p><script>fetch('/long.json').then(r => r.text()).then(x => document.title = 'read ' + x.length, () => document.title = 'not read')</script>`)
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
		htmlOf(w, `<p>rows</p><script>let e = document.body; for (let i = 0; i < 20000; i++) { const d = document.createElement('div'); e.append(d); e = d }</script>`)
	})
	mux.HandleFunc("/wide", func(w http.ResponseWriter, _ *http.Request) {
		htmlOf(w, `<p>rows</p><script>document.body.append('公'.repeat(2 << 20))</script>`)
	})
	mux.HandleFunc("/names", func(w http.ResponseWriter, _ *http.Request) {
		htmlOf(w, `<p>rows</p><form name="documentElement"></form><script>Element.prototype.toString = () => 'no'; Object.defineProperty(Element.prototype, 'outerHTML', {get: () => 'no'})</script>`)
	})
	var restless atomic.Bool // the page never rests: it is given little time
	lim := func() bounds {
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
	if s := r.state(); s.Begun != 1 || s.Killed != 0 {
		t.Errorf("%+v", s)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	var seen atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/fat", func(w http.ResponseWriter, _ *http.Request) {
		htmlOf(w, `<script>fetch('/held'); const all = []; setInterval(() => { const a = new Uint8Array(64 << 20); a.fill(1); all.push(a); fetch('/poll') }, 20)</script>`)
	})
	mux.HandleFunc("/held", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }) // so the page never rests
	mux.HandleFunc("/thin", func(w http.ResponseWriter, _ *http.Request) { htmlOf(w, "<p>rows</p>") })
	var events view.EventLog
	lim := func() bounds {
		l := limits()
		l.Memory = 2 << 30
		return l
	}
	r := newRig(t, lim, mux, func(c *browserConfig) {
		c.rss = func(group int) (int64, bool) {
			n, ok := residentOf(group)
			if n > seen.Load() {
				seen.Store(n)
			}
			return n, ok
		}
		c.Events = &events
	})
	if _, err := r.page(t, "/fat"); !errors.Is(err, errMemory) {
		t.Fatalf("a page that fills the memory: %v", err)
	}
	out := r.rendered(t, "/thin")
	if !strings.Contains(string(out.HTML), "rows") {
		t.Errorf("%s", out.HTML)
	}
	noted := slices.DeleteFunc(slices.Clone(events.Tail()), func(e view.Event) bool { return !strings.Contains(e.Text.String(), "render.memory_mb") })
	if s := r.state(); s.Begun != 2 || s.Killed != 1 || len(noted) != 1 {
		t.Errorf("%+v, said %+v", s, noted)
	}
	if seen.Load() <= 2<<30 {
		t.Errorf("never more than %d MB", seen.Load()>>20)
	}
}

func TestBegunAnewAfterSoManyPages(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/thin", func(w http.ResponseWriter, _ *http.Request) { htmlOf(w, "<p>rows</p>") })
	r := newRig(t, func() bounds {
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
	if s := r.state(); s.Begun != 3 || s.Pages != 5 {
		t.Errorf("%+v", s)
	}
}

func TestNothingIsLeft(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/thin", func(w http.ResponseWriter, _ *http.Request) { htmlOf(w, "<p>rows</p>") })
	r := newRig(t, limits, mux)
	r.rendered(t, "/thin")
	group := r.current.cmd.Process.Pid
	r.close()
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
