package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// This file starts and ends browser processes.

// keeper is a shell script that runs as long as the browser. When the pipe at descriptor 5 closes,
// because this program closed it or died, the script kills its process group and removes the
// profile.
const keeper = `d=$1; shift
"$@" 5<&- &
b=$!
exec 3<&- 4>&-
read -r x <&5
trap "" TERM
kill -KILL $b 2>/dev/null
kill -TERM 0 2>/dev/null
wait
rm -rf -- "$d" || { sleep 1; rm -rf -- "$d"; }
kill -KILL 0`

// arguments returns the command line of a browser that does nothing by itself.
func arguments(folder string) []string {
	args := []string{
		"--headless", "--remote-debugging-pipe", "--user-data-dir=" + folder, "--no-startup-window",
		// Nothing leaves the browser: names do not resolve, and requests that are not intercepted
		// go to a proxy that does not exist.
		"--proxy-server=http://nowhere.invalid:1", "--proxy-bypass-list=<-loopback>",
		"--host-resolver-rules=MAP * ~NOTFOUND",
		"--disable-quic", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--no-pings", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--disable-domain-reliability",
		"--disable-client-side-phishing-detection", "--no-first-run", "--no-default-browser-check",
		"--disable-default-apps", "--disable-extensions",
		"--disable-breakpad", "--disable-crash-reporter", "--metrics-recording-only",
		"--deny-permission-prompts", "--block-new-web-contents", "--disable-notifications", "--disable-print-preview",
		"--mute-audio", "--disable-file-system",
		"--disable-gpu", "--disable-3d-apis", "--disable-remote-fonts", "--blink-settings=imagesEnabled=false",
		"--disable-dev-shm-usage",
		"--disk-cache-size=1", "--media-cache-size=1", "--window-size=1280,3000", "--lang=zh-CN",
		"--password-store=basic", "--use-mock-keychain",
		// One process for all frames of a page; frames hold no secrets.
		"--disable-site-isolation-trials",
		"--disable-features=IsolateOrigins,site-per-process,OptimizationHints,Translate,MediaRouter,DialMediaRouteProvider,SpareRendererForSitePerProcess,PaintHolding,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
	}
	if noSandbox() {
		args = append(args, "--no-sandbox")
	}
	return args
}

// noSandbox reports whether the browser must run without its sandbox, which does not work for root.
func noSandbox() bool { return os.Geteuid() == 0 }

// process is a browser with all its child processes.
type process struct {
	*conn
	cmd        *exec.Cmd
	folder     string
	keeperPipe *os.File // the keeper's pipe
	stderr     *tail    // end of its standard error
	exited     chan struct{}
	ending     sync.Once

	mu      sync.Mutex // guards the fields below
	pages   int        // pages started
	open    int        // pages in progress
	retired bool
	err     error
}

// startProcess starts a browser and waits until it answers.
func startProcess(ctx context.Context, path, folder string) (p *process, err error) {
	dir, err := os.MkdirTemp(folder, "angler-browser-")
	if err != nil {
		return nil, err
	}
	var files []*os.File
	pipe := func() (r, w *os.File) {
		if err != nil {
			return nil, nil
		}
		if r, w, err = os.Pipe(); err == nil {
			files = append(files, r, w)
		}
		return r, w
	}
	theirIn, ourOut := pipe()
	ourIn, theirOut := pipe()
	theirHold, ourHold := pipe()
	fail := func(err error) (*process, error) {
		for _, f := range files {
			_ = f.Close()
		}
		_ = os.RemoveAll(dir)
		return nil, err
	}
	if err != nil {
		return fail(err)
	}
	cmd := exec.Command("/bin/sh", append([]string{"-c", keeper, "angler-browser", dir, path}, arguments(dir)...)...)
	cmd.ExtraFiles = []*os.File{theirIn, theirOut, theirHold}
	cmd.Env = environment(dir)
	cmd.Dir = dir
	said := new(tail)
	cmd.Stderr = said
	cmd.WaitDelay = 5 * time.Second
	groupOfItsOwn(cmd)
	if err := cmd.Start(); err != nil {
		return fail(err)
	}
	for _, f := range []*os.File{theirIn, theirOut, theirHold} {
		_ = f.Close()
	}
	p = &process{cmd: cmd, folder: dir, keeperPipe: ourHold, stderr: said, exited: make(chan struct{}),
		conn: newConn(ourIn, ourOut)}
	go func() {
		_ = cmd.Wait()
		close(p.exited)
	}()
	ctx, cancel := context.WithTimeoutCause(ctx, 2*time.Minute, errors.New("no answer within two minutes"))
	defer cancel()
	if err := p.call(ctx, "", "Browser.getVersion", nil, nil); err != nil {
		p.end()
		return nil, said.explain(err)
	}
	return p, nil
}

// environment returns the browser's environment. Its home is its profile.
func environment(dir string) []string {
	env := []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_CACHE_HOME=" + dir, "TMPDIR=" + os.TempDir(),
		"DBUS_SESSION_BUS_ADDRESS=disabled:"}
	for _, name := range []string{"PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// spare starts a page in the process; false = the process has had most pages or is retired.
func (p *process) spare(most int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.retired || most > 0 && p.pages >= most {
		return false
	}
	p.pages++
	p.open++
	return true
}

// free ends a page; true = the process must be ended, too.
func (p *process) free() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open--
	return p.retired && p.open == 0
}

// retire allows no further page; true = none is in progress.
func (p *process) retire() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.retired = true
	return p.open == 0
}

// why returns why the process cannot render any more; nil = it can.
func (p *process) why() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return p.err
	}
	select {
	case <-p.done:
		return p.stderr.explain(errPipe)
	default:
		return nil
	}
}

// watch checks the memory of the process until it ends.
func (p *process) watch(limits func() bounds, rss func(group int) (int64, bool), seen, over func(bytes int64)) {
	go func() {
		tick := time.NewTicker(250 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-p.exited:
				return
			case <-p.done:
				return
			case <-tick.C:
			}
			p.mu.Lock()
			open := p.open
			p.mu.Unlock()
			if open == 0 {
				continue
			}
			n, ok := rss(p.cmd.Process.Pid)
			if !ok {
				return
			}
			seen(n)
			if most := limits().Memory; most > 0 && n > most {
				p.mu.Lock()
				p.err = errMemory
				p.mu.Unlock()
				over(n)
				p.end()
				return
			}
		}
	}()
}

// end kills all processes, waits for them and removes the profile.
func (p *process) end() {
	p.ending.Do(func() {
		_ = p.keeperPipe.Close()
		select {
		case <-p.exited:
		case <-time.After(15 * time.Second):
		}
		endGroup(p.cmd.Process.Pid)
		<-p.exited
		_ = os.RemoveAll(p.folder)
	})
}

// tail keeps the last bytes written to it. It is safe for concurrent use.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const maxTail = 4 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if n := len(t.text); n > maxTail {
		t.text = append(t.text[:0], t.text[n-maxTail:]...)
	}
	return len(b), nil
}

// explain adds the cause that the browser wrote to standard error.
func (t *tail) explain(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := string(t.text)
	switch {
	case strings.Contains(text, "No usable sandbox"):
		return fmt.Errorf("%w: it has no sandbox here; allow user namespaces to the user that runs angler", err)
	case strings.Contains(text, "error while loading shared libraries"):
		_, line, _ := strings.Cut(text, "error while loading shared libraries")
		line, _, _ = strings.Cut(line, "\n")
		return fmt.Errorf("%w: a library is missing%s", err, line)
	}
	return err
}
