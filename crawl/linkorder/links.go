package linkorder

import (
	"strconv"
	"strings"
	"sync"

	"angler/crawl/decisions"
	"angler/crawl/htmldoc"
	"angler/crawl/listpage"
	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/crawl/urls"
	"angler/store"
	"angler/store/records"
)

// Links scores links by the anchor text, the link block and the address. The live crawl and the lab share it. It is
// safe for concurrent use.
type Links struct {
	reader  *reader.Reader
	mu      sync.RWMutex // guards the fields below
	rev     uint64       // model revision of the scores
	anchors map[string]float64
}

// NewLinks returns a scorer that counts words of anchors with r.
func NewLinks(r *reader.Reader) *Links { return &Links{reader: r} }

// maxAnchors is the maximum number of cached anchor scores, about 100 bytes each. Navigation anchors recur on every
// page.
const maxAnchors = 1 << 15

// AnchorRunes is the maximum length of a stored anchor text.
const AnchorRunes = 80

// FoundOnPage holds the properties of the page where links were found.
type FoundOnPage struct {
	Page      *page.Page
	Score     float64 // of the page
	Relevant  bool    // the page is relevant
	Inherited float64 // inherited score of the page (shark)
}

// Hints filters a page's links and collects the link order's data for each. It keeps the first of duplicate links.
func (l *Links) Hints(f FoundOnPage, s *decisions.State, filter *urls.Filter) []store.Link {
	p := f.Page
	out := make([]store.Link, 0, len(p.Links))
	seen := make(map[string]struct{}, len(p.Links))
	anchors := l.ofPage(p, s)
	var blocks BlockMeans
	if anchors != nil {
		blocks.Count(len(p.Blocks)+1, len(p.Links),
			func(i int) (int32, float64) { return p.Links[i].Block + 1, anchors[i] })
	}
	for i := range p.Links {
		x := &p.Links[i]
		if x.URL == "" {
			filter.UnfetchableHref(x.Href)
			continue
		}
		if _, dup := seen[x.URL]; dup || x.URL == p.URL {
			continue
		}
		seen[x.URL] = struct{}{}
		if filter.Check(x.URL, x.Class) != urls.Accepted {
			continue
		}
		link := store.Link{URL: x.URL, Flat: x.Pager && len(p.Records) > 0, Hints: store.Hints{
			Anchor: htmldoc.Clip(x.Anchor, AnchorRunes), Pager: x.Pager, SourceScore: f.Score, Inherited: f.Inherited,
			Relevant: f.Relevant, Features: uint16(BlockFeaturesOf(p, x)), Tags: x.Tags}}
		if x.Block >= 0 && int(x.Block) < len(p.Blocks) {
			link.Block = p.Blocks[x.Block].Path
		}
		if anchors != nil {
			link.AnchorScore = anchors[i]
			link.BlockScore = blocks.Of(x.Block + 1)
			link.URLScore = s.Shares.Score(x.URL)
		}
		out = append(out, link)
	}
	return out
}

// PageRequestLink returns the link to a further page of a list.
func PageRequestLink(t *listpage.PageRequest) store.Link {
	l := store.Link{URL: urls.Address(t.URL, t.Name), Flat: true,
		Hints: store.Hints{Anchor: strconv.Itoa(t.Page), Pager: true}}
	if t.Name != "" {
		l.Request = &records.Request{Method: t.Method, Body: []byte(t.Body), ContentType: t.ContentType, Page: t.Page,
			Source: t.Source, Expires: t.Expires}
	}
	return l
}

// RedirectBlock is the Block of a redirect's target.
const RedirectBlock = "redirect"

// RedirectLink returns the link from u to its redirect target, with the hints of u. The first redirect adds no
// depth. Each further one does, so that a chain of new addresses ends at the depth limit.
func RedirectLink(u *store.URL, target string) store.Link {
	l := store.Link{URL: target, Flat: u.Block != RedirectBlock, Hints: u.Hints}
	l.Block = RedirectBlock
	return l
}

// BlockMeans computes P4's LB, the mean anchor score of each block's links. It reuses its memory for the next page.
type BlockMeans struct {
	sum []float64
	n   []int
}

// Count processes the links of a page with blocks 0 … blocks-1; at returns the block and anchor score of a link.
func (m *BlockMeans) Count(blocks, links int, at func(i int) (block int32, score float64)) {
	if cap(m.sum) < blocks {
		m.sum, m.n = make([]float64, blocks), make([]int, blocks)
	}
	m.sum, m.n = m.sum[:blocks], m.n[:blocks]
	clear(m.sum)
	clear(m.n)
	for i := range links {
		b, score := at(i)
		m.sum[b] += score
		m.n[b]++
	}
}

// Of returns the mean of a block, 0 for a block without links.
func (m *BlockMeans) Of(block int32) float64 {
	if m.n[block] == 0 {
		return 0
	}
	return m.sum[block] / float64(m.n[block])
}

// ofPage scores the anchors of a page's links; nil without a model.
func (l *Links) ofPage(p *page.Page, s *decisions.State) []float64 {
	if s.Model == nil {
		return nil
	}
	out := make([]float64, len(p.Links))
	var missed []int
	l.mu.RLock()
	for i := range p.Links {
		v, ok := l.anchors[p.Links[i].Anchor]
		if out[i] = v; !ok || l.rev != s.Model.Rev {
			missed = append(missed, i)
		}
	}
	l.mu.RUnlock()
	for _, i := range missed {
		out[i] = l.Anchor(p.Links[i].Anchor, s)
	}
	return out
}

// Anchor scores an anchor with the State's model, which must not be nil, and caches the score.
func (l *Links) Anchor(anchor string, s *decisions.State) float64 {
	v := s.Model.Anchor(l.reader.Vector(anchor))
	l.mu.Lock()
	if l.rev != s.Model.Rev || len(l.anchors) >= maxAnchors {
		l.rev, l.anchors = s.Model.Rev, make(map[string]float64)
	}
	l.anchors[strings.Clone(anchor)] = v // do not hold the memory of all anchors
	l.mu.Unlock()
	return v
}
