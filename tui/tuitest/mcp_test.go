//go:build unix

package tuitest

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"angler/crawl/demo"
	"angler/crawl/webtest"
)

// The SDK's client starts and queries the program while other commands write to the workspace.
func TestAssistant(t *testing.T) {
	x := newCrawl(t, webtest.Options{})
	dir, lists := x.dir, demo.TenderLists(x.web, 3)
	x.sample(lists...)
	x.run("crawl")
	var errs strings.Builder
	c := exec.Command(Path, "mcp", dir)
	c.Stderr = &errs
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &sdk.CommandTransport{Command: c}, nil)
	must(t, err)
	Must(t, "labels", "set", dir, lists[0]+"=yes") // the workspace is not locked
	got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "search_notices",
		Arguments: map[string]any{"filter": "采购", "limit": 3}})
	if err != nil || got.IsError || !strings.Contains(got.Content[0].(*sdk.TextContent).Text, "采购") {
		t.Errorf("%+v, %v", got, err)
	}
	page, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "explain_page",
		Arguments: map[string]any{"url": lists[0]}})
	if err != nil || page.IsError || !strings.Contains(page.Content[0].(*sdk.TextContent).Text, `"mark":"sample"`) {
		t.Errorf("%+v, %v", page, err)
	}
	if err := session.Close(); err != nil || !c.ProcessState.Success() || errs.Len() > 0 {
		t.Errorf("the program ends with %v, %v, and says %q", err, c.ProcessState, errs.String())
	}
	if got := Run(t, "mcp", t.TempDir()); got.Status != 1 || got.Out != "" || !strings.Contains(got.Err, "no angler workspace") {
		t.Errorf("a folder without a workspace: %+v", got)
	}
}

// SIGTERM ends the program with status 0 while its input is open.
func TestAssistantIsTerminated(t *testing.T) {
	web, _ := Serve(t, webtest.Options{})
	c := exec.Command(Path, "mcp", Workspace(t, web))
	in, err := c.StdinPipe()
	must(t, err)
	defer in.Close()
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	if _, err := in.Write([]byte("hello\n")); err != nil {
		t.Fatal(err)
	}
	var refused struct{ Error struct{ Code int } }
	if err := json.NewDecoder(bufio.NewReader(out)).Decode(&refused); err != nil || refused.Error.Code != -32700 {
		t.Errorf("%+v, %v", refused, err)
	}
	must(t, c.Process.Signal(syscall.SIGTERM))
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
}
