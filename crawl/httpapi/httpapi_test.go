package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"
	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"angler/crawl"
	"angler/crawl/api"
	"angler/crawl/auth"
	"angler/crawl/demo/demotest"
	"angler/crawl/inbox"
	"angler/store"
	"angler/store/secrets"
)

// site is a served workspace of the demo.
type site struct {
	t      *testing.T
	e      *crawl.Engine
	at     string // http://HOST:PORT
	token  string // of a viewer called li
	log    *safeLog
	notice uint64
	url    string // of the notice
	evil   uint64 // a notice with hostile texts
}

// safeLog is a log that several goroutines write.
type safeLog struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *safeLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *safeLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// serve serves a workspace with two notices.
func serve(t *testing.T) *site {
	t.Helper()
	return serveEngine(t, demotest.Engine(t, demotest.Workspace(t, nil), crawl.Options{By: "wang", Search: true}))
}

// serveEngine serves an open workspace with two further notices.
func serveEngine(t *testing.T, e *crawl.Engine) *site {
	t.Helper()
	x := &site{t: t, e: e, log: new(safeLog)}
	x.evil = x.store("http://evil.test/1.htm", "招标<script>alert(1)</script>\r\nEND:VCALENDAR")
	x.url = "http://good.test/1.htm"
	x.notice = x.store(x.url, "图书馆采购公告")
	if _, err := x.e.Inbox.Heads(t.Context()); err != nil {
		t.Fatal(err)
	}
	must(t, e.Facts.Idle(t.Context()))
	dir := e.Workspace().Dir()
	var err error
	if x.token, err = secrets.AddToken(dir, "li", "viewer", time.Now()); err != nil {
		t.Fatal(err)
	}
	service := api.Live(x.e)
	server, err := New(t.Context(), Config{Engine: x.e, Service: service, Log: slog.New(slog.NewTextHandler(x.log, nil))})
	must(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	x.at = "http://" + l.Addr().String()
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() { over <- server.Serve(ctx, l, nil) }()
	t.Cleanup(func() {
		stop()
		if err := <-over; err != nil {
			t.Error(err)
		}
		demotest.Close(t, service)
	})
	return x
}

// store adds a notice with a deadline in two days, as a run does.
func (x *site) store(address, title string) uint64 {
	x.t.Helper()
	ws := x.e.Workspace()
	if _, err := ws.Seed([]string{address}); err != nil {
		x.t.Fatal(err)
	}
	id, _ := ws.Lookup(address)
	due := time.Now().AddDate(0, 0, 2).Format("2006年01月02日") + "09时30分"
	things := "设备"
	for i := range 40 { // else they are copies of each other
		things += "、" + demotest.Thing(int(id)*40+i) + title
	}
	n := &store.Notice{ID: id, URL: address, Title: title, FirstSeen: time.Now(), Source: "http://list.test/",
		Text: "受海州大学委托，就" + things + "采购项目进行公开招标。\n采购人：海州大学\n投标截止时间：" + due + "\n<img src=x onerror=alert(1)>"}
	if _, err := ws.Commit(nil, []*store.Capture{{ID: id, State: store.Complete, Notice: n,
		Page: &store.Page{URL: address, Status: 200, Title: title, Fetched: time.Now()}}}); err != nil {
		x.t.Fatal(err)
	}
	x.e.Inbox.Noticed(n)
	x.e.Facts.Noticed(id)
	return id
}

// do sends a request with the token of the site, unless the headers have another.
func (x *site) do(method, path string, body io.Reader, headers ...string) *http.Response {
	x.t.Helper()
	r, err := http.NewRequestWithContext(x.t.Context(), method, x.at+path, body)
	must(x.t, err)
	r.Header.Set("Authorization", "Bearer "+x.token)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	must(x.t, err)
	x.t.Cleanup(func() { answer.Body.Close() })
	return answer
}

// get returns the answer to a request with its body.
func (x *site) get(path string, headers ...string) (*http.Response, string) {
	x.t.Helper()
	answer := x.do("GET", path, nil, headers...)
	b, err := io.ReadAll(answer.Body)
	must(x.t, err)
	return answer, string(b)
}

// json reads a JSON answer with a status.
func (x *site) json(path string, status int, out any) {
	x.t.Helper()
	answer, body := x.get(path)
	if answer.StatusCode != status {
		x.t.Fatalf("%s is answered with %s: %s", path, answer.Status, body)
	}
	if err := json.Unmarshal([]byte(body), out); err != nil {
		x.t.Fatalf("%s: %v: %s", path, err, body)
	}
}

// Every question answers as the OpenAPI document says, in good and bad cases.
func TestOpenAPI(t *testing.T) {
	b := demotest.Crawled(t, t.TempDir(), crawl.Options{By: "wang", Search: true}, 3)
	x := serveEngine(t, b.Engine)
	var doc struct {
		OpenAPI string
		Paths   map[string]struct {
			Get struct {
				Parameters []struct {
					Name     string
					Required bool
				}
				Responses map[string]struct {
					Content map[string]struct{ Schema *jsonschema.Schema }
				}
			}
		}
		Components struct {
			Responses map[string]struct {
				Content map[string]struct{ Schema *jsonschema.Schema }
			}
		}
	}
	x.json("/api/v1/openapi.json", 200, &doc)
	if doc.OpenAPI != "3.1.0" || len(doc.Paths) != len(routes()) {
		t.Fatalf("%s with %d paths", doc.OpenAPI, len(doc.Paths))
	}
	values := map[string]string{"url": url.QueryEscape(x.url), "since": "2000-01-01"}
	refusal, err := doc.Components.Responses["problem"].Content["application/problem+json"].Schema.Resolve(nil)
	must(t, err)
	conforms := func(path, body string, s *jsonschema.Resolved) {
		t.Helper()
		var v any
		if err := json.Unmarshal([]byte(body), &v); err != nil {
			t.Errorf("%s: %v", path, err)
		} else if err := s.Validate(v); err != nil {
			t.Errorf("%s does not answer as the document says: %v\n%.600s", path, err, body)
		}
	}
	for path, at := range doc.Paths {
		q := "?"
		for _, p := range at.Get.Parameters {
			if p.Required || p.Name == "url" {
				q += p.Name + "=" + values[p.Name] + "&"
			}
		}
		if path != "/api/v1/events" {
			answer, body := x.get(path + strings.TrimRight(q, "?&"))
			kind, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";")
			content, known := at.Get.Responses["200"].Content[kind]
			if answer.StatusCode != 200 || !known {
				t.Errorf("%s is answered with %s and %s: %.300s", path, answer.Status, kind, body)
			} else if content.Schema != nil {
				s, err := content.Schema.Resolve(nil)
				must(t, err)
				conforms(path, body, s)
				if !strings.HasPrefix(body, `{"as_of":`) { // which tags leave out
					t.Errorf("%s begins with %.40s", path, body)
				}
			}
		}
		for _, bad := range []string{"nonsense=1", "limit=x", "filter=a&filter=b"} {
			answer, body := x.get(path + "?" + bad)
			if answer.StatusCode != 400 || answer.Header.Get("Content-Type") != "application/problem+json" {
				t.Errorf("%s?%s is answered with %s: %.300s", path, bad, answer.Status, body)
			}
			conforms(path+"?"+bad, body, refusal)
		}
	}
}

func TestRefusals(t *testing.T) {
	x := serve(t)
	var first api.FoundNotices
	x.json("/api/v1/notices?limit=1", 200, &first)
	for name, c := range map[string]struct {
		path    string
		headers []string
		status  int
		says    string
	}{
		"no token":                 {"/api/v1/status", []string{"Authorization", ""}, 401, "token add"},
		"a wrong token":            {"/api/v1/status", []string{"Authorization", "Bearer angler_x"}, 401, "unknown"},
		"a token in the query":     {"/api/v1/status?filter=" + x.token, nil, 400, "logged"},
		"a parameter token":        {"/api/v1/status?token=x", nil, 400, "logged"},
		"a field that is none":     {"/api/v1/notices?filter=colour:red", nil, 400, "no field colour"},
		"an open quote":            {"/feed.atom?filter=%22x", nil, 400, "filter"},
		"a nonsense calendar":      {"/deadlines.ics?filter=colour:red", nil, 400, "no field colour"},
		"a nonsense stream":        {"/api/v1/events?filter=colour:red", nil, 400, "no field colour"},
		"an event that is none":    {"/api/v1/events", []string{"Last-Event-ID", "x"}, 400, "id of no event"},
		"a negative limit":         {"/api/v1/notices?limit=-1", nil, 400, "limit"},
		"a cursor of another":      {"/api/v1/lists?cursor=" + first.NextCursor, nil, 400, "another question"},
		"a damaged cursor":         {"/api/v1/notices?cursor=zzzz", nil, 400, "damaged"},
		"a long query":             {"/api/v1/notices?filter=" + strings.Repeat("a", maxQuery), nil, 414, "bytes"},
		"an unknown host":          {"/api/v1/status", []string{"Host", "evil.test"}, 421, "--http-host"},
		"a rebound name":           {"/mcp", []string{"Host", "evil.test:9464", "Origin", "http://evil.test:9464"}, 421, "Host"},
		"a foreign origin":         {"/api/v1/status", []string{"Origin", "http://evil.test"}, 403, "other sites"},
		"an origin of none":        {"/api/v1/status", []string{"Origin", "null"}, 403, "other sites"},
		"an unknown question":      {"/api/v1/secrets", nil, 404, "openapi.json"},
		"a notice that is none":    {"/notices/x.md", nil, 404, "number"},
		"an unknown notice":        {"/notices/999999999.md", nil, 404, "no notice"},
		"an address of elsewhere":  {"/api/v1/notice?url=http://169.254.169.254/", nil, 400, "not known"},
		"a file":                   {"/api/v1/explain?url=file:///etc/passwd", nil, 400, "no http address"},
		"metrics through a proxy":  {"/metrics", []string{"Authorization", "", "X-Forwarded-For", "10.0.0.1"}, 401, "token"},
		"a folder above the pages": {"/notices/..%2f..%2fetc%2fpasswd.md", nil, 404, "number"},
	} {
		answer, body := x.get(c.path, c.headers...)
		if answer.StatusCode != c.status || !strings.Contains(body, c.says) {
			t.Errorf("%s is answered with %s: %.300s", name, answer.Status, body)
		}
		if answer.Header.Get("Content-Security-Policy") == "" || answer.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s lacks headers: %v", name, answer.Header)
		}
	}
	c, err := net.Dial("tcp", strings.TrimPrefix(x.at, "http://"))
	must(t, err)
	defer c.Close()
	fmt.Fprint(c, "GET /api/v1/status HTTP/1.0\r\nAuthorization: Bearer "+x.token+"\r\n\r\n")
	if head, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(head, "421") {
		t.Errorf("a request without Host is answered with %q, %v", head, err)
	}
	for _, part := range []string{x.token, "angler_x"} {
		if strings.Contains(x.log.String(), part) {
			t.Errorf("the log holds %q:\n%s", part, x.log)
		}
	}
}

func TestSameAnswer(t *testing.T) {
	x := serve(t)
	for _, path := range []string{"/api/v1/notices?filter=-alert", "/feed.atom", "/deadlines.ics",
		fmt.Sprintf("/notices/%d.md", x.notice)} {
		first, body := x.get(path)
		tag, since := first.Header.Get("ETag"), first.Header.Get("Last-Modified")
		if first.StatusCode != 200 || tag == "" || since == "" || body == "" {
			t.Fatalf("%s: %s %v", path, first.Status, first.Header)
		}
		for name, value := range map[string]string{"If-None-Match": tag, "If-Modified-Since": since} {
			if again, body := x.get(path, name, value); again.StatusCode != http.StatusNotModified || body != "" {
				t.Errorf("%s with %s is answered with %s", path, name, again.Status)
			}
		}
		if other, _ := x.get(path, "If-None-Match", `"x"`); other.StatusCode != 200 {
			t.Errorf("%s is answered with %s", path, other.Status)
		}
	}
	feed := func() string { answer, _ := x.get("/feed.atom"); return answer.Header.Get("ETag") }
	before := feed()
	x.store("http://new.test/1.htm", "新公告")
	if feed() == before {
		t.Error("a new notice does not change the feed")
	}
}

func TestSinceRises(t *testing.T) {
	var c changes
	now := time.Date(2026, 11, 20, 8, 0, 0, 900, time.UTC)
	a, same := c.of("k", "1", now), c.of("k", "1", now.Add(time.Hour))
	b := c.of("k", "2", now)
	if !same.Equal(a) || !b.After(a) {
		t.Errorf("the times are %v, %v, %v", a, same, b)
	}
}

// Feed, calendar and Markdown carry hostile texts as texts.
func TestDocuments(t *testing.T) {
	x := serve(t)
	basic := []string{"Authorization", ""}
	r, err := http.NewRequest("GET", x.at, nil)
	must(t, err)
	r.SetBasicAuth("anything", x.token)
	basic[1] = r.Header.Get("Authorization")
	answer, text := x.get("/deadlines.ics?filter=buyer:海州大学+-图书馆", basic...)
	cal, err := ics.ParseCalendar(strings.NewReader(text))
	if err != nil || answer.StatusCode != 200 {
		t.Fatal(err, answer.Status, text)
	}
	events := cal.Events()
	if len(events) != 1 || events[0].Id() != fmt.Sprintf("notice-%d@angler", x.evil) ||
		!strings.Contains(events[0].GetProperty(ics.ComponentPropertySummary).Value, "<script>") ||
		strings.Count(text, "\nEND:VCALENDAR") != 1 {
		t.Errorf("the calendar is\n%s", text)
	}
	if at, err := events[0].GetStartAt(); err != nil || time.Until(at).Abs() > 73*time.Hour {
		t.Errorf("it starts at %v, %v", at, err)
	}
	if answer, feed := x.get("/feed.atom", basic...); answer.StatusCode != 200 || strings.Contains(feed, "<script") ||
		!strings.Contains(feed, "&lt;script") {
		t.Errorf("%s:\n%.500s", answer.Status, feed)
	}
	if answer, md := x.get(fmt.Sprintf("/notices/%d.md", x.evil)); answer.StatusCode != 200 ||
		!strings.HasPrefix(md, `# 招标\<script\>`) {
		t.Errorf("%s:\n%s", answer.Status, md)
	}
	if answer, text := x.get("/metrics", "Authorization", ""); answer.StatusCode != 200 ||
		!strings.Contains(text, "angler_notices ") {
		t.Errorf("%s: %.200s", answer.Status, text)
	}
	if _, text := x.get("/healthz", "Authorization", ""); !strings.HasPrefix(text, "ok\n") || !strings.Contains(text, "database: ok") {
		t.Error(text)
	}
}

func TestLogin(t *testing.T) {
	x := serve(t)
	post := func(path, token string, headers ...string) *http.Response {
		return x.do("POST", path, strings.NewReader(url.Values{"token": {token}}.Encode()), append([]string{
			"Content-Type", "application/x-www-form-urlencoded", "Authorization", ""}, headers...)...)
	}
	good := post("/login", x.token)
	if good.StatusCode != http.StatusSeeOther || good.Header.Get("Location") != "/" || len(good.Cookies()) != 1 {
		t.Fatal(good.Status, good.Header)
	}
	c := good.Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Secure {
		t.Errorf("%+v", c)
	}
	cookie := []string{"Authorization", "", "Cookie", c.Name + "=" + c.Value, "Accept", "text/html"}
	if page, _ := x.get("/", cookie...); page.StatusCode != 200 {
		t.Error(page.Status)
	}
	bad := post("/login", "angler_wrong")
	if bad.StatusCode != 401 || !strings.HasSuffix(bad.Header.Get("Refresh"), "/login?failed=1") || len(bad.Cookies()) != 0 {
		t.Error(bad.Status, bad.Header)
	}
	if page, _ := x.get("/", "Authorization", "", "Accept", "text/html"); page.StatusCode != 303 ||
		page.Header.Get("Location") != "/login" {
		t.Error(page.Status, page.Header)
	}
	for _, headers := range [][]string{{"Origin", "http://evil.test"}, {"Sec-Fetch-Site", "cross-site"}} {
		if forged := post("/login", x.token, headers...); forged.StatusCode != 403 || len(forged.Cookies()) != 0 {
			t.Errorf("%v: %s", headers, forged.Status)
		}
	}
	if out := post("/logout", ""); out.StatusCode != 303 || out.Cookies()[0].MaxAge >= 0 {
		t.Error(out.Status, out.Header)
	}
}

// The SDK's client lists and calls the tools over HTTP, as the person of its token.
func TestMCP(t *testing.T) {
	x := serve(t)
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: x.at + "/mcp",
		HTTPClient: &http.Client{Transport: signer{x.token}}, DisableStandaloneSSE: true, MaxRetries: -1}, nil)
	must(t, err)
	defer session.Close()
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 8 {
		t.Fatalf("%+v, %v", tools, err)
	}
	li := x.e.Inbox.SessionOf(auth.Actor{Name: "li", Role: auth.Viewer})
	must(t, li.SetRead([]uint64{x.notice}, true))
	got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "search_notices",
		Arguments: map[string]any{"filter": "is:read"}})
	if err != nil || got.IsError {
		t.Fatalf("%+v, %v", got, err)
	}
	var found api.FoundNotices
	b, _ := json.Marshal(got.StructuredContent)
	if err := json.Unmarshal(b, &found); err != nil || found.Total != 1 || found.Notices[0].ID != x.notice {
		t.Errorf("li has read %s, %v", b, err)
	}
	headers := []string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream"}
	for name, c := range map[string]struct {
		body   string
		status int
	}{
		"no JSON":     {"{", 400},
		"no JSON-RPC": {`{"jsonrpc":"1.0","id":1}`, 400},
		"10 MB":       {`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 10<<20) + `"}`, 413},
		"a deep one":  {strings.Repeat("[", 1<<19), 400},
	} {
		if answer := x.do("POST", "/mcp", strings.NewReader(c.body), headers...); answer.StatusCode != c.status {
			t.Errorf("%s is answered with %s", name, answer.Status)
		}
	}
	must(t, secrets.RemoveToken(x.e.Workspace().Dir(), "li"))
	if got, err := session.ListTools(t.Context(), nil); err == nil {
		t.Errorf("a removed token lists %+v", got)
	}
}

// The tools that propose are offered to analysts, and only where the server allows them. What is proposed waits
// under the name of the token.
func TestWhoMayPropose(t *testing.T) {
	b := demotest.Crawled(t, t.TempDir(), crawl.Options{By: "wang", Search: true}, 0)
	rows, err := b.Pages.Candidates(t.Context())
	if err != nil || len(rows) < 2 {
		t.Fatal(len(rows), err)
	}
	tokens := map[string]string{}
	for name, role := range map[string]string{"li": "viewer", "zhou": "analyst", "chen": "admin"} {
		if tokens[name], err = secrets.AddToken(b.Workspace().Dir(), name, role, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	service := api.Live(b.Engine)
	t.Cleanup(func() { demotest.Close(t, service) })
	for _, allowed := range []bool{false, true} {
		server, err := New(t.Context(), Config{Engine: b.Engine, Service: service, Propose: allowed})
		must(t, err)
		at := httptest.NewServer(server)
		t.Cleanup(at.Close)
		for name, token := range tokens {
			session, err := sdk.NewClient(&sdk.Implementation{Name: "wang", Version: "1"}, nil).Connect(t.Context(),
				&sdk.StreamableClientTransport{Endpoint: at.URL + "/mcp",
					HTTPClient: &http.Client{Transport: signer{token}}, DisableStandaloneSSE: true, MaxRetries: -1}, nil)
			must(t, err)
			defer session.Close()
			may := allowed && name != "li"
			tools, err := session.ListTools(t.Context(), nil)
			must(t, err)
			seen := 0
			for _, tool := range tools.Tools {
				if strings.HasPrefix(tool.Name, "propose_") {
					seen++
				}
			}
			told := strings.Contains(session.InitializeResult().Instructions, "propose_label")
			if want := map[bool]int{true: 3}[may]; seen != want || told != may {
				t.Errorf("%s sees %d proposing tools, want %d; the instructions tell: %v", name, seen, want, told)
			}
			before := len(b.Topic.Proposals())
			for tool, args := range map[string]map[string]any{
				"propose_label":  {"id": rows[0].ID, "aggregation_page": true, "reason": "a list"},
				"propose_sample": {"id": rows[1].ID, "reason": "typical"},
				"propose_seed":   {"url": "http://" + name + ".example.com/", "reason": "buys"},
			} {
				got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
				if may && (err != nil || got.IsError) || !may && err == nil {
					t.Errorf("%s calls %s (allowed: %v): %+v, %v", name, tool, allowed, got, err)
				}
			}
			if after := len(b.Topic.Proposals()); (after > before) != may {
				t.Errorf("%s (allowed: %v): %d proposals wait, before %d", name, allowed, after, before)
			}
		}
	}
	by := map[string]string{}
	for _, p := range b.Topic.Proposals() {
		by[p.URL] = p.By
	}
	for _, name := range []string{"zhou", "chen"} {
		if got := by["http://"+name+".example.com/"]; got != name {
			t.Errorf("the seed of %s waits under the name %q", name, got)
		}
	}
	if _, known := tokens[by[rows[0].URL]]; len(by) != 4 || !known {
		t.Errorf("there wait %q", by)
	}
}

// signer adds a token to requests.
type signer struct{ token string }

func (s signer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+s.token)
	return http.DefaultTransport.RoundTrip(r)
}

// A stream tells of new notices, and ends when its token is removed.
func TestEvents(t *testing.T) {
	x := serve(t)
	answer := x.do("GET", "/api/v1/events?filter=设备", nil)
	if answer.StatusCode != 200 || answer.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatal(answer.Status, answer.Header)
	}
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() && lines.Text() != ": open" {
	}
	id := x.store("http://new.test/1.htm", "新到设备公告")
	x.e.Attend()() // it publishes, as a run would
	var last string
	for lines.Scan() {
		if v, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			last = v
		}
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			var c api.NoticeChange
			if err := json.Unmarshal([]byte(data), &c); err != nil || c.Notice.ID != id || c.Change != "new" {
				t.Fatalf("%s, %v", data, err)
			}
			break
		}
	}
	if _, err := time.Parse(time.RFC3339Nano, last); err != nil {
		t.Fatal(err)
	}
	must(t, secrets.RemoveToken(x.e.Workspace().Dir(), "li"))
	for lines.Scan() { // until the server ends the stream
	}
	if err := lines.Err(); err != nil && t.Context().Err() != nil {
		t.Error(err)
	}
	if again, _ := x.get("/api/v1/status"); again.StatusCode != 401 {
		t.Errorf("a removed token is answered with %s", again.Status)
	}
}

// Wrong tokens are refused ever more cheaply, and do not count against right ones.
func TestWrongTokens(t *testing.T) {
	x := serve(t)
	counts := map[int]int{}
	for i := range 1000 {
		answer, _ := x.get("/api/v1/openapi.json", "Authorization", fmt.Sprintf("Bearer angler_%043d", i))
		counts[answer.StatusCode]++
		if i%100 == 99 {
			if right, body := x.get("/api/v1/openapi.json"); right.StatusCode != 200 {
				t.Fatalf("after %d wrong tokens a right one is answered with %s: %s", i+1, right.Status, body)
			}
		}
	}
	if counts[401] < 20 || counts[401]+counts[429] != 1000 {
		t.Errorf("the answers are %v", counts)
	}
	if n := strings.Count(x.log.String(), "wrong token"); n == 0 || n > 100 {
		t.Errorf("%d lines of the log", n)
	}
}

// A token that asks too fast is slowed down; others are not.
func TestPace(t *testing.T) {
	x := serve(t)
	now := time.Now()
	s := &Server{c: Config{Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)},
		dir: x.e.Workspace().Dir()}
	s.pace.Rate = tokenPace
	other, err := secrets.AddToken(s.dir, "zhou", "analyst", now)
	must(t, err)
	r, err := http.NewRequest("GET", x.at, nil)
	must(t, err)
	statuses := map[int]int{}
	for range tokenPace.Burst + 50 {
		_, _, status, _ := s.person(r, x.token)
		statuses[status]++
	}
	if statuses[0] != tokenPace.Burst || statuses[429] != 50 {
		t.Errorf("the answers are %v", statuses)
	}
	if token, who, status, why := s.person(r, other); token == nil || who.Role != "analyst" || !who.Remote {
		t.Errorf("another token is answered with %d: %s", status, why)
	}
}

func TestPublic(t *testing.T) {
	for address, want := range map[string]bool{"127.0.0.1:80": false, "[::1]:80": false, "localhost:80": false,
		":80": true, "0.0.0.0:80": true, "10.1.2.3:80": true, "example.org:80": true, "nonsense": true} {
		if got := Public(address); got != want {
			t.Errorf("%s is public: %v", address, got)
		}
	}
}

// While the notices are read after opening, a client is told how far that is and to ask again.
func TestStillReading(t *testing.T) {
	w := httptest.NewRecorder()
	new(Server).failed(w, httptest.NewRequest(http.MethodGet, "/api/v1/notices", nil),
		fmt.Errorf("asked: %w", &inbox.ReadingError{Read: 3000, All: 100_000}))
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" ||
		!strings.Contains(w.Body.String(), "3000 of 100000") {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
}

// No parameter of a question or a tool makes a served workspace send a request (SSRF).
func TestNoParameterSendsARequest(t *testing.T) {
	var dialled atomic.Int32
	e := demotest.Engine(t, demotest.Workspace(t, nil), crawl.Options{By: "wang", Search: true,
		Dial: func(_ context.Context, _, address string) (net.Conn, error) {
			dialled.Add(1)
			return nil, fmt.Errorf("%s is not to be asked", address)
		}})
	x := serveEngine(t, e)
	addresses := []string{"http://elsewhere.test/1.htm", "http://127.0.0.1:1/", "http://169.254.169.254/latest/meta-data/",
		"//elsewhere.test/", "file:///etc/passwd", "gopher://elsewhere.test:70/"}
	asked := 0
	for _, rt := range routes() {
		if rt.stream != nil || rt.in == nil {
			continue
		}
		for name := range rt.in.Properties {
			for _, address := range addresses {
				if answer, body := x.get(rt.path + "?" + name + "=" + url.QueryEscape(address)); answer.StatusCode >= 500 {
					t.Errorf("%s with %s: %s %s", rt.path, name, answer.Status, body)
				}
				asked++
			}
		}
	}
	service := api.Live(e)
	server, err := New(t.Context(), Config{Engine: e, Service: service, Propose: true})
	must(t, err)
	at := httptest.NewServer(server)
	defer at.Close()
	token, err := secrets.AddToken(e.Workspace().Dir(), "zhou", "analyst", time.Now())
	must(t, err)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&sdk.StreamableClientTransport{Endpoint: at.URL + "/mcp", HTTPClient: &http.Client{Transport: signer{token}},
			DisableStandaloneSSE: true, MaxRetries: -1}, nil)
	must(t, err)
	defer session.Close()
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 11 {
		t.Fatalf("%+v, %v", tools, err)
	}
	for _, tool := range tools.Tools {
		var in struct {
			Properties map[string]struct{ Type string }
		}
		b, _ := json.Marshal(tool.InputSchema)
		must(t, json.Unmarshal(b, &in))
		for _, address := range addresses {
			arguments := map[string]any{}
			for name, property := range in.Properties {
				switch {
				case property.Type == "boolean":
					arguments[name] = true
				case property.Type == "string" && name != "cursor":
					arguments[name] = address
				}
			}
			if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool.Name, Arguments: arguments}); err != nil {
				t.Errorf("%s: %v", tool.Name, err)
			}
			asked++
		}
	}
	if n := dialled.Load(); n > 0 || asked < 100 {
		t.Errorf("%d questions made %d connections", asked, n)
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
