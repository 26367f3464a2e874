// Package sandbox runs code that other people wrote for friendly pages on the
// pages of a crawl, which may be hostile. Such code recurses, repeats whole
// passes and may panic.
//
// Each call gets a document of its own, because it may change it, a bounded page, a
// goroutine with a recover, and a time limit after which nobody waits for it any
// more. A call that overruns keeps its slot until it ends, so that hostile pages
// cannot pile up work. Memory is not bounded otherwise. It costs a copy of the page or a
// second html.Parse of it beside the code's own work.
package sandbox

import (
	"fmt"
	"net/url"
	"runtime"
	"time"

	"angler/crawl/page/htmltree"

	"golang.org/x/net/html"
)

const (
	maxBytes = 1 << 20
	maxNodes = 20_000
	maxTime  = time.Second // some thirty times what a large page takes, as long as others wait for the machine, too
)

// slots bounds how many calls run at a time.
var slots = make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))

// Document says what code is given.
type Document bool

// Whole is a new parse of the page. Elements may lack comments, the doctype and the order
// of attributes, and costs a tenth of that.
const (
	Whole    Document = false
	Elements Document = true
)

// Run calls f with a document of the page and reports whether f ended
// in time and without an error or a panic. A page that is not parsed from markup
// is not for f. A bound that was hit is noted in t.Limits under the name of the
// code. The result must not share memory with anything f goes on changing. Safe
// for concurrent use on different trees.
func Run[T any](t *htmltree.Tree, name string, kind Document, f func(*html.Node, *url.URL) (T, error)) (T, bool) {
	type answer struct {
		v   T
		err error
	}
	var none T
	if t.Source == "" {
		return none, false
	}
	if len(t.Source) > maxBytes {
		t.Limit(name+" bytes", maxBytes)
		return none, false
	}
	if len(t.Nodes) > maxNodes {
		t.Limit(name+" nodes", maxNodes)
		return none, false
	}
	u, err := url.Parse(t.URL)
	if err != nil {
		return none, false
	}
	timer := time.NewTimer(maxTime)
	defer timer.Stop()
	select {
	case slots <- struct{}{}:
	case <-timer.C:
		t.LimitHit(name + " time")
		return none, false
	}
	done := make(chan answer, 1)
	source := t.Source // the goroutine may outlive the tree
	var doc *html.Node
	if kind == Elements {
		doc = t.Copy()
	}
	go func() {
		defer func() { <-slots }()
		var a answer
		defer func() {
			if p := recover(); p != nil {
				a.err = fmt.Errorf("%s: %v", name, p)
			}
			done <- a
		}()
		if doc == nil {
			if doc, a.err = htmltree.ParseWithin(source, maxTime); a.err != nil {
				return
			}
		}
		a.v, a.err = f(doc, u)
	}()
	select {
	case a := <-done:
		return a.v, a.err == nil
	case <-timer.C:
		t.LimitHit(name + " time")
		return none, false
	}
}
