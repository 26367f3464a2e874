package recipe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"angler/crawl/auth"
	"angler/crawl/browser"
	"angler/crawl/fetch"
	"angler/crawl/urls"
)

// Proposal is a recipe that waits for confirmation, or the reason for its absence.
type Proposal struct {
	Recipe  *Recipe
	Notes   []string // open questions
	Why     string   // source of the proposal
	Refused string   // why no recipe was made: signed, no list …; "" = Recipe may be saved
	Preview *Preview // its first pages; nil = no reply
}

// maxTried is the maximum number of a page's requests to try, maxHops that of its redirects.
const (
	maxTried = 6
	maxHops  = 3
)

// paste is the advice for lists that no browser can capture.
const paste = "paste the request instead: in the browser's developer tools, Network, right click on the request that brings the rows, Copy as cURL"

// errNothing means that a page received no reply that may be a list.
var errNothing = errors.New("the page received no JSON while it was rendered, so no recipe can be made of it; " + paste)

// ProposeRecipes renders a page, tries the requests that brought its data, and returns proposals, those with rows
// first. It calls said at each step; said may be nil.
func (s *RecipeEditor) ProposeRecipes(ctx context.Context, address string, said func(string)) ([]Proposal, error) {
	if err := s.May(auth.TryRecipes); err != nil {
		return nil, err
	}
	if said == nil {
		said = func(string) {}
	}
	canonical, err := urls.Canonical(address)
	if err != nil {
		return nil, fmt.Errorf("%q is no http address", address)
	}
	if _, err := browser.Find(s.Settings().Render.Browser); err != nil {
		return nil, fmt.Errorf("the page cannot be rendered: %w; or "+paste, err)
	}
	t := &trial{s: s.Recipes, ctx: ctx}
	at, out, err := t.rendered(canonical, said)
	if err != nil {
		return nil, err
	}
	var list []Proposal
	for i, c := range s.candidates(at, out.HTML, out.Exchanges) {
		switch {
		case c.Recipe == nil:
			list = append(list, c)
			continue
		case i >= maxTried:
			continue
		}
		said("trying " + c.Recipe.Sends() + " " + c.Recipe.Request.URL)
		p := t.previewPages(c)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if list = append(list, p); p.Recipe != nil {
			return append([]Proposal{p}, list[:len(list)-1]...), nil
		}
	}
	if len(list) == 0 {
		return nil, errNothing
	}
	return list, nil
}

// rendered fetches and renders a page, with the host's pause between requests. at is the final address after
// redirects.
func (t *trial) rendered(address string, said func(string)) (at string, out *browser.Rendered, err error) {
	for range maxHops {
		said("fetching " + address)
		resp, err := t.send(fetch.Request{URL: address})
		if err != nil {
			return "", nil, fetchError(err)
		}
		if resp.Status != http.StatusOK {
			return "", nil, fmt.Errorf("%s answers with status %d", address, resp.Status)
		}
		said("rendering " + resp.URL)
		if out, err = t.s.Renderer.Look(t.ctx, resp); err != nil {
			return "", nil, fmt.Errorf("%s cannot be rendered: %w; "+paste, resp.URL, err)
		}
		if address = out.Location; address == "" {
			return resp.URL, out, nil
		}
	}
	return "", nil, fmt.Errorf("%s: the page sends itself elsewhere more than %d times; "+paste, address, maxHops)
}

// previewPages adds the first two pages of a proposal's recipe, or refuses it. If both start with the same row, it tries
// to count pages from 0.
func (t *trial) previewPages(out Proposal) Proposal {
	p, err := t.read(out.Recipe, 2)
	if err != nil {
		return Proposal{Why: out.Why, Refused: err.Error()}
	}
	if len(p.Pages) == 2 && p.Note != "" && out.Recipe.Request.Page.First == 1 {
		other := *out.Recipe
		other.Request.Page.First = 0
		if q, err := t.read(&other, 2); err == nil && q.Note == "" && len(q.Pages) == 2 {
			out.Recipe, p = &other, q
		}
	}
	out.Preview = p
	return out
}

// RecipeFromCURL proposes a recipe from a copied request. on is the page of the list if the request does not name
// it; "" means unknown.
func (s *RecipeEditor) RecipeFromCURL(ctx context.Context, text, on string, said func(string)) (Proposal, error) {
	if err := s.May(auth.PasteRecipe); err != nil {
		return Proposal{}, err
	}
	x, notes, err := ParseCURL(text)
	if err != nil {
		return Proposal{}, err
	}
	if x.SeenOn == "" && on != "" {
		if x.SeenOn, err = urls.Canonical(on); err != nil {
			return Proposal{}, fmt.Errorf("%q is no http address", on)
		}
	}
	return s.fromRequest(ctx, x, notes, said)
}

// fromRequest sends a given request and proposes a recipe from the reply.
func (s *Recipes) fromRequest(ctx context.Context, x *Exchange, notes []string, said func(string)) (Proposal, error) {
	if said == nil {
		said = func(string) {}
	}
	t := &trial{s: s, ctx: ctx}
	req := fetch.Request{URL: x.URL, Method: x.Method, Header: map[string]string{}}
	for k, v := range x.Headers {
		switch {
		case isTransferHeader(k):
		case k == "Content-Type" || k == "content-type":
			req.ContentType = v
		default:
			req.Header[k] = v
		}
	}
	if x.Method == http.MethodPost {
		req.Body = []byte(x.Body)
	}
	said("trying " + x.Method + " " + x.URL)
	resp, err := t.send(req)
	if err != nil {
		return Proposal{}, fetchError(err)
	}
	reply := replyOf(resp)
	if reply.Status != http.StatusOK {
		return Proposal{}, fmt.Errorf(
			"the server answers with status %d; if the list needs cookies or a login, write them in [host.%q] of angler.toml",
			reply.Status, urls.HostOf(x.URL))
	}
	x.Reply, x.Type = reply.Body, reply.ContentType
	if x.SeenOn != "" { // the page shows how row addresses are built
		said("fetching " + x.SeenOn)
		if resp, err := t.send(fetch.Request{URL: x.SeenOn}); err == nil && resp.Status == http.StatusOK {
			files := x.readPage(resp.URL, decodedText(resp.Body, resp.ContentType))
			t.readScripts(x, files, said)
		}
	}
	return t.exchange(x, notes), ctx.Err()
}

// readScripts fetches script files of the page that sent a request. It leaves out those that cannot be fetched.
func (t *trial) readScripts(x *Exchange, files []string, said func(string)) {
	for _, file := range files {
		said("fetching " + file)
		if resp, err := t.send(fetch.Request{URL: file}); err == nil && resp.Status == http.StatusOK {
			x.Scripts = append(x.Scripts, decodedText(resp.Body, "text/html"))
		}
	}
}

// exchange proposes a recipe from a copied request and its reply, and tries it.
func (t *trial) exchange(x *Exchange, notes []string) Proposal {
	out := Proposal{Why: "the reply to " + x.URL}
	r, more, err := fromExchange(x)
	if err != nil {
		out.Refused = err.Error()
		return out
	}
	r.From = FromCURL
	if x.SeenOn == "" {
		notes = append(
			notes,
			"the request names no page (it has no Referer), so no scripts were read: name the page of the list besides, where addresses of rows are wrong")
	}
	out.Recipe, out.Notes = r, append(notes, more...)
	return t.checkGuess(t.previewPages(out))
}

// checkGuess fetches one row's page if its address was guessed, and notes a wrong guess.
func (t *trial) checkGuess(out Proposal) Proposal {
	at := slices.IndexFunc(out.Notes, isGuess)
	if at < 0 || out.Preview == nil || len(out.Preview.Pages) == 0 || len(out.Preview.Pages[0].Rows) == 0 {
		return out
	}
	address := out.Preview.Pages[0].Rows[0].URL
	resp, err := t.send(fetch.Request{URL: address})
	out.Notes = slices.Clone(out.Notes)
	switch {
	case t.ctx.Err() != nil:
	case err != nil:
		out.Notes[at] += "; " + address + " cannot be fetched: " + fetch.Cause(err)
	case resp.Status != http.StatusOK:
		out.Notes[at] += fmt.Sprintf("; %s answers with status %d, so the guess is wrong", address, resp.Status)
	case !strings.Contains(decodedText(resp.Body, resp.ContentType), out.Preview.Pages[0].Rows[0].Title):
		out.Notes[at] += "; " + address + " does not hold the title of its row, so the guess may be wrong"
	default:
		out.Notes[at] = "how the address of a row is built was guessed, and " + address + " holds the title of its row"
	}
	return out
}
