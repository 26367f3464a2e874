package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"angler/crawl"
	"angler/crawl/api"
	"angler/crawl/demo"
	"angler/crawl/demo/demotest"
	"angler/store/records"
)

// crawled is a Service beside the workbench of the small web.
func crawled(t *testing.T) *api.Service {
	t.Helper()
	_, s := beside(t)
	return s
}

// beside is crawled with its workbench.
func beside(t *testing.T) (*demo.Engine, *api.Service) {
	t.Helper()
	dir := t.TempDir()
	b := demotest.Crawled(t, dir, crawl.Options{By: "wang", Search: true}, 3)
	b.SearchReady(t.Context())
	return b, opened(t, dir)
}

func opened(t *testing.T, dir string) *api.Service {
	t.Helper()
	s, err := api.Open(t.Context(), dir)
	must(t, err)
	t.Cleanup(func() { demotest.Close(t, s) })
	return s
}

// empty is a Service of a workspace without pages.
func empty(t *testing.T) *api.Service {
	t.Helper()
	return opened(t, demotest.Workspace(t, nil))
}

// recorded keeps what was written.
type recorded struct {
	io.WriteCloser
	mu  sync.Mutex
	all bytes.Buffer
}

func (r *recorded) Write(p []byte) (int, error) {
	r.mu.Lock()
	r.all.Write(p)
	r.mu.Unlock()
	return r.WriteCloser.Write(p)
}

// client connects the SDK's client to a server of s; wire is what the server writes.
func client(t *testing.T, s *api.Service) (session *sdk.ClientSession, wire *recorded) {
	t.Helper()
	return named(t, s, false, "test")
}

// named is client with a name; propose offers it the tools that propose.
func named(t *testing.T, s *api.Service, propose bool, name string) (session *sdk.ClientSession, wire *recorded) {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	wire = &recorded{WriteCloser: fromServer}
	ended := make(chan error, 1)
	go func() { ended <- Serve(context.WithoutCancel(t.Context()), s, propose, toServer, wire) }()
	c := sdk.NewClient(&sdk.Implementation{Name: name, Version: "1"}, nil)
	session, err := c.Connect(t.Context(), &sdk.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	must(t, err)
	t.Cleanup(func() {
		session.Close()
		if err := <-ended; err != nil {
			t.Errorf("the session ends with %v", err)
		}
	})
	return session, wire
}

// call calls a tool and reads its answer, which must be the same as text.
func call[T any](t *testing.T, c *sdk.ClientSession, name string, args any) (out T) {
	t.Helper()
	got, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil || got.IsError || len(got.Content) != 1 {
		t.Fatalf("%s: %+v, %v", name, got, err)
	}
	text := got.Content[0].(*sdk.TextContent).Text
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%s: %v in %s", name, err, text)
	}
	b, _ := json.Marshal(got.StructuredContent)
	var same T
	if err := json.Unmarshal(b, &same); err != nil || !reflect.DeepEqual(same, out) {
		t.Errorf("%s: the structured answer is %s", name, b)
	}
	return out
}

// refuses fails the test unless a tool answers with an error that says part.
func refuses(t *testing.T, c *sdk.ClientSession, name string, args any, part string) {
	t.Helper()
	got, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil || !got.IsError || !strings.Contains(got.Content[0].(*sdk.TextContent).Text, part) {
		t.Errorf("%s %v: %+v, %v", name, args, got, err)
	}
}

func TestEveryToolResourceAndPrompt(t *testing.T) {
	c, wire := client(t, crawled(t))
	tools, err := c.ListTools(t.Context(), nil)
	must(t, err)
	var names []string
	for _, x := range tools.Tools {
		names = append(names, x.Name)
		if x.InputSchema == nil || x.OutputSchema == nil || x.Description == "" || !x.Annotations.ReadOnlyHint {
			t.Errorf("%+v", x)
		}
	}
	want := []string{"explain_page", "get_notice", "list_changes", "list_hosts", "list_lists", "search_notices",
		"topic_words", "workspace_status"}
	if slices.Sort(names); !slices.Equal(names, want) {
		t.Errorf("tools %q", names)
	}
	status := call[api.Status](t, c, "workspace_status", nil)
	if status.Notices == 0 || status.Lists == 0 || !status.Open {
		t.Errorf("%+v", status)
	}
	found := call[api.FoundNotices](t, c, "search_notices", map[string]any{"filter": "采购", "limit": 2})
	if len(found.Notices) != 2 || found.NextCursor == "" {
		t.Fatalf("%+v", found)
	}
	n := found.Notices[0]
	more := call[api.FoundNotices](t, c, "search_notices", map[string]any{"filter": "采购", "limit": 2,
		"cursor": found.NextCursor})
	if len(more.Notices) == 0 || more.Notices[0].ID == n.ID {
		t.Errorf("%+v", more)
	}
	if full := call[api.Notice](t, c, "get_notice", map[string]any{"id": n.ID}); full.URL != n.URL ||
		len(full.Texts) == 0 {
		t.Errorf("%+v", full)
	}
	if got := call[api.Changes](t, c, "list_changes", map[string]any{"since": "2d"}); got.Total == 0 {
		t.Errorf("%+v", got)
	}
	lists := call[api.Lists](t, c, "list_lists", map[string]any{"limit": 1})
	if got := call[api.PageExplanation](t, c, "explain_page",
		map[string]any{"url": lists.Lists[0].URL}); got.Score == nil {
		t.Errorf("%+v", got)
	}
	if got := call[api.Hosts](t, c, "list_hosts", nil); got.Total == 0 {
		t.Errorf("%+v", got)
	}
	if got := call[api.FeatureWords](t, c, "topic_words", map[string]any{"limit": 5}); len(got.Words) != 5 {
		t.Errorf("%+v", got)
	}

	refuses(t, c, "search_notices", map[string]any{"filter": "colour:red"}, "no field colour")
	refuses(t, c, "search_notices", map[string]any{"sql": "x"}, "sql")
	refuses(t, c, "search_notices", map[string]any{"cursor": "AAAA"}, "damaged")
	refuses(t, c, "get_notice", map[string]any{"id": 1 << 40}, "id of no notice")
	refuses(t, c, "get_notice", map[string]any{"id": -1}, "id")
	refuses(t, c, "list_changes", map[string]any{"since": "soon"}, "no time")
	refuses(t, c, "explain_page", map[string]any{"url": "file:///etc/passwd"}, "no http address")

	resources, err := c.ListResources(t.Context(), nil)
	if err != nil || len(resources.Resources) != 1 {
		t.Fatalf("%+v, %v", resources, err)
	}
	templates, err := c.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 2 {
		t.Fatalf("%+v, %v", templates, err)
	}
	for uri, part := range map[string]string{resources.Resources[0].URI: lists.Lists[0].URL,
		fmt.Sprintf("angler://lists/%d", lists.Lists[0].ID): lists.Lists[0].URL, fmt.Sprintf("angler://notices/%d",
			n.ID): "<" + n.URL + ">"} {
		got, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil || len(got.Contents) != 1 || got.Contents[0].MIMEType != markdownType ||
			!strings.Contains(got.Contents[0].Text, part) {
			t.Errorf("%s: %+v, %v", uri, got, err)
		}
	}
	for _, uri := range []string{"angler://notices/0", "angler://notices/x", "angler://notices/99999999",
		"angler://lists/99999999", "file:///etc/passwd"} {
		if got, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s: %+v", uri, got)
		}
	}

	prompts, err := c.ListPrompts(t.Context(), nil)
	if err != nil || len(prompts.Prompts) != 2 {
		t.Fatalf("%+v, %v", prompts, err)
	}
	for _, p := range []sdk.GetPromptParams{{Name: "morning_digest"}, {Name: "is_this_for_us",
		Arguments: map[string]string{"id": fmt.Sprint(n.ID), "about": "we clean"}}} {
		got, err := c.GetPrompt(t.Context(), &p)
		if err != nil || len(got.Messages) != 2 ||
			!strings.Contains(got.Messages[1].Content.(*sdk.TextContent).Text, "http://") {
			t.Errorf("%s: %+v, %v", p.Name, got, err)
		}
	}
	for _, p := range []sdk.GetPromptParams{{Name: "morning_digest", Arguments: map[string]string{"since": "soon"}},
		{Name: "is_this_for_us"}, {Name: "other"}} {
		if got, err := c.GetPrompt(t.Context(), &p); err == nil {
			t.Errorf("%s: %+v", p.Name, got)
		}
	}
	if all := wire.all.String(); strings.Contains(all, `\u`) || !strings.Contains(all, "采购") {
		t.Error("the answers are not plain UTF-8")
	}
}

// A line that is no message is answered with an error, and the next one is read. What was
// asked before the input ends is answered.
func TestBadLines(t *testing.T) {
	s := empty(t)
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	in := strings.Join([]string{
		hello,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":`,
		`hello`,
		`[]`,
		`[` + hello + `]`,
		`{"id":1}`,
		`{"jsonrpc":"1.0","id":2,"method":"ping"}`,
		strings.Repeat("[", 500_000),
		`{"jsonrpc":"2.0","id":3,"method":"ping","params":{"x":"` + strings.Repeat("x", 10<<20) + `"}}`,
		``,
		`{"jsonrpc":"2.0","id":4,"method":"nonsense"}`,
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"no_tool","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"search_notices","arguments":"x"}}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search_notices","arguments":{"filter":"采购"}}}`,
	}, "\n")
	var out bytes.Buffer
	must(t, Serve(t.Context(), s, false, strings.NewReader(in), &out))
	codes, answers := map[string]int{}, map[float64]string{}
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		var x struct {
			ID     any
			Result json.RawMessage
			Error  *struct{ Code int }
		}
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			t.Fatalf("%v: %.300s", err, lines.Text())
		}
		switch id, known := x.ID.(float64); {
		case known && x.Error != nil:
			answers[id] = fmt.Sprint(x.Error.Code)
		case known:
			answers[id] = string(x.Result)
		case x.Error != nil:
			codes[fmt.Sprint(x.Error.Code)]++
		}
	}
	if codes["-32700"] != 3 || codes["-32600"] != 5 {
		t.Errorf("bad lines are answered with %v", codes)
	}
	if answers[4] != "-32601" || answers[5] != "-32602" || !strings.Contains(answers[6], "isError") &&
		answers[6] != "-32602" ||
		!strings.Contains(answers[7], `"notices":[]`) {
		t.Errorf("%v", answers)
	}
}

func TestEndOfTheContext(t *testing.T) {
	s := empty(t)
	in, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- Serve(ctx, s, false, in, io.Discard) }()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n[]\n\n{"))
	f.Add([]byte("\x00\n{\"jsonrpc\":\"2.0\",\"method\":\"a\"}"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		conn, err := (&lines{bytes.NewReader(in), &out}).Connect(t.Context())
		must(t, err)
		defer conn.Close()
		for range len(in) + 1 {
			msg, err := conn.Read(t.Context())
			if err != nil {
				return
			}
			if msg == nil {
				t.Fatal("no message and no error")
			}
			if q, ok := msg.(*jsonrpc.Request); ok && q.ID.IsValid() {
				return // its answer would be waited for
			}
		}
		t.Error("the input does not end")
	})
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{`"\u003cb\u003e\u0026"`: `"<b>&"`, `"\\u003c"`: `"\\u003c"`,
		`"\n\"\u2028"`: `"\n\"\u2028"`, `"\`: `"\`} {
		if got := string(plain([]byte(in))); got != want {
			t.Errorf("%s is %s", in, got)
		}
	}
}

// A notice shows what the optional model answered, and whether that is out of date.
func TestModelAnswerOfANotice(t *testing.T) {
	at := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	dir := demotest.Stored(t, demotest.Tender(1), demotest.Tender(2), demotest.Tender(3))
	e := demotest.Engine(t, dir, crawl.Options{By: "wang"})
	heads, err := e.Inbox.Heads(t.Context())
	if err != nil || len(heads) != 3 {
		t.Fatalf("%d notices, %v", len(heads), err)
	}
	want := map[uint64]*api.ModelAnswer{heads[2].ID: nil}
	for i, h := range heads[:2] {
		a := &records.Answer{ID: h.ID, Said: records.SaidYes, Quote: "预算\x1b[2J金额", Model: "small", Version: h.Version + uint64(i), At: at}
		want[h.ID] = &api.ModelAnswer{Answer: "yes", Quote: "预算金额", Model: "small", Stale: i == 1, At: at}
		must(t, records.PutAnswer(e.Workspace(), a, records.AssistantUse{Day: "2026-11-20"}))
	}
	c, _ := client(t, opened(t, dir))
	for id, want := range want {
		if n := call[api.Notice](t, c, "get_notice", map[string]any{"id": id}); !reflect.DeepEqual(n.Assistant, want) {
			t.Errorf("%d shows %+v, want %+v", id, n.Assistant, want)
		}
		read, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: fmt.Sprintf("angler://notices/%d", id)})
		if err != nil || len(read.Contents) != 1 {
			t.Fatalf("%+v, %v", read, err)
		}
		fresh := want != nil && !want.Stale
		if text := read.Contents[0].Text; strings.Contains(text, "no verdict of a person") != fresh {
			t.Errorf("%d reads %q", id, text)
		}
	}
	found := call[api.FoundNotices](t, c, "search_notices", map[string]any{"filter": "assistant:yes"})
	if len(found.Notices) != 1 || !reflect.DeepEqual(found.Notices[0].Assistant, want[heads[0].ID]) {
		t.Errorf("the filter finds %+v", found)
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
