package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/webtest"
)

// said is what a process of ours says on standard output, a line each.
type said struct {
	Addr   string          `json:"addr,omitempty"`   // of the site
	Began  bool            `json:"began,omitempty"`  // the crawl, when all is ready for it
	Lists  int             `json:"lists,omitempty"`  // aggregation pages, at the end
	Served *webtest.Served `json:"served,omitempty"` // by the site, when asked
}

// site is the process that serves the web.
type site struct {
	addr string
	cmd  *exec.Cmd
	in   io.WriteCloser
	mu   sync.Mutex // one question at a time
	out  *json.Decoder
}

// startSite starts the site with a web of about so many pages.
func startSite(ctx context.Context, program []string, pages int) (*site, error) {
	s := &site{cmd: ours(ctx, program, "site", "-pages", strconv.Itoa(pages))}
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.cmd.Stderr = os.Stderr
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start the process of the site: %w", err)
	}
	s.in, s.out = in, json.NewDecoder(out)
	var first said
	if err := s.out.Decode(&first); err != nil {
		return nil, errors.Join(fmt.Errorf("the process of the site says nothing: %w", err), s.close())
	}
	s.addr = first.Addr
	return s, nil
}

// ask sends an order, one of askServed and askReset, and returns what has been served.
func (s *site) ask(order string) (webtest.Served, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var answer said
	_, err := io.WriteString(s.in, order+"\n")
	if err == nil {
		err = s.out.Decode(&answer)
	}
	if err != nil || answer.Served == nil {
		return webtest.Served{}, errors.Join(errors.New("the process of the site has ended"), err)
	}
	return *answer.Served, nil
}

const (
	askServed = "served"
	askReset  = "reset"
)

func (s *site) close() error {
	err := s.in.Close()
	if ended := s.cmd.Wait(); s.cmd.ProcessState == nil || !s.cmd.ProcessState.Exited() {
		return nil // it was ended with us
	} else if ended != nil {
		return fmt.Errorf("the process of the site: %w", ended)
	}
	return err
}

// ours is a process of this program.
func ours(ctx context.Context, program []string, role string, args ...string) *exec.Cmd {
	all := append(append(program[1:len(program):len(program)], role), args...)
	return exec.CommandContext(ctx, program[0], all...)
}

// errTooLong ends a crawler whose time is up.
var errTooLong = errors.New("ended, its time was up")

// measure runs one crawler with its files in dir, which is gone afterwards. It
// reports what kept it from measuring; a crawler that fails has a note.
func (b *bench) measure(ctx context.Context, c crawler, dir string) (row Row, err error) {
	row = Row{Crawler: c.name, Version: c.version(ctx)}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return row, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if _, err := b.site.ask(askReset); err != nil {
		return row, errors.Join(ctx.Err(), err)
	}
	limited, cancel := context.WithTimeoutCause(ctx, b.Most, errTooLong)
	defer cancel()
	cmd, err := c.command(limited, b, dir)
	if err != nil {
		return row, err
	}
	cmd.Dir = dir
	cmd.WaitDelay = 10 * time.Second
	var words firstWords
	cmd.Stderr = &words
	var begun atomic.Pointer[time.Time]
	listen, err := hearer(cmd, c, func(a said) {
		if a.Began {
			now := time.Now()
			begun.Store(&now)
		}
		row.Lists = max(row.Lists, a.Lists)
	})
	if err != nil {
		return row, err
	}
	if err := cmd.Start(); err != nil {
		row.Note = err.Error()
		return row, ctx.Err()
	}
	watched := make(chan memory)
	ended := make(chan struct{})
	go func() { watched <- b.watch(cmd.Process.Pid, c.name, ended) }()
	listen()
	failed := cmd.Wait()
	end := time.Now()
	close(ended)
	mem := <-watched
	if ctx.Err() != nil {
		return row, ctx.Err()
	}
	served, err := b.site.ask(askServed)
	if err != nil {
		return row, err
	}
	from := served.First
	if at := begun.Load(); at != nil {
		from = *at
	}
	row.Found, row.Requests, row.Peak, row.Own = served.Pages, served.Requests, mem.peak, mem.own
	switch {
	case limited.Err() != nil:
		row.Note = context.Cause(limited).Error()
	case failed != nil && !c.fails:
		row.Note = strings.TrimSpace(failed.Error() + " " + words.String())
	}
	if n := float64(row.Found); n > 0 {
		row.Seconds = end.Sub(from).Seconds()
		row.Rate = n / row.Seconds
		row.CPU = float64((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Microseconds()) / n
		size, err := sizeOf(dir)
		if err != nil {
			return row, err
		}
		row.Disk = float64(size) / n
	}
	return row, nil
}

// hearer returns what reads the lines of a process of ours until it has nothing more
// to say; of others nobody reads any.
func hearer(cmd *exec.Cmd, c crawler, hear func(said)) (listen func(), err error) {
	if c.role == "" {
		return func() {}, nil
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if _, err := cmd.StdinPipe(); err != nil { // its end tells the process that we are gone
		return nil, err
	}
	return func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var a said
			if json.Unmarshal(lines.Bytes(), &a) == nil {
				hear(a)
			}
		}
	}, nil
}

// memory is the highest resident memory of a process, MB; 0 where the system does
// not tell.
type memory struct{ peak, own float64 }

// watch looks at a process until it has ended, and tells how far its crawler is.
func (b *bench) watch(pid int, name string, ended <-chan struct{}) (m memory) {
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for n := 0; ; n++ {
		select {
		case <-ended:
			return m
		case <-look.C:
		}
		m.peak = max(m.peak, Resident(pid, "VmHWM"))
		m.own = max(m.own, Resident(pid, "RssAnon"))
		if n%100 == 99 && b.Progress != nil {
			if served, err := b.site.ask(askServed); err == nil {
				b.Progress(name, served.Pages, b.pages)
			}
		}
	}
}

// Resident reads one figure of the resident memory of a process, in MB: VmHWM is the
// highest there was, RssFile the part of it that is the mapped database and program,
// which the system takes back when others need it, RssAnon the rest. It is 0 where
// the system does not tell.
func Resident(pid int, field string) float64 {
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), field+":")
	var kB float64
	if _, err := fmt.Sscan(rest, &kB); err != nil {
		return 0
	}
	return kB / 1024
}

// sizeOf is the length of all files of a folder, bytes.
func sizeOf(dir string) (size int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}

// firstWords keeps the beginning of what is written, in one line.
type firstWords struct{ b []byte }

func (w *firstWords) Write(b []byte) (int, error) {
	if room := 300 - len(w.b); room > 0 {
		w.b = append(w.b, b[:min(len(b), room)]...)
	}
	return len(b), nil
}

func (w *firstWords) String() string {
	return strings.ToValidUTF8(strings.Join(strings.Fields(string(w.b)), " "), "")
}

// Machine is where a benchmark was made.
type Machine struct {
	Processor string  `json:"processor"` // "" where the system does not tell
	Cores     int     `json:"cores"`
	System    string  `json:"system"` // linux/amd64
	Go        string  `json:"go"`
	Load      float64 `json:"load"` // average of the last minute at the start: what else was at work; 0 where the system does not tell
}

func thisMachine() Machine {
	m := Machine{Cores: runtime.NumCPU(), System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version()}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		_, _ = fmt.Sscan(string(load), &m.Load)
	}
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return m
	}
	_, rest, _ := strings.Cut(string(info), "model name")
	line, _, _ := strings.Cut(rest, "\n")
	_, name, _ := strings.Cut(line, ":")
	m.Processor = strings.TrimSpace(name)
	return m
}
