package recipe

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/crawl/run"
	"angler/store"
	"angler/store/modes"
	"angler/store/records"
)

// This file implements run.RequestBuilder and run.Translator for a run.

// tokenCache caches the tokens of a recipe. One worker at a time reads them from their page.
type tokenCache struct {
	mu     sync.Mutex
	values map[string]string // nil = not read yet
}

// firstRows maps the first row of each list page in this run to the page's address.
type firstRows map[string]string

// Translates implements run.Translator.
func (s *Recipes) Translates(address string) bool {
	return strings.Contains(address, "#"+addressPrefix)
}

// Lists implements run.RequestBuilder: the first pages of the active recipes.
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
	return ok && s.active(p.ID) != nil
}

// Ask implements run.RequestBuilder.
func (s *Recipes) Ask(ctx context.Context, address string) (fetch.Request, error) {
	p, ok := placeOf(address)
	r := s.active(p.ID)
	if !ok || r == nil || p.Row != "" {
		return fetch.Request{}, fmt.Errorf("no recipe in force asks for %s", address)
	}
	t := &trial{s: s, ctx: ctx, asked: map[string]bool{}}
	tokens, err := s.cachedTokens(t, r, false)
	if err != nil {
		s.reportUnfit(r, nil, err)
		return fetch.Request{}, err
	}
	if err := t.pause(hostOf(r.Request.URL)); err != nil { // a token page on this host may just have been fetched
		return fetch.Request{}, err
	}
	return r.build(r.local(p.At), tokens, s.Now())
}

// cachedTokens returns the tokens of a recipe: the cached ones, or new ones from their pages.
func (s *Recipes) cachedTokens(t *trial, r *Recipe, anew bool) (map[string]string, error) {
	if len(r.Tokens) == 0 {
		return nil, nil
	}
	s.mu.Lock()
	h := s.tokens[r.ID]
	if h == nil {
		h = new(tokenCache)
		s.tokens[r.ID] = h
	}
	s.mu.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.values != nil && !anew {
		return h.values, nil
	}
	values, err := t.tokens(r)
	if err == nil {
		h.values = values
	}
	return values, err
}

// Translate implements run.Translator: it turns a reply's rows into a list page. If a reply does not fit and the
// recipe has tokens, it reads new tokens and fetches the page once more.
func (s *Recipes) Translate(ctx context.Context, in run.Reply) (*fetch.Response, error) {
	p, ok := placeOf(in.Address)
	r := s.active(p.ID)
	if !ok || r == nil {
		return nil, store.Failure{Kind: store.FailedRecipe, Detail: "no recipe in force asks for " + in.Address}
	}
	at := r.local(p.At)
	reply := replyOf(in.Response)
	res, err := r.readReply(reply, at, s.Now())
	var u *unfit
	if errors.As(err, &u) && u.mayExpire() && len(r.Tokens) > 0 {
		if again, result, wrong := s.retry(ctx, r, at); again != nil {
			reply, res, err = again, result, wrong
		}
	}
	if err != nil {
		if ctx.Err() == nil {
			s.reportUnfit(r, reply, err)
		}
		return nil, store.Failure{Kind: store.FailedRecipe, Detail: r.ID + ": " + err.Error()}
	}
	if p.At.Page == 1 && p.At.From.IsZero() {
		s.clearError(r)
	}
	if s.repeats(r, in.Address, res) {
		res.Rows, res.Next = nil, nil
	}
	out := *in.Response
	out.Status, out.ContentType, out.Body = 200, "text/html; charset=utf-8", r.html(res)
	out.ETag, out.LastModified, out.Truncated = "", "", false
	return &out, nil
}

// retry fetches and reads a page once more with new tokens. The reply is set if one arrived.
func (s *Recipes) retry(ctx context.Context, r *Recipe, at listPlace) (*serverReply, *listResult, error) {
	t := &trial{s: s, ctx: ctx, asked: map[string]bool{hostOf(r.Request.URL): true}}
	tokens, err := s.cachedTokens(t, r, true)
	if err != nil {
		return nil, nil, err
	}
	return t.page(r, at, tokens)
}

// repeats reports whether a page starts with the first row of another page in this run: a pager that repeats past
// its end.
func (s *Recipes) repeats(r *Recipe, address string, res *listResult) bool {
	if res.First == "" {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.seen[r.ID]
	if seen == nil {
		seen = firstRows{}
		s.seen[r.ID] = seen
	}
	if where, ok := seen[res.First]; ok {
		return where != address
	}
	seen[res.First] = address
	return false
}

// Behind implements run.Translator: it returns the next page named in the stored list.
func (s *Recipes) Behind(address string, _ *records.Request, p *page.Page) (out []store.Link) {
	place, ok := placeOf(address)
	if !ok || s.active(place.ID) == nil {
		return nil
	}
	for i := range p.Links {
		next, isNext := strings.CutPrefix(p.Links[i].Href, nextHref)
		if to, ok := placeOf(next); isNext && ok && to.ID == place.ID && to.Row == "" {
			out = append(out, store.Link{URL: next, Flat: true, Request: &records.Request{Source: addressPrefix + to.ID,
				Page: to.At.Page},
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

// Held implements run.RequestBuilder: it returns the page of a notice held in its row, from the stored list.
func (s *Recipes) Held(address string, list []byte) ([]byte, bool) {
	p, ok := placeOf(address)
	if !ok || p.Row == "" {
		return nil, false
	}
	return pageInRow(list, p.Row)
}

// reportUnfit reports a recipe that no longer fits, and keeps the reply.
func (s *Recipes) reportUnfit(r *Recipe, reply *serverReply, err error) {
	s.mu.Lock()
	known := s.wrong[r.ID] == err.Error()
	s.wrong[r.ID] = err.Error()
	s.mu.Unlock()
	kept := reply != nil &&
		modes.Replace(s.path(r.ID, replyEnding), reply.Body[:min(len(reply.Body), maxKept)]) == nil
	if known {
		return
	}
	s.updateNews()
	if kept {
		s.Events.Note("warn", "recipe %s (%s) does not fit: %v; the reply is kept in %s", r.ID, r.Name, err,
			Folder+"/"+r.ID+replyEnding)
	} else {
		s.Events.Note("warn", "recipe %s (%s) does not fit: %v", r.ID, r.Name, err)
	}
}

// clearError clears a recipe's error after its first page was read.
func (s *Recipes) clearError(r *Recipe) {
	s.mu.Lock()
	_, was := s.wrong[r.ID]
	delete(s.wrong, r.ID)
	s.mu.Unlock()
	if was {
		s.updateNews()
		_ = os.Remove(s.path(r.ID, replyEnding))
	}
}
