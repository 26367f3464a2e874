package htmldoc

import (
	"fmt"
	"net/url"
	"runtime"
	"time"

	"golang.org/x/net/html"
)

const (
	maxBytes        = 1 << 20
	maxSandboxNodes = 20_000
	maxTime         = time.Second // about thirty times the time of a large page, for a busy machine
)

// slots bounds the concurrent calls.
var slots = make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))

// ParserInput selects the document that library code gets.
type ParserInput bool

// WholeDocument is a new parse of the page. ElementsOnly may lack comments, the doctype and the
// order of attributes, and costs a tenth of that.
const (
	WholeDocument ParserInput = false
	ElementsOnly  ParserInput = true
)

// RunParser calls f with a document of the page and reports whether f ended in time without an
// error or a panic. It does not call f for a page that was not parsed from markup. t.Limits records
// a hit bound under the name of the code. The result must not share memory that f continues to
// change. It is safe for concurrent use on different trees.
func RunParser[T any](t *Tree, name string, kind ParserInput, f func(*html.Node, *url.URL) (T, error)) (T, bool) {
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
	if len(t.Nodes) > maxSandboxNodes {
		t.Limit(name+" nodes", maxSandboxNodes)
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
	if kind == ElementsOnly {
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
			if doc, a.err = ParseWithin(source, maxTime); a.err != nil {
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
