package recipe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"angler/crawl/auth"
	"angler/crawl/fetch"
	"angler/crawl/htmldoc"
)

// This file fetches previews of recipes and proposals outside runs.

// Preview holds the first pages of a recipe.
type Preview struct {
	Pages []ShownRecipe
	Note  string // a hint: equal pages, no dates …; "" = none
}

// ShownRecipe is one page of a preview.
type ShownRecipe struct {
	Page  int    `json:"page"`
	Rows  []Row  `json:"rows"`
	Left  int    `json:"left,omitempty"`  // rows without a title, or without address and text
	Total int    `json:"total,omitempty"` // stated number of rows
	Last  int    `json:"pages,omitempty"` // stated number of pages
	End   string `json:"end,omitempty"`   // why the list ends
}

// TryRecipe reads the first pages of a recipe. It stores nothing.
func (s *RecipeEditor) TryRecipe(ctx context.Context, r *Recipe, pages int) (*Preview, error) {
	if err := s.May(auth.TryRecipes); err != nil {
		return nil, err
	}
	return (&trial{s: s.Recipes, ctx: ctx}).read(r, pages)
}

func (t *trial) read(r *Recipe, pages int) (*Preview, error) {
	out := new(Preview)
	at, first := FirstPage, ""
	for n := 1; n <= pages; n++ {
		var reply *serverReply
		var res *listResult
		tokens, err := t.tokens(r)
		if err == nil {
			reply, res, err = t.page(r, at, tokens)
		}
		if err != nil {
			if n > 1 && reply != nil {
				out.Note = fmt.Sprintf("page %d: %v", n, err)
				return out, nil
			}
			return out, err
		}
		out.Pages = append(out.Pages, ShownRecipe{n, res.Rows, res.Left, res.Total, res.Pages, res.End})
		if n > 1 && res.First != "" && res.First == first {
			out.Note = "page 2 begins with the same row as page 1: the page's number is not where the recipe puts it"
			return out, nil
		}
		first = res.First
		if res.Next == nil {
			break
		}
		at = *res.Next
	}
	return out, nil
}

// trial is a series of requests with the hosts' pauses in between.
type trial struct {
	s     *Recipes
	ctx   context.Context
	asked map[string]bool // inside a run: hosts already asked; nil = outside a run
}

// send sends one request as soon as its host allows. A run already holds a host, so waiting for a second one could
// deadlock.
func (t *trial) send(req fetch.Request) (*fetch.Response, error) {
	host := hostOf(req.URL)
	if t.asked != nil {
		if err := t.pause(host); err != nil {
			return nil, err
		}
		t.asked[host] = true
	} else {
		leave, _, err := t.s.Limiter.Enter(t.ctx, host)
		if err != nil {
			return nil, err
		}
		defer func() { leave(t.s.Fetch.CrawlDelay(host)) }()
	}
	resp, err := t.s.Fetch.Fetch(t.ctx, req)
	for hop := 0; err == nil && resp.Location != "" && hop < 4; hop++ {
		req = req.Redirected(resp)
		resp, err = t.s.Fetch.Fetch(t.ctx, req)
	}
	return resp, err
}

// pause waits if a host was asked before.
func (t *trial) pause(host string) error {
	if !t.asked[host] {
		return nil
	}
	return t.s.Limiter.Pause(t.ctx, host, t.s.Fetch.CrawlDelay(host))
}

// page fetches and reads one page of a recipe. The reply is set if one arrived.
func (t *trial) page(r *Recipe, at listPlace, tokens map[string]string) (*serverReply, *listResult, error) {
	req, err := r.build(at, tokens, t.s.Now())
	if err != nil {
		return nil, nil, err
	}
	resp, err := t.send(req)
	if err != nil {
		return nil, nil, fetchError(err)
	}
	reply := replyOf(resp)
	res, err := r.readReply(reply, at, t.s.Now())
	return reply, res, err
}

// tokens fetches the pages with a recipe's tokens and reads these.
func (t *trial) tokens(r *Recipe) (map[string]string, error) {
	values := map[string]string{}
	for _, address := range r.tokenPages() {
		resp, err := t.send(fetch.Request{URL: address})
		if err != nil {
			return nil, fmt.Errorf("the page that hands out the token: %w", fetchError(err))
		}
		if resp.Status != http.StatusOK {
			return nil, fmt.Errorf("the page that hands out the token, %s, answers with status %d", address, resp.Status)
		}
		if err := r.readTokens(address, resp.Body, values); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// fetchError returns the fetcher's cause, but keeps context errors.
func fetchError(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return errors.New(fetch.Cause(err))
}

var transferHeaders = []string{"Host", "Connection", "Content-Length", "Transfer-Encoding", "Te", "Trailer", "Upgrade",
	"Accept-Encoding", "Expect"}

// isTransferHeader reports whether a header describes the transfer, which the fetcher sets.
func isTransferHeader(name string) bool {
	return slices.Contains(transferHeaders, http.CanonicalHeaderKey(name)) ||
		strings.HasPrefix(http.CanonicalHeaderKey(name), "Proxy-")
}

// replyOf converts a response to a reply in UTF-8.
func replyOf(resp *fetch.Response) *serverReply {
	return &serverReply{URL: resp.URL, Status: resp.Status, ContentType: resp.ContentType,
		Body: []byte(decodedText(resp.Body, resp.ContentType)), Truncated: resp.Truncated}
}

// decodedText returns a body in UTF-8.
func decodedText(body []byte, contentType string) string {
	text, _ := htmldoc.DecodeText(body, contentType)
	return text
}
