package recipe

import (
	"maps"
	"os"
	"slices"
	"strings"

	"angler/crawl/browser"
	"angler/crawl/urls"
	"angler/store/modes"
)

// This file proposes recipes from rendered pages: a list filled once by a browser can then be fetched without one. A
// proposal waits as sources/ID.proposed until a person confirms it.

// proposed is the file ending of a proposal.
const proposed = ".proposed"

// maxWaiting is the maximum number of proposals.
const maxWaiting = 100

// Reads reports whether an active recipe reads the list of a page.
func (s *Recipes) Reads(page string) bool {
	return s.reads(func(r *Recipe) bool { return r.SeenOn == page })
}

// ReadsOf reports whether an active recipe reads a list of a host.
func (s *Recipes) ReadsOf(host string) bool {
	return s.reads(func(r *Recipe) bool { return urls.HostOf(r.SeenOn) == host })
}

func (s *Recipes) reads(of func(*Recipe) bool) bool {
	for _, r := range s.loaded.Load().recipes {
		if !r.Off && of(r) {
			return true
		}
	}
	return false
}

// Learn proposes a recipe from the replies to a rendered page, unless the page has a recipe or proposal.
func (s *Recipes) Learn(address string, html []byte, list []browser.Exchange) {
	if s.Reads(address) {
		return
	}
	s.saving.Lock()
	defer s.saving.Unlock()
	if s.isRejected(address) {
		return
	}
	waiting := s.waiting()
	if len(waiting) >= maxWaiting || slices.ContainsFunc(waiting, func(r *Recipe) bool { return r.SeenOn == address }) {
		return
	}
	all := s.candidates(address, html, list)
	if len(all) == 0 || all[0].Recipe == nil {
		return
	}
	best := all[0].Recipe
	b, err := best.Encode()
	if err != nil || modes.MakeFolder(s.dir()) != nil {
		return
	}
	if modes.Replace(s.path(best.ID, proposed), b) == nil {
		s.updateNews()
		s.Events.Note("info", "the list of %s comes as JSON: a recipe reads it without a browser; it waits as %s",
			address, Folder+"/"+best.ID+proposed)
	}
}

// candidates returns a proposal for each reply to a rendered page, without a preview, most rows first.
func (s *Recipes) candidates(address string, html []byte, list []browser.Exchange) []Proposal {
	type candidate struct {
		Proposal
		rows int
	}
	var all []candidate
	var p Exchange
	p.readPage(address, string(html))
	for i := range list {
		x := exchangeOf(&list[i])
		x.SeenOn, x.Title, x.Page, x.Scripts = address, p.Title, p.Page, p.Scripts
		c := candidate{Proposal: Proposal{Why: "the page received the reply to " + withoutFragment(x.URL)}}
		if header := signature(x.Headers); header != "" {
			c.Refused = "its requests are signed (header " + header + "): such lists are not read"
		} else if r, notes, err := fromExchange(x); err != nil {
			c.Refused = err.Error()
		} else if res, err := r.readReply(&serverReply{URL: x.URL, Status: 200, ContentType: x.Type, Body: x.Reply},
			FirstPage, s.Now()); err != nil {
			c.Refused = err.Error()
		} else {
			r.From = FromBrowser
			c.Recipe, c.Notes, c.rows = r, notes, len(res.Rows)
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return b.rows - a.rows })
	out := make([]Proposal, len(all))
	for i := range all {
		out[i] = all[i].Proposal
	}
	return out
}

// signature returns the header that signs a page's requests; "" means unsigned.
func signature(headers map[string]string) string {
	for _, k := range slices.Sorted(maps.Keys(headers)) {
		if l := strings.ToLower(k); strings.Contains(l, "sign") || l == "nsssjss" {
			return k
		}
	}
	return ""
}

// exchangeOf converts a browser's exchange.
func exchangeOf(e *browser.Exchange) *Exchange {
	q := &e.Request
	x := &Exchange{Method: q.Method, URL: q.URL, Body: string(q.Body), Headers: maps.Clone(q.Header),
		Reply: e.Reply.Body, Type: e.Reply.ContentType}
	if q.ContentType != "" {
		setHeader(&x.Headers, "Content-Type", q.ContentType)
	}
	return x
}

// waiting returns the proposals without a decision.
func (s *Recipes) waiting() []*Recipe { return s.ending(proposed) }

// ending returns the recipes in files with this ending, at most maxWaiting.
func (s *Recipes) ending(with string) (out []*Recipe) {
	list, err := os.ReadDir(s.dir())
	if err != nil {
		return nil
	}
	for _, f := range list {
		id, ok := strings.CutSuffix(f.Name(), with)
		if !ok || len(out) >= maxWaiting {
			continue
		}
		if r, err := s.load(id, with); err == nil {
			out = append(out, r)
		}
	}
	return out
}
