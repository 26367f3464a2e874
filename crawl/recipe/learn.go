package recipe

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"angler/crawl/browser"
	"angler/crawl/fetch"
	"angler/crawl/urls"
	"angler/store/modes"
)

// This file keeps what rendered pages have taught: a list that a browser has filled once
// can be asked for without one. What is learned waits as sources/ID.proposed until
// a person has confirmed it.

// proposed is how the file of a proposal that waits ends.
const proposed = ".proposed"

// maxWaiting bounds how many proposals wait.
const maxWaiting = 100

// Reads reports whether a recipe in force reads the list of a page.
func (s *Recipes) Reads(page string) bool {
	for _, r := range s.loaded.Load().recipes {
		if !r.Off && r.SeenOn == page {
			return true
		}
	}
	return false
}

// ReadsOf reports whether a recipe in force reads a list of a host.
func (s *Recipes) ReadsOf(host string) bool {
	for _, r := range s.loaded.Load().recipes {
		if !r.Off && urls.HostOf(r.SeenOn) == host {
			return true
		}
	}
	return false
}

// Learn makes a proposal of what a page received while it was rendered, unless a proposal
// or a recipe of the page exists.
func (s *Recipes) Learn(address string, html []byte, list []browser.Exchange) {
	if s.Reads(address) {
		return
	}
	s.saving.Lock()
	defer s.saving.Unlock()
	if s.unwanted(address) {
		return
	}
	waiting := s.waiting()
	if len(waiting) >= maxWaiting || slices.ContainsFunc(waiting, func(r *Recipe) bool { return r.SeenOn == address }) {
		return
	}
	all := s.candidates(address, html, list)
	if len(all) == 0 || all[0].recipe == nil {
		return
	}
	best := all[0].recipe
	b, err := best.Encode()
	if err != nil || modes.MakeFolder(s.dir()) != nil {
		return
	}
	if modes.Replace(s.path(best.ID, proposed), b) == nil {
		s.news()
		s.Events.Note("info", "the list of %s comes as JSON: a recipe reads it without a browser; it waits as %s", address, Folder+"/"+best.ID+proposed)
	}
}

// candidate is what one reply to a rendered page suggests.
type candidate struct {
	why    string
	recipe *Recipe // nil: see err
	notes  []string
	rows   int
	err    error
}

// candidates returns what the replies to a rendered page suggest, those with the most rows
// first.
func (s *Recipes) candidates(address string, html []byte, list []browser.Exchange) (out []candidate) {
	var p Exchange
	p.readPage(address, string(html))
	for i := range list {
		x := exchangeOf(&list[i])
		x.SeenOn, x.Title, x.Page, x.Scripts = address, p.Title, p.Page, p.Scripts
		c := candidate{why: "the page received the reply to " + withoutFragment(x.URL)}
		if header := signature(x.Headers); header != "" {
			c.err = fmt.Errorf("its requests are signed (header %s): such lists are not read", header)
		} else if r, notes, err := fromExchange(x); err != nil {
			c.err = err
		} else if res, err := r.Read(&Reply{URL: x.URL, Status: 200, ContentType: x.Type, Body: x.Reply}, FirstPage, s.Now()); err != nil {
			c.err = err
		} else {
			r.From = FromBrowser
			c.recipe, c.notes, c.rows = r, notes, len(res.Rows)
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b candidate) int { return b.rows - a.rows })
	return out
}

// signature is the header by which a page signs its requests; "" = it does not.
func signature(headers map[string]string) string {
	for _, k := range slices.Sorted(maps.Keys(headers)) {
		if l := strings.ToLower(k); strings.Contains(l, "sign") || l == "nsssjss" {
			return k
		}
	}
	return ""
}

// exchangeOf is a request of a rendered page with its reply.
func exchangeOf(e *browser.Exchange) *Exchange {
	q := &e.Request
	x := &Exchange{Method: q.Method, URL: q.URL, Body: string(q.Body), Headers: maps.Clone(q.Header), Reply: e.Reply.Body, Type: e.Reply.ContentType}
	if q.ContentType != "" {
		if x.Headers == nil {
			x.Headers = map[string]string{}
		}
		x.Headers["Content-Type"] = q.ContentType
	}
	return x
}

// waiting are the proposals without a decision.
func (s *Recipes) waiting() []*Recipe { return s.ending(proposed) }

// ending are the recipes whose files have an ending, at most maxWaiting.
func (s *Recipes) ending(with string) (out []*Recipe) {
	list, err := os.ReadDir(s.dir())
	if err != nil {
		return nil
	}
	for _, f := range list {
		id, ok := strings.CutSuffix(f.Name(), with)
		if !ok || !ValidID(id) || len(out) >= maxWaiting {
			continue
		}
		b, err := fetch.ReadFile(s.path(id, with), maxRecipe)
		if err != nil {
			continue
		}
		if r, err := Parse(id, b); err == nil {
			out = append(out, r)
		}
	}
	return out
}
