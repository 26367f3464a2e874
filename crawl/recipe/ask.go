package recipe

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/crawl/run"
	"angler/store"
	"angler/store/modes"
	"angler/store/requests"
)

// This file is what a run asks for the pages of recipes.

// held are the tokens of a recipe; a page hands them out to one worker at a time.
type held struct {
	mu     sync.Mutex
	values map[string]string // nil = to be read
}

// places are the first rows that were seen of a list, with the addresses of their pages.
type places map[string]string

// Translates implements run.Translator.
func (s *Recipes) Translates(address string) bool {
	return strings.Contains(address, "#"+addressPrefix)
}

// Lists implements run.RequestBuilder: the first pages of the recipes in force.
func (s *Recipes) Lists() (out []string) {
	for _, r := range s.loaded.Load().recipes {
		if !r.Off {
			out = append(out, r.Address(FirstPage))
		}
	}
	return out
}

// Asks implements run.RequestBuilder.
func (s *Recipes) Asks(address string) bool {
	p, ok := placeOf(address)
	return ok && s.on(p.ID) != nil
}

// Ask implements run.RequestBuilder.
func (s *Recipes) Ask(ctx context.Context, address string) (fetch.Request, error) {
	p, ok := placeOf(address)
	r := s.on(p.ID)
	if !ok || r == nil || p.Row != "" {
		return fetch.Request{}, fmt.Errorf("no recipe in force asks for %s", address)
	}
	t := &trial{s: s, ctx: ctx, asked: map[string]bool{}}
	tokens, err := s.tokensOf(t, r, false)
	if err != nil {
		s.failed(r, nil, err)
		return fetch.Request{}, err
	}
	if err := t.pause(hostOf(r.Request.URL)); err != nil { // a page that hands out a token was asked just now
		return fetch.Request{}, err
	}
	sent, err := r.Make(r.local(p.At), tokens, s.Now())
	if err != nil {
		return fetch.Request{}, err
	}
	return requestOf(sent), nil
}

// tokensOf are the tokens of a recipe: those that are held, or such as its pages hand out
// now.
func (s *Recipes) tokensOf(t *trial, r *Recipe, anew bool) (map[string]string, error) {
	if len(r.Tokens) == 0 {
		return nil, nil
	}
	s.mu.Lock()
	h := s.tokens[r.ID]
	if h == nil {
		h = new(held)
		s.tokens[r.ID] = h
	}
	s.mu.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.values != nil && !anew {
		return h.values, nil
	}
	values := map[string]string{}
	for _, p := range r.tokenPages() {
		if err := t.tokens(r, p, values); err != nil {
			return nil, err
		}
	}
	h.values = values
	return values, nil
}

// Translate implements run.Translator: the rows of a reply as a list. Where a reply does
// not fit and the recipe has tokens, they are read anew and the page is asked for once
// more.
func (s *Recipes) Translate(ctx context.Context, in run.Reply) (*fetch.Response, error) {
	p, ok := placeOf(in.Address)
	r := s.on(p.ID)
	if !ok || r == nil {
		return nil, store.Failure{Kind: store.FailedRecipe, Detail: "no recipe in force asks for " + in.Address}
	}
	at := r.local(p.At)
	reply := replyOf(in.Response)
	res, err := r.Read(reply, at, s.Now())
	var u *unfit
	if errors.As(err, &u) && u.mayExpire() && len(r.Tokens) > 0 {
		if again, ok := s.again(ctx, r, at); ok {
			reply = again
			res, err = r.Read(reply, at, s.Now())
		}
	}
	if err != nil {
		if ctx.Err() == nil {
			s.failed(r, reply, err)
		}
		return nil, store.Failure{Kind: store.FailedRecipe, Detail: r.ID + ": " + err.Error()}
	}
	s.fits(r, p.At.Page == 1 && p.At.From.IsZero())
	if s.repeats(r, in.Address, res) {
		res.Rows, res.Next = nil, nil
	}
	out := *in.Response
	out.Status, out.ContentType, out.Body = 200, "text/html; charset=utf-8", r.html(res)
	out.ETag, out.LastModified, out.Truncated = "", "", false
	return &out, nil
}

// again asks once more, with tokens that are new.
func (s *Recipes) again(ctx context.Context, r *Recipe, at At) (*Reply, bool) {
	t := &trial{s: s, ctx: ctx, asked: map[string]bool{hostOf(r.Request.URL): true}}
	tokens, err := s.tokensOf(t, r, true)
	if err != nil {
		return nil, false
	}
	sent, err := r.Make(at, tokens, s.Now())
	if err != nil {
		return nil, false
	}
	resp, err := t.send(requestOf(sent))
	if err != nil {
		return nil, false
	}
	return replyOf(resp), true
}

// repeats reports whether a page begins with the row with which another page of this run
// began: the pager has come to its end without saying so.
func (s *Recipes) repeats(r *Recipe, address string, res *Result) bool {
	if res.First == "" {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.seen[r.ID]
	if seen == nil {
		seen = places{}
		s.seen[r.ID] = seen
	}
	if where, ok := seen[res.First]; ok {
		return where != address
	}
	seen[res.First] = address
	return false
}

// Behind implements run.Translator: the next page, as the list that was stored says.
func (s *Recipes) Behind(address string, _ *requests.Row, p *page.Page) (out []store.Link) {
	place, ok := placeOf(address)
	if !ok || s.on(place.ID) == nil {
		return nil
	}
	for i := range p.Links {
		next, ok := strings.CutPrefix(p.Links[i].Href, nextHref)
		if !ok {
			continue
		}
		if to, ok := placeOf(next); ok && to.ID == place.ID && to.Row == "" {
			out = append(out, store.Link{URL: next, Flat: true, Request: &requests.Row{Source: addressPrefix + to.ID, Page: to.At.Page},
				Hints: store.Hints{Anchor: fmt.Sprint(to.At.Page), Pager: true}})
		}
	}
	return out
}

// Row implements run.RequestBuilder.
func (s *Recipes) Row(address string) bool {
	p, ok := placeOf(address)
	return ok && p.Row != ""
}

// Held implements run.RequestBuilder: the page of a notice that stands in its row, out of the list
// as it is stored.
func (s *Recipes) Held(address string, list []byte) ([]byte, bool) {
	p, ok := placeOf(address)
	if !ok || p.Row == "" {
		return nil, false
	}
	return pageInRow(list, p.Row)
}

// failed tells that a recipe does not fit any more, and keeps the reply.
func (s *Recipes) failed(r *Recipe, reply *Reply, err error) {
	s.mu.Lock()
	known := s.wrong[r.ID] == err.Error()
	s.wrong[r.ID] = err.Error()
	s.mu.Unlock()
	if !known {
		s.news()
	}
	where := ""
	if reply != nil {
		path := filepath.Join(s.dir(), r.ID+kept)
		if modes.Replace(path, reply.Body[:min(len(reply.Body), maxKept)]) == nil {
			where = Folder + "/" + r.ID + kept
		}
	}
	switch {
	case known:
	case where != "":
		s.Events.Note("warn", "recipe %s (%s) does not fit: %v; the reply is kept in %s", r.ID, r.Name, err, where)
	default:
		s.Events.Note("warn", "recipe %s (%s) does not fit: %v", r.ID, r.Name, err)
	}
}

// fits forgets what was wrong with a recipe whose first page could be read.
func (s *Recipes) fits(r *Recipe, first bool) {
	s.mu.Lock()
	_, was := s.wrong[r.ID]
	if first {
		delete(s.wrong, r.ID)
	}
	s.mu.Unlock()
	if was && first {
		s.news()
		_ = os.Remove(s.path(r.ID, kept))
	}
}
