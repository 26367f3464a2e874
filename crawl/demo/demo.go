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
	"os"
	"path/filepath"
	"sync"

	"angler/crawl"
	"angler/crawl/urls"
	"angler/crawl/webtest"
	"angler/store"
)

// Bench is the demo's engine; closing it also ends the server and removes the
// workspace if it was a temporary one.
type Bench struct {
	*crawl.Engine
	web    *webtest.Web
	server *webtest.Server
	temp   string
	close  func() error
}

// Open serves the web whose sources are in material and opens a workspace for
// it in dir ("" = a temporary folder), made new unless it is there already.
func Open(ctx context.Context, material fs.FS, dir string, opt crawl.Options) (*Bench, error) {
	if opt.Progress != nil {
		opt.Progress("serving the demo web")
	}
	m, err := webtest.Load(material)
	if err != nil {
		return nil, err
	}
	b := &Bench{}
	b.close = sync.OnceValue(func() error { return errors.Join(b.Engine.Close(), b.closeWeb()) })
	if b.web, err = webtest.New(m, webtest.Options{}); err != nil {
		return nil, err
	}
	if b.server, err = webtest.Serve(b.web); err != nil {
		return nil, fmt.Errorf("cannot serve the demo web on loopback: %w", err)
	}
	if err := b.open(ctx, dir, opt); err != nil {
		return nil, errors.Join(err, b.closeWeb())
	}
	return b, nil
}

func (b *Bench) open(ctx context.Context, dir string, opt crawl.Options) (err error) {
	if dir == "" {
		if b.temp, err = os.MkdirTemp("", "angler-demo-"); err != nil {
			return fmt.Errorf("cannot make a temporary folder: %w; give one with --dir", err)
		}
		dir = filepath.Join(b.temp, "demo")
	}
	set := store.DefaultSettings()
	set.Seeds = b.web.Seeds()
	set.Crawl.Delay = 0 // the server is ours
	set.Store.ExpectedURLs = 50_000
	if err := store.Create(dir, set); err != nil && !errors.Is(err, store.ErrExists) {
		return err
	}
	opt.Dial = b.server.Dial
	b.Engine, err = crawl.Open(ctx, dir, opt)
	return err
}

// Web is the web that is served, with the truth about its pages.
func (b *Bench) Web() *webtest.Web { return b.web }

// TenderLists returns the addresses of n tender lists, each of another host: a
// topic's natural samples.
func (b *Bench) TenderLists(n int) []string {
	var out []string
	hosts := map[string]bool{}
	for t := range b.web.Truths() {
		if len(out) == n {
			break
		}
		if host := urls.HostOf(t.URL); t.Tender && t.Type == "list" && !hosts[host] && len(t.Records) >= 10 {
			hosts[host] = true
			out = append(out, t.URL)
		}
	}
	return out
}

// Close stops the run, closes the workspace and the server. Closing again does
// nothing and returns the same.
func (b *Bench) Close() error { return b.close() }

func (b *Bench) closeWeb() error {
	err := b.server.Close()
	if b.temp != "" {
		err = errors.Join(err, os.RemoveAll(b.temp))
	}
	return err
}
