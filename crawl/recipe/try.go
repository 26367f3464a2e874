package recipe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"angler/crawl/auth"
	"angler/crawl/fetch"
	"angler/crawl/htmldoc"
	"angler/crawl/urls"
)

// This file asks servers while nothing runs: previews of recipes and proposals.

// Preview is what the first pages of a recipe brought.
type Preview struct {
	Pages []ShownRecipe
	Note  string // what a person should know: the pages are the same, no dates …; "" = nothing
}

// ShownRecipe is one page of a preview.
type ShownRecipe struct {
	Page  int    `json:"page"`
	Rows  []Row  `json:"rows"`
	Left  int    `json:"left,omitempty"`  // rows without title, or without address and text
	Total int    `json:"total,omitempty"` // rows of the list, as it says
	Last  int    `json:"pages,omitempty"` // pages, likewise
	End   string `json:"end,omitempty"`   // why nothing follows
}

// TryRecipe reads the first pages of a recipe as records. Nothing is stored.
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
		reply, res, err := t.page(r, at)
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

// trial is a row of requests that belong together, with the pause of their host between
// them.
type trial struct {
	s     *Recipes
	ctx   context.Context
	asked map[string]bool // hosts
}

// send sends one request, after the pause of its host if that was asked before.
func (t *trial) send(req fetch.Request) (*fetch.Response, error) {
	host := urls.HostOf(req.URL)
	if t.asked[host] {
		if err := t.s.pause(t.ctx, host); err != nil {
			return nil, err
		}
	}
	if t.asked == nil {
		t.asked = map[string]bool{}
	}
	t.asked[host] = true
	resp, err := t.s.Fetch.Fetch(t.ctx, req)
	for hop := 0; err == nil && resp.Location != "" && hop < 4; hop++ {
		req = req.Redirected(resp)
		resp, err = t.s.Fetch.Fetch(t.ctx, req)
	}
	return resp, err
}

// pause waits as long as a host wants between two requests.
func (s *Recipes) pause(ctx context.Context, host string) error {
	d := max(s.Settings().DelayOf(host), s.Fetch.CrawlDelay(host))
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// page asks for one page of a recipe and reads it. The reply is there where one came.
func (t *trial) page(r *Recipe, at At) (*Reply, *Result, error) {
	tokens := map[string]string{}
	for _, p := range r.tokenPages() {
		if err := t.tokens(r, p, tokens); err != nil {
			return nil, nil, err
		}
	}
	sent, err := r.Make(at, tokens, t.s.Now())
	if err != nil {
		return nil, nil, err
	}
	resp, err := t.send(requestOf(sent))
	if err != nil {
		return nil, nil, fetchError(err)
	}
	reply := replyOf(resp)
	res, err := r.Read(reply, at, t.s.Now())
	return reply, res, err
}

// tokens reads what a page hands out.
func (t *trial) tokens(r *Recipe, address string, into map[string]string) error {
	resp, err := t.send(fetch.Request{URL: address})
	if err != nil {
		return fmt.Errorf("the page that hands out the token: %w", fetchError(err))
	}
	if resp.Status != http.StatusOK {
		return fmt.Errorf("the page that hands out the token, %s, answers with status %d", address, resp.Status)
	}
	return r.readTokens(address, resp.Body, into)
}

// fetchError says why nothing came, in the fetcher's words.
func fetchError(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return errors.New(fetch.Cause(err))
}

// requestOf is a request as it is fetched.
func requestOf(s *sent) fetch.Request {
	req := fetch.Request{URL: s.URL, Method: s.Method, ContentType: s.ContentType}
	if s.Method == http.MethodPost {
		req.Body = []byte(s.Body)
	}
	if len(s.Headers) > 0 || s.ContentType != "" {
		req.Header = map[string]string{"Accept": "application/json, text/javascript, */*; q=0.01"}
		for k, v := range s.Headers {
			if !carried(k) {
				req.Header[k] = v
			}
		}
	}
	return req
}

// carried tells the headers that say how a request is carried: the fetcher's own.
func carried(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "Host", "Connection", "Content-Length", "Transfer-Encoding", "Te", "Trailer", "Upgrade", "Accept-Encoding", "Expect":
		return true
	}
	return strings.HasPrefix(http.CanonicalHeaderKey(name), "Proxy-")
}

// replyOf is a reply as recipes read it, in UTF-8.
func replyOf(resp *fetch.Response) *Reply {
	return &Reply{URL: resp.URL, Status: resp.Status, ContentType: resp.ContentType, Body: []byte(decodedText(resp.Body, resp.ContentType)), Truncated: resp.Truncated}
}

// decodedText is a body in UTF-8.
func decodedText(body []byte, contentType string) string {
	text, _ := htmldoc.DecodeText(body, contentType)
	return text
}
