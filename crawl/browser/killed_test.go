//go:build heavy && linux

package browser

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"angler/crawl/fetch"
)

// childFolder names the environment variable that makes a child of the test binary: it
// renders a page, says which processes do that, and waits to be killed.
const childFolder = "ANGLER_BROWSER_CHILD"

func TestMain(m *testing.M) {
	folder := os.Getenv(childFolder)
	if folder == "" {
		os.Exit(m.Run())
	}
	b := newBrowser(browserConfig{Limits: limits, Folder: folder, Own: stub(nil), Others: stub(nil)})
	_, err := b.render(context.Background(), &fetch.Response{URL: "http://x.test/", Status: 200, ContentType: "text/html", Body: []byte("<p>rows</p>")})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(b.current.cmd.Process.Pid)
	select {}
}

// An engine that is killed leaves neither processes nor a profile.
func TestKilledEngine(t *testing.T) {
	installed(t)
	folder := t.TempDir()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childFolder+"="+folder)
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	var keeper int
	if _, bad := fmt.Sscan(line, &keeper); err != nil || bad != nil {
		t.Fatalf("%q %v %v", line, err, child.Process.Kill())
	}
	if n, ok := residentOf(keeper); !ok || n < 100<<20 {
		t.Errorf("the browser has %d bytes", n)
	}
	watch, err := unix.PidfdOpen(keeper, 0)
	must(t, err)
	defer unix.Close(watch)
	must(t, child.Process.Kill())
	_ = child.Wait()
	for { // until the keeper is gone; one that outlives its engine ends in the timeout of go test
		_, err := unix.Poll([]unix.PollFd{{Fd: int32(watch), Events: unix.POLLIN}}, -1)
		if err == unix.EINTR {
			continue
		}
		must(t, err)
		break
	}
	if n, _ := residentOf(keeper); n != 0 {
		t.Errorf("processes with %d bytes are left", n)
	}
	names, err := os.ReadDir(folder)
	if err != nil || len(names) != 0 {
		t.Errorf("left: %v %v", names, err)
	}
	if crash, _ := exec.Command("pgrep", "-f", folder).Output(); strings.TrimSpace(string(crash)) != "" {
		t.Errorf("processes of the profile are left: %s", crash)
	}
}
