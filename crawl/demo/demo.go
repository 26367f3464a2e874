// Package demo opens an engine on the embedded miniature web: a real HTTP
// server on loopback, a real workspace on disk, and a dialer that leads every
// .test host to that server. Nothing inside the fetcher is faked, and no other
// address can be reached from here.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"angler/crawl"
	"angler/crawl/urls"
	"angler/crawl/webtest"
	"angler/store"
	"angler/store/config"
)

// Engine is the demo's engine; closing it also ends the server and removes the
// workspace if it was a temporary one.
type Engine struct {
	*crawl.Engine
	web    *webtest.Web
	server *webtest.Server
	temp   string
	close  func() error
}

// Server is the server of the web, so that it can be made to fail.
func (e *Engine) Server() *webtest.Server { return e.server }

// Open serves the web whose sources are in material and opens a workspace for
// it in dir ("" = a temporary folder), made new unless it is there already. opt.Dial is asked before the demo's own
// dialer: it may fail, or return no connection to leave it to that.
func Open(ctx context.Context, material fs.FS, dir string, opt crawl.Options) (*Engine, error) {
	return OpenPlan(ctx, material, "", dir, opt)
}

// OpenPlan is Open for the web of one of the material's plans; "" is the demo's own.
func OpenPlan(ctx context.Context, material fs.FS, plan, dir string, opt crawl.Options) (*Engine, error) {
	if opt.Progress != nil {
		opt.Progress("serving the demo web")
	}
	m, err := webtest.LoadPlan(material, plan)
	if err != nil {
		return nil, err
	}
	e := &Engine{}
	e.close = sync.OnceValue(func() error { return errors.Join(e.Engine.Close(), e.closeWeb()) })
	if e.web, err = webtest.New(m, webtest.Options{}); err != nil {
		return nil, err
	}
	if e.server, err = webtest.Serve(e.web); err != nil {
		return nil, fmt.Errorf("cannot serve the demo web on loopback: %w", err)
	}
	if err := e.open(ctx, dir, opt); err != nil {
		return nil, errors.Join(err, e.closeWeb())
	}
	return e, nil
}

func (e *Engine) open(ctx context.Context, dir string, opt crawl.Options) (err error) {
	if dir == "" {
		if e.temp, err = os.MkdirTemp("", "angler-demo-"); err != nil {
			return fmt.Errorf("cannot make a temporary folder: %w; give one with --dir", err)
		}
		dir = filepath.Join(e.temp, "demo")
	}
	set := config.Default()
	set.Seeds = e.web.Seeds()
	set.Crawl.Delay = 0 // the server is ours
	set.Store.ExpectedURLs = 50_000
	if err := store.Create(dir, set); err != nil && !errors.Is(err, store.ErrExists) {
		return err
	}
	if around := opt.Dial; around != nil {
		opt.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			if c, err := around(ctx, network, addr); c != nil || err != nil {
				return c, err
			}
			return e.server.Dial(ctx, network, addr)
		}
	} else {
		opt.Dial = e.server.Dial
	}
	e.Engine, err = crawl.Open(ctx, dir, opt)
	return err
}

// Web is the web that is served, with the truth about its pages.
func (e *Engine) Web() *webtest.Web { return e.web }

// TenderLists is the function of this name on the engine's web.
func (e *Engine) TenderLists(n int) []string { return TenderLists(e.web, n) }

// TenderLists returns the addresses of n tender lists of a web, each of another host
// and, while there are any, of another section (calls, purchases, awards): a topic's
// natural samples.
func TenderLists(web *webtest.Web, n int) []string {
	var out []string
	hosts, sections := map[string]bool{}, map[string]bool{}
	for _, another := range []bool{true, false} {
		for t := range web.Truths() {
			host, section := urls.HostOf(t.URL), sectionOf(t.URL)
			if len(out) < n && t.Tender && t.Type == "list" && len(t.Records) >= 10 && !hosts[host] && !(another && sections[section]) {
				hosts[host], sections[section] = true, true
				out = append(out, t.URL)
			}
		}
	}
	return out
}

// sectionOf returns the first part of a URL's path, without an extension.
func sectionOf(url string) string {
	_, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	section, _, _ := strings.Cut(path, "/")
	section, _, _ = strings.Cut(section, ".")
	return section
}

// Close stops the run, closes the workspace and the server. Closing again does
// nothing and returns the same.
func (e *Engine) Close() error { return e.close() }

func (e *Engine) closeWeb() error {
	err := e.server.Close()
	if e.temp != "" {
		err = errors.Join(err, os.RemoveAll(e.temp))
	}
	return err
}
