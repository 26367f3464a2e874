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

// Links scores links by what stands on the page they were found on: the text of
// the anchor, the block it stands in, the address. The live crawl and the lab
// use the same scorer. It is safe for concurrent use.
type Links struct {
	reader  *reader.Reader
	mu      sync.RWMutex // guards what follows
	rev     uint64       // of the model that gave the scores
	anchors map[string]float64
}

// NewLinks returns a scorer that counts the words of anchors with r.
func NewLinks(r *reader.Reader) *Links { return &Links{reader: r} }

// maxAnchors bounds the memory of anchor scores, some 100 bytes each: those of
// navigation come back on every page.
const maxAnchors = 1 << 15

// AnchorRunes is how much of an anchor text is kept for the link order.
const AnchorRunes = 80

// FoundOnPage is what a page says of the links on it.
type FoundOnPage struct {
	Page      *page.Page
	Score     float64 // of the page
	Relevant  bool    // the verdict on the page
	Inherited float64 // what the page had inherited itself (shark)
}

// Hints filters a page's links and gathers what the link order wants to know of
// each. Duplicates on the page are dropped; the first mention counts.
func (l *Links) Hints(f FoundOnPage, s *decisions.State, filter *urls.Filter) []store.Link {
	p := f.Page
	out := make([]store.Link, 0, len(p.Links))
	seen := make(map[string]struct{}, len(p.Links))
	anchors := l.ofPage(p, s)
	var blocks BlockMeans
	if anchors != nil {
		blocks.Count(len(p.Blocks)+1, len(p.Links), func(i int) (int32, float64) { return p.Links[i].Block + 1, anchors[i] })
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
			Anchor: htmldoc.Clip(x.Anchor, AnchorRunes), Pager: x.Pager, SourceScore: f.Score, Inherited: f.Inherited, Relevant: f.Relevant, Features: uint16(BlockFeaturesOf(p, x))}}
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

// PageRequestLink is the link to the page that a turn of a list brings.
func PageRequestLink(t *listpage.PageRequest) store.Link {
	l := store.Link{URL: urls.Address(t.URL, t.Name), Flat: true, Hints: store.Hints{Anchor: strconv.Itoa(t.Page), Pager: true}}
	if t.Name != "" {
		l.Request = &records.Request{Method: t.Method, Body: []byte(t.Body), ContentType: t.ContentType, Page: t.Page, Source: t.Source, Expires: t.Expires}
	}
	return l
}

// RedirectBlock is the Block of a URL that a redirect led to.
const RedirectBlock = "redirect"

// RedirectLink is the link from u to the target of its redirect. It inherits what is known of
// u. The first redirect adds no depth, further ones in a row do: a chain of ever new
// addresses ends at the depth limit.
func RedirectLink(u *store.URL, target string) store.Link {
	l := store.Link{URL: target, Flat: u.Block != RedirectBlock, Hints: u.Hints}
	l.Block = RedirectBlock
	return l
}

// BlockMeans is P4's LB: the mean anchor score of the links of each block of a
// page. Its memory is used again from page to page.
type BlockMeans struct {
	sum []float64
	n   []int
}

// Count takes the links of a page with blocks 0 … blocks-1; at gives the block
// and the anchor score of each link.
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

// Of is the mean of a block, 0 for one without links.
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

// Anchor scores an anchor under the State's model, which must not be nil, and
// remembers it.
func (l *Links) Anchor(anchor string, s *decisions.State) float64 {
	v := s.Model.Anchor(l.reader.Vector(anchor))
	l.mu.Lock()
	if l.rev != s.Model.Rev || len(l.anchors) >= maxAnchors {
		l.rev, l.anchors = s.Model.Rev, make(map[string]float64)
	}
	l.anchors[strings.Clone(anchor)] = v // not the page's anchors with it
	l.mu.Unlock()
	return v
}
