package recipes

import (
	"os"
	"slices"
	"strings"

	"angler/crawl/fetch"
	"angler/crawl/source"
	"angler/crawl/source/propose"
	"angler/crawl/urls"
	"angler/store/modes"
)

// This file keeps what rendered pages have taught: a list that a browser has filled once
// can be asked for without one. What is learned waits as sources/ID.proposed until
// somebody has confirmed it.

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

// Learn makes a proposal of what a page has received while it was rendered, unless there is
// one or a recipe already. html is the page as its scripts have left it.
func (s *Recipes) Learn(address string, html []byte, list []*source.Exchange) {
	if s.Reads(address) {
		return
	}
	s.saving.Lock()
	defer s.saving.Unlock()
	if (files{s}).unwanted(address) {
		return
	}
	waiting := s.waiting()
	if len(waiting) >= maxWaiting || slices.ContainsFunc(waiting, func(r *source.Recipe) bool { return r.SeenOn == address }) {
		return
	}
	p := propose.PageOf(address, string(html))
	var scripts []string
	for _, sc := range p.Scripts {
		scripts = append(scripts, sc.Text)
	}
	var best *source.Recipe
	most := 0
	for _, x := range list {
		x.SeenOn, x.Title = address, p.Title
		propose.Scripts(x, scripts)
		r, _, err := source.FromExchange(x)
		if err != nil {
			continue
		}
		res, err := r.Read(&source.Reply{URL: x.URL, Status: 200, ContentType: x.Type, Body: x.Reply}, source.First, s.Now())
		if err == nil && len(res.Rows) > most {
			best, most = r, len(res.Rows)
		}
	}
	if best == nil {
		return
	}
	best.From = source.FromBrowser
	b, err := best.Encode()
	if err != nil || modes.MakeFolder(s.dir()) != nil {
		return
	}
	if modes.Replace(s.path(best.ID, proposed), b) == nil {
		s.news()
		s.Events.Note("info", "the list of %s comes as JSON: a recipe reads it without a browser; it waits as %s/%s%s", address, Folder, best.ID, proposed)
	}
}

// waiting are the proposals that nobody has confirmed yet.
func (s *Recipes) waiting() []*source.Recipe { return s.ending(proposed) }

// ending are the recipes whose files have an ending, at most maxWaiting.
func (s *Recipes) ending(with string) (out []*source.Recipe) {
	list, err := os.ReadDir(s.dir())
	if err != nil {
		return nil
	}
	for _, f := range list {
		id, ok := strings.CutSuffix(f.Name(), with)
		if !ok || !source.ValidID(id) || len(out) >= maxWaiting {
			continue
		}
		b, err := fetch.ReadFile(s.path(id, with), source.MaxRecipe)
		if err != nil {
			continue
		}
		if r, err := source.Parse(id, b); err == nil {
			out = append(out, r)
		}
	}
	return out
}
