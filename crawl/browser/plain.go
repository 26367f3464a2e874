package browser

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"

	"angler/crawl/htmldoc"
	"angler/crawl/page"
	"angler/crawl/run"
	"angler/crawl/urls"
	"angler/topic"
)

// This file finds pages of rendered hosts that need no browser. On a host with a recipe for its
// lists, notices mostly read the same without scripts. The first pages of each URL shape are
// rendered and compared with the fetched documents. If all agree, later ones are read as fetched.

const (
	minAgreeing    = 3                   // pages of a shape that must agree
	comparisonLife = 30 * 24 * time.Hour // lifetime of a comparison
)

// compared is the comparison result of one URL shape.
type compared struct {
	Same  int       `json:"same"`            // pages that read the same without scripts
	Other bool      `json:"other,omitempty"` // a page differed
	Since time.Time `json:"since"`
}

// plainState is the name of the stored results.
const plainState = "rendering"

// recalled decodes the stored results.
func recalled(v []byte) map[string]compared {
	shapes := map[string]compared{}
	if json.Unmarshal(v, &shapes) != nil || shapes == nil {
		return map[string]compared{}
	}
	return shapes
}

// known returns the result of a shape. The caller holds the lock.
func (r *Rendering) known(of string) compared {
	c := r.shapes[of]
	if r.Now().Sub(c.Since) > comparisonLife {
		c = compared{}
	}
	return c
}

// suffices reports whether a document of a host with a recipe is read as fetched.
func (r *Rendering) suffices(in run.Reply) bool {
	if r.Recipes == nil || !r.Recipes.ReadsOf(urls.HostOf(in.Address)) {
		return false
	}
	r.mu.Lock()
	c := r.known(topic.URLShape(in.Address))
	r.mu.Unlock()
	if c.Other || c.Same < minAgreeing {
		return false
	}
	p := r.parse(in.Address, in.Response.ContentType, in.Response.Body)
	return p != nil && complete(p)
}

// compare compares a rendered page with its document and stores the result.
func (r *Rendering) compare(in run.Reply, out *Rendered) {
	if r.Recipes == nil {
		return
	}
	of := topic.URLShape(in.Address)
	r.mu.Lock()
	c := r.known(of)
	r.mu.Unlock()
	if c.Other || c.Same >= minAgreeing {
		return
	}
	plain, rendered := r.parse(in.Address, in.Response.ContentType, in.Response.Body),
		r.parse(in.Address, htmlType, out.HTML)
	same := !out.Truncated && plain != nil && rendered != nil && complete(plain) && equalContent(plain, rendered)
	c, stored := r.learn(of, same)
	if stored != nil {
		if err := r.Store.PutState(plainState, stored); err != nil { // after an error the comparison is repeated
			r.Events.Note("warn", "which pages need no browser could not be stored: %v", err)
		}
	}
	if c.Same == minAgreeing && !c.Other {
		r.Events.Note("info", "pages like %s say the same without a browser: where a recipe reads the lists of %s they are not rendered", in.Address, urls.HostOf(in.Address))
	}
}

// learn counts a page of a shape. stored is the encoded result of all shapes; nil if nothing
// changed, because there are too many.
func (r *Rendering) learn(of string, same bool) (c compared, stored []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c = r.known(of)
	if c.Same == 0 {
		if len(r.shapes) >= maxHosts {
			return compared{}, nil
		}
		c.Since = r.Now()
	}
	if same {
		c.Same++
	} else {
		c.Other = true
	}
	r.shapes[of] = c
	stored, err := json.Marshal(r.shapes)
	if err != nil {
		return c, nil
	}
	return c, stored
}

func (r *Rendering) parse(address, kind string, body []byte) *page.Page {
	p, err := r.Reader.Look(page.Source{URL: address, ContentType: kind, Body: body},
		page.Options{Main: r.Settings().Harvest.Method})
	if err != nil {
		return nil
	}
	return p
}

// complete reports whether a page has a main text and nothing on it waits for a script.
func complete(p *page.Page) bool { return p.Main != "" && len(p.Unfollowed) == 0 }

// equalContent reports whether a document has the title, date, text and links of its rendered page.
// It may have more links.
func equalContent(plain, rendered *page.Page) bool {
	if letters(plain.Title) != letters(rendered.Title) || letters(plain.Main) != letters(rendered.Main) ||
		plain.Date != rendered.Date {
		return false
	}
	has := map[string]bool{}
	for i := range plain.Links {
		has[plain.Links[i].URL] = true
	}
	return !slices.ContainsFunc(rendered.Links, func(l htmldoc.Link) bool { return l.URL != "" && !has[l.URL] })
}

// letters returns a text without white space.
func letters(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) {
			return -1
		}
		return c
	}, s)
}
