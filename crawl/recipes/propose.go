package recipes

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"angler/crawl/fetch"
	"angler/crawl/source"
	"angler/crawl/source/propose"
	"angler/crawl/urls"
)

// Proposal is a recipe that somebody may confirm, or why there is none.
type Proposal struct {
	Recipe  *source.Recipe
	Notes   []string // what could not be found out
	Why     string   // where it was found
	Refused string   // why no recipe was made: signed, no list …; "" = Recipe may be saved
	Preview *Preview // its first pages; nil when nothing came
}

// maxScriptFiles is how many script files of a page are fetched.
const maxScriptFiles = 8

// ErrNothing means that nothing on a page says where its list comes from.
var ErrNothing = errors.New("nothing on the page or in its scripts asks for a list; paste the request instead: in the browser's developer tools, Network, right click on the request that brings the rows, Copy as cURL")

// Propose looks at a page and its scripts for requests that may bring its list, tries
// them, and returns what may become recipes, those that bring rows first. said is told
// what is under way; it may be nil.
func (s *Recipes) Propose(ctx context.Context, address string, said func(string)) ([]Proposal, error) {
	if said == nil {
		said = func(string) {}
	}
	canonical, err := urls.Canonical(address)
	if err != nil {
		return nil, fmt.Errorf("%q is no http address", address)
	}
	t := &trial{s: s, ctx: ctx}
	said("fetching " + canonical)
	resp, err := t.send(fetch.Request{URL: canonical})
	if err != nil {
		return nil, fetchError(err)
	}
	if resp.Status != 200 {
		return nil, fmt.Errorf("%s answers with status %d", canonical, resp.Status)
	}
	p := propose.PageOf(resp.URL, textOf(resp.Body, resp.ContentType))
	p.Scripts = s.scripts(t, p, said)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var out []Proposal
	for _, d := range propose.Drafts(p) {
		if d.Unreadable != "" {
			out = append(out, Proposal{Why: d.Why, Refused: d.Unreadable})
			continue
		}
		said("trying " + d.Says())
		out = append(out, t.draft(d))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if out[len(out)-1].Recipe != nil {
			break // the likeliest that brings rows
		}
	}
	if len(out) == 0 {
		return nil, ErrNothing
	}
	slices.SortStableFunc(out, func(a, b Proposal) int {
		switch {
		case (a.Recipe != nil) == (b.Recipe != nil):
			return 0
		case a.Recipe != nil:
			return -1
		}
		return 1
	})
	return out, nil
}

// scripts are those of a page with the texts of its files that are worth a look.
func (s *Recipes) scripts(t *trial, p *propose.Page, said func(string)) []propose.Script {
	var out []propose.Script
	files := 0
	for _, sc := range p.Scripts {
		if sc.URL == "" {
			out = append(out, sc)
			continue
		}
		if !propose.Worth(p.URL, sc.URL) || files >= maxScriptFiles || t.ctx.Err() != nil {
			continue
		}
		files++
		said("fetching " + sc.URL)
		resp, err := t.send(fetch.Request{URL: sc.URL})
		if err != nil || resp.Status != 200 {
			continue
		}
		out = append(out, propose.Script{URL: sc.URL, Text: textOf(resp.Body, "text/html")})
	}
	return out
}

// draft tries a draft: by its first page, whether pages are counted from 0, and by its
// second page.
func (t *trial) draft(d *propose.Draft) Proposal {
	out := Proposal{Why: d.Why}
	reply, err := t.first(d.Recipe)
	if err != nil {
		out.Refused = err.Error()
		return out
	}
	r, notes, err := d.Finish(reply)
	if err != nil {
		out.Refused = err.Error()
		return out
	}
	r.From = d.From
	return t.settle(out, r, notes)
}

// first asks for the first page of a request whose rows nobody has described.
func (t *trial) first(r *source.Recipe) (*source.Reply, error) {
	tokens := map[string]string{}
	for _, p := range r.TokenPages() {
		if err := t.tokens(r, p, tokens); err != nil {
			return nil, err
		}
	}
	sent, err := r.Make(source.First, tokens, t.s.Now())
	if err != nil {
		return nil, err
	}
	resp, err := t.send(requestOf(sent))
	if err != nil {
		return nil, fetchError(err)
	}
	return replyOf(resp), nil
}

// settle looks at the first two pages of a recipe. Where both begin with the same row, or
// the second brings what comes third, pages are counted from the other number.
func (t *trial) settle(out Proposal, r *source.Recipe, notes []string) Proposal {
	p, err := t.read(r, 2)
	if err == nil && len(p.Pages) == 2 && p.Note != "" && r.Request.Page.First == 1 {
		other := *r
		other.Request.Page.First = 0
		if q, err := t.read(&other, 2); err == nil && q.Note == "" && len(q.Pages) == 2 {
			r, p = &other, q
		}
	}
	if err != nil {
		out.Refused = err.Error()
		return out
	}
	out.Recipe, out.Notes, out.Preview = r, notes, p
	return out
}

// FromCURL makes a proposal of what a browser has copied. on is the page of the list,
// where the request does not name it; "" = nobody knows.
func (s *Recipes) FromCURL(ctx context.Context, text, on string, said func(string)) (Proposal, error) {
	x, notes, err := propose.FromCURL(text)
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

// fromRequest sends a request that somebody has made and describes the reply.
func (s *Recipes) fromRequest(ctx context.Context, x *source.Exchange, notes []string, said func(string)) (Proposal, error) {
	if said == nil {
		said = func(string) {}
	}
	t := &trial{s: s, ctx: ctx}
	req := fetch.Request{URL: x.URL, Method: x.Method, Header: map[string]string{}}
	for k, v := range x.Headers {
		switch {
		case carried(k):
		case k == "Content-Type" || k == "content-type":
			req.ContentType = v
		default:
			req.Header[k] = v
		}
	}
	if x.Method == "POST" {
		req.Body = []byte(x.Body)
	}
	said("trying " + x.Method + " " + x.URL)
	resp, err := t.send(req)
	if err != nil {
		return Proposal{}, fetchError(err)
	}
	reply := replyOf(resp)
	if reply.Status != 200 {
		return Proposal{}, fmt.Errorf("the server answers with status %d; if the list needs cookies or a login, write them in [host.%q] of angler.toml", reply.Status, urls.HostOf(x.URL))
	}
	x.Reply, x.Type = reply.Body, reply.ContentType
	if x.SeenOn != "" { // how addresses of rows are built stands there
		said("fetching " + x.SeenOn)
		if resp, err := t.send(fetch.Request{URL: x.SeenOn}); err == nil && resp.Status == 200 {
			p := propose.PageOf(resp.URL, textOf(resp.Body, resp.ContentType))
			x.Title = p.Title
			var texts []string
			for _, sc := range s.scripts(t, p, said) {
				texts = append(texts, sc.Text)
			}
			propose.Scripts(x, texts)
		}
	}
	return t.exchange(x, notes), ctx.Err()
}

func (t *trial) exchange(x *source.Exchange, notes []string) Proposal {
	out := Proposal{Why: "the reply to " + x.URL}
	r, more, err := source.FromExchange(x)
	if err != nil {
		out.Refused = err.Error()
		return out
	}
	r.From = source.FromCURL
	if x.SeenOn == "" {
		notes = append(notes, "the request names no page (it has no Referer), so no scripts were read: name the page of the list besides, where addresses of rows are wrong")
	}
	return t.compared(t.settle(out, r, append(notes, more...)))
}

// compared asks for the page of one row where how its address is built was guessed: a
// guess that leads nowhere is said.
func (t *trial) compared(out Proposal) Proposal {
	at := slices.IndexFunc(out.Notes, source.Guessed)
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
	case !strings.Contains(textOf(resp.Body, resp.ContentType), out.Preview.Pages[0].Rows[0].Title):
		out.Notes[at] += "; " + address + " does not hold the title of its row, so the guess may be wrong"
	default:
		out.Notes[at] = "how the address of a row is built was guessed, and " + address + " holds the title of its row"
	}
	return out
}
