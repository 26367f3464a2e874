// Package demo opens an engine on the embedded miniature web. It uses a real HTTP server on loopback and a real
// workspace on disk. A dialer sends every .test host to that server; no other address is reachable. The fetcher
// contains no fakes.
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

// Engine is the demo's engine. Close also stops the server and deletes a temporary workspace.
type Engine struct {
	*crawl.Engine
	web    *webtest.Web
	server *webtest.Server
	temp   string
	close  func() error
}

// Server returns the web's server, so that a test can make it fail.
func (e *Engine) Server() *webtest.Server { return e.server }

// Open serves the web from material and opens a workspace in dir; "" means a temporary folder. It creates the
// workspace if it is missing. opt.Dial runs before the demo's dialer. It may fail, or return no connection to use
// the demo's dialer.
func Open(ctx context.Context, material fs.FS, dir string, opt crawl.Options) (*Engine, error) {
	return OpenPlan(ctx, material, "", dir, opt)
}

// OpenPlan is Open for one of the material's plans; "" means the demo's plan.
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
	set.Crawl.Delay = 0 // our own server needs no delay
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

// Web returns the served web, with the ground truth of its pages.
func (e *Engine) Web() *webtest.Web { return e.web }

// TenderLists calls the function TenderLists on the engine's web.
func (e *Engine) TenderLists(n int) []string { return TenderLists(e.web, n) }

// TenderLists returns the addresses of n tender lists, each on another host: natural samples of a topic. It prefers
// different sections (calls, purchases, awards) while there are any.
func TenderLists(web *webtest.Web, n int) []string {
	var out []string
	hosts, sections := map[string]bool{}, map[string]bool{}
	for _, another := range []bool{true, false} {
		for t := range web.Truths() {
			if len(out) == n {
				return out
			}
			host, section := urls.HostOf(t.URL), sectionOf(t.URL)
			if t.Tender && t.Type == "list" && len(t.Records) >= 10 && !hosts[host] &&
				!(another && sections[section]) {
				hosts[host], sections[section] = true, true
				out = append(out, t.URL)
			}
		}
	}
	return out
}

// sectionOf returns the first segment of a URL's path, without an extension.
func sectionOf(url string) string {
	_, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	section, _, _ := strings.Cut(path, "/")
	section, _, _ = strings.Cut(section, ".")
	return section
}

// Close stops the run, then closes the workspace and the server. Further calls return the same error.
func (e *Engine) Close() error { return e.close() }

func (e *Engine) closeWeb() error {
	err := e.server.Close()
	if e.temp != "" {
		err = errors.Join(err, os.RemoveAll(e.temp))
	}
	return err
}
