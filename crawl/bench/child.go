package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/run"
	"angler/crawl/webtest"
	"angler/store"
	"angler/store/config"
)

// child is a process of a benchmark: the site, or one of the crawlers that are part
// of this program.
type child struct {
	web     *webtest.Web
	addr    string // of the site
	pages   int    // about so many has the web
	workers int
	dir     string
	out     *json.Encoder
}

// Child is a process of a benchmark, with the arguments that Run has given it. It
// ends when ctx does, or when in ends because its parent is gone.
func Child(ctx context.Context, material fs.FS, args []string, in io.Reader, out io.Writer) error {
	c := &child{out: json.NewEncoder(out)}
	if len(args) == 0 {
		return errors.New("this command is run by angler bench")
	}
	f := flag.NewFlagSet("bench-run", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&c.addr, "addr", "", "address of the site, HOST:PORT")
	f.StringVar(&c.dir, "dir", "", "folder for what is stored")
	f.IntVar(&c.pages, "pages", 0, "pages of the web")
	f.IntVar(&c.workers, "workers", 1, "fetches at once")
	err := f.Parse(args[1:])
	if err != nil {
		return err
	}
	if c.web, err = Web(material, c.pages); err != nil {
		return err
	}
	if args[0] == "site" {
		return c.serve(in)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	switch args[0] {
	case oursName:
		return c.discover(ctx)
	case bareName:
		return c.bare(ctx)
	case collyName:
		return c.colly(ctx)
	}
	return fmt.Errorf("there is no crawler %q", args[0])
}

// serve serves the web until in ends, and answers a line of it with what has been
// served.
func (c *child) serve(in io.Reader) error {
	s, err := webtest.ServeSwift(c.web)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := c.out.Encode(said{Addr: s.Addr()}); err != nil {
		return err
	}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		if lines.Text() == askReset {
			s.Reset()
		}
		served := s.Served()
		if err := c.out.Encode(said{Served: &served}); err != nil {
			return err
		}
	}
	return nil
}

// Workspace makes a workspace for a discovery of the whole web, without delay.
func Workspace(dir string, web *webtest.Web, pages, workers int) error {
	set := config.Default()
	set.Seeds = web.Seeds()
	set.Crawl.Delay, set.Crawl.Workers, set.Crawl.Depth = 0, workers, 50
	set.Store.ExpectedURLs = max(1000, 2*pages)
	return store.Create(dir, set)
}

// Prepare opens the workspace, gives it three samples of the web and loads the
// words: all that comes before a discovery. The caller closes the engine.
func Prepare(ctx context.Context, dir, addr string, web *webtest.Web) (*crawl.Engine, error) {
	e, err := crawl.Open(ctx, dir, crawl.Options{Dial: webtest.DialTo(addr)})
	if err != nil {
		return nil, err
	}
	samples := demo.TenderLists(web, 3)
	if len(samples) == 0 {
		return nil, errors.Join(errors.New("no list of this web has ten entries; give more pages"), e.Close())
	}
	for _, u := range samples {
		if _, err := e.Topic.AddSample(ctx, u, ""); err != nil {
			return nil, errors.Join(err, e.Close())
		}
	}
	if err := e.Words(ctx); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// discover is the whole pipeline.
func (c *child) discover(ctx context.Context) (err error) {
	dir := filepath.Join(c.dir, "ws")
	if err := Workspace(dir, c.web, c.pages, c.workers); err != nil {
		return err
	}
	e, err := Prepare(ctx, dir, c.addr, c.web)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	if err := c.out.Encode(said{Began: true}); err != nil {
		return err
	}
	s, err := e.Runs.Discover(ctx, run.Options{})
	if err != nil {
		return err
	}
	return c.out.Encode(said{Lists: s.Aggregations})
}

// bare is the plainest crawler.
func (c *child) bare(ctx context.Context) error {
	if err := c.out.Encode(said{Began: true}); err != nil {
		return err
	}
	Bare(ctx, c.web, c.addr, c.workers, 0)
	return ctx.Err()
}
