package soak

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/crawl/query"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/crawl/webtest"
)

// order is what the parent tells a process on its standard input, a line each.
type order struct {
	Fault  string         `json:"fault,omitempty"` // the network fails
	N      int            `json:"n,omitempty"`     // so often; or which choice
	Clock  *time.Duration `json:"clock,omitempty"` // the clock jumps to so far off
	Choice *choice        `json:"choice,omitempty"`
	Go     bool           `json:"go,omitempty"` // begin the task
}

// answer is what a process tells its parent on standard output, a line each.
type answer struct {
	Step  bool   `json:"step,omitempty"` // a page or a notice is stored
	Did   bool   `json:"did,omitempty"`  // the choice with this number is stored
	Not   string `json:"not,omitempty"`  // why it could not be made
	N     int    `json:"n,omitempty"`
	Ended bool   `json:"ended,omitempty"`
	New   int    `json:"new,omitempty"` // pages and notices that the task brought
}

// choice is what an analyst decides; one of the three is set.
type choice struct {
	Sample string `json:"sample,omitempty"`
	Label  string `json:"label,omitempty"` // URL=yes
	Key    string `json:"key,omitempty"`   // of a setting
	Value  string `json:"value,omitempty"`
}

// life says what a process is for.
type life struct {
	dir   string        // the workspace
	web   string        // address of the web, 127.0.0.1:PORT
	task  string        // view.Discovery, view.Harvest, or "" for none
	retry bool          // what has failed is tried again first
	clock time.Duration // how far the clock is off from the beginning
}

// flags adds the flags of a process.
func (l *life) flags(f *flag.FlagSet) {
	f.StringVar(&l.dir, "dir", "", "workspace")
	f.StringVar(&l.web, "web", "", "address of the web, HOST:PORT")
	f.StringVar(&l.task, "task", "", "discovery, harvest, or nothing")
	f.BoolVar(&l.retry, "retry", false, "try again first what has failed")
	f.DurationVar(&l.clock, "clock", 0, "how far the clock is off")
}

// args are the flags that give a process this life.
func (l *life) args() []string {
	return []string{"-dir=" + l.dir, "-web=" + l.web, "-task=" + l.task, fmt.Sprintf("-retry=%v", l.retry), "-clock=" + l.clock.String()}
}

// child is the process of a crawl. It does what the parent says until its task has
// ended, its context ends or the parent is gone.
type child struct {
	life
	network network
	off     atomic.Int64 // of the clock, ns
	begin   chan struct{}
	mu      sync.Mutex // one line at a time
	out     io.Writer
}

// Child is the process of a crawl, with the arguments that a soak has given it. It
// follows the orders on in and answers on out.
func Child(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	c := &child{out: out, begin: make(chan struct{})}
	f := flag.NewFlagSet("soak-run", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	c.flags(f)
	if err := f.Parse(args); err != nil {
		return err
	}
	if c.dir == "" || c.web == "" {
		return errors.New("a process of the soak needs -dir and -web")
	}
	c.network.server.Addr = c.web
	c.off.Store(int64(c.clock))
	return c.run(ctx, in)
}

// now is the clock of the process.
func (c *child) now() time.Time { return time.Now().Add(time.Duration(c.off.Load())) }

func (c *child) run(ctx context.Context, in io.Reader) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e, err := crawl.Open(ctx, c.dir, crawl.Options{By: "soak", Dial: c.network.dial, Report: c, Now: c.now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	go func() {
		c.obey(ctx, e, in)
		cancel() // the parent is gone
	}()
	select {
	case <-c.begin:
	case <-ctx.Done():
		return nil
	}
	if c.retry {
		if _, err := e.Runs.Retry(run.AllFailures); err != nil {
			return err
		}
	}
	n := 0
	if c.task != "" {
		if n, err = c.perform(ctx, e); err != nil {
			return err
		}
	}
	c.say(answer{Ended: true, New: n})
	return nil
}

func (c *child) perform(ctx context.Context, e *crawl.Engine) (int, error) {
	task := e.Runs.Discover
	if c.task == view.Harvest {
		task = e.Runs.Harvest
	}
	s, err := task(ctx, run.Options{})
	return s.Pages + s.Notices, err
}

// obey follows the orders of the parent until it is gone.
func (c *child) obey(ctx context.Context, e *crawl.Engine, in io.Reader) {
	begin := sync.OnceFunc(func() { close(c.begin) })
	for lines := bufio.NewScanner(in); lines.Scan(); {
		var o order
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			return
		}
		switch {
		case o.Go:
			begin()
		case o.Clock != nil:
			c.off.Store(int64(*o.Clock))
		case o.Choice != nil:
			if err := o.Choice.make(ctx, e); err != nil {
				c.say(answer{Not: err.Error(), N: o.N})
			} else {
				c.say(answer{Did: true, N: o.N})
			}
		case o.Fault != "":
			c.network.fail(o.Fault, o.N)
		}
	}
}

// make stores the choice.
func (x *choice) make(ctx context.Context, e *crawl.Engine) error {
	switch {
	case x.Sample != "":
		_, err := e.Topic.AddSample(ctx, x.Sample, "")
		return err
	case x.Label != "":
		if err := e.Words(ctx); err != nil {
			return err
		}
		rows, err := decisions.ParseLabels([]string{x.Label})
		if err != nil {
			return err
		}
		_, unknown, err := e.Labels.LabelURLs(rows, "labels of the soak")
		if err == nil && len(unknown) > 0 {
			err = fmt.Errorf("not stored yet: %s", unknown[0])
		}
		return err
	}
	_, err := e.Settings.ChangeSetting(x.Key, x.Value)
	return err
}

// Page implements query.Reporter.
func (c *child) Page(view.PageRow) { c.say(answer{Step: true}) }

// Notice implements query.Reporter.
func (c *child) Notice(query.NoticeJSON) { c.say(answer{Step: true}) }

// say writes a line at once: what is said must be true after a kill.
func (c *child) say(a answer) {
	b, err := json.Marshal(a)
	if err != nil {
		return // of these fields none can fail
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = c.out.Write(append(b, '\n')) // a parent that is gone ends the process
}

// choices are what the crawls decide: samples first, which must be made before a
// discovery judges anything, then labels and settings while it goes on.
func choices(web *webtest.Web) (list []choice, err error) {
	var no int
	var yes []string
	for truth := range web.Truths() {
		switch {
		case truth.Type == "list" && truth.Tender && len(truth.Records) >= 10:
			yes = append(yes, truth.URL)
		case truth.Type == "list" && !truth.Tender && len(truth.Records) >= 10 && no < 3:
			no++
			list = append(list, choice{Label: truth.URL + "=no"})
		}
	}
	if len(yes) < samples+3 {
		return nil, fmt.Errorf("the web has %d lists of tenders, too few for samples and labels; give more -pages", len(yes))
	}
	for _, u := range yes[samples : samples+3] {
		list = append(list, choice{Label: u + "=yes"})
	}
	list = append(list, choice{Key: "crawl.workers", Value: "24"}, choice{Key: "harvest.pages", Value: "40"})
	var first []choice
	for _, u := range yes[:samples] {
		first = append(first, choice{Sample: u})
	}
	return append(first, list...), nil
}

// samples is how many sample pages each crawl has.
const samples = 3
