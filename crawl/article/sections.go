package article

import (
	"math"
	"slices"
	"strings"

	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// roleWords caches the clues of classes, ids and roles.
type roleWords map[string]enclosure

// roles maps class words to the clue for the role of an element.
var roles = map[string]enclosure{}

func init() {
	for clue, words := range map[int]string{
		clueBeside: `related recommend recommended recommendation recommendations recommends upsell upsells crosssell
			cross similar recent recently viewed complementary aside sidebar side widget widgets promo
			promotion promos ad ads advert sponsored trending popular suggested suggestions also bought`,
		clueReply: `comment comments commentlist reply replies review reviews rating ratings testimonial
			testimonials feedback ugc disqus`,
		cluePrompt: `newsletter subscribe subscription signup signin login register account cookie cookies consent
			gdpr modal popup overlay dialog alertdialog cart minicart basket wishlist compare share sharing
			social socials filter filters facet facets sort sorting toolbar search tooltip notification
			alert chat app`,
		clueDetails: `description desc descriptions detail details specification specifications specs feature
			features overview about ingredients summary info information accordion tab tabs rte materials`,
	} {
		for _, w := range strings.Fields(words) {
			roles[w] |= bitOf(clue)
		}
	}
}

// roleOf returns the clues of an element from its attributes.
func (w roleWords) roleOf(n *htmldoc.Node) (e enclosure) {
	if n.IsText || n.Tag == atom.Body {
		return 0
	}
	for i := range n.HTML.Attr {
		switch a := &n.HTML.Attr[i]; a.Key {
		case "class", "id", "role", "itemprop":
			x, known := w[a.Val]
			if !known {
				for word := range htmldoc.ClassWords(a.Val) {
					x |= roles[string(word)]
				}
				w[a.Val] = x
			}
			e |= x
		}
	}
	return e
}

// The kinds of headings.
const (
	noHead = iota
	ownHead
	othersHead
	repliesHead
)

// headWords occur in headings of related products, reviews and the like, in many languages.
var headWords = [...][]string{
	othersHead: {
		"related", "similar", "recommend", "you may", "you might", "also bought", "also viewed",
		"also like", "recently viewed", "more from", "customers who", "frequently bought",
		"complete the", "top picks", "trending", "popular", "best sellers", "bestsellers", "sponsored",
		"read next", "more stories", "latest", "ähnliche", "das könnte", "empfehl", "empfohlen",
		"zuletzt angesehen", "kunden kauften", "passend", "mehr zum", "similaire", "vous aimerez",
		"pourrait vous", "recommand", "récemment", "à lire aussi", "relacionad", "también te",
		"te puede", "recomend", "vistos recientemente", "também", "correlati", "potrebbe",
		"ti consigliamo", "simili", "gerelateerd", "ook bekeken", "aanbevolen", "podobne", "polecane",
		"похожие", "рекоменд", "с этим товаром", "читайте также", "benzer", "önerilen", "関連",
		"おすすめ", "最近チェック", "관련", "추천", "相关", "相關", "推荐", "推薦", "猜你", "热门",
	},
	repliesHead: {
		"review", "comment", "rating", "testimonial", "bewertung", "rezension", "kommentar", "avis",
		"opinion", "reseña", "valoracion", "comentario", "recension", "commenti", "avalia",
		"beoordeling", "reacties", "opinie", "отзыв", "коммент", "yorum", "レビュー", "コメント",
		"리뷰", "댓글", "评论", "評論", "评价", "評價", "留言",
	},
}

const (
	maxHeadBytes = 240 // bytes of a heading, at most
	maxHeaded    = 0.5 // share of the page in the section of a heading, at most

	maxIntroLines = 4   // lines of an introduction below the heading of the page, at most
	minIntroChars = 80  // characters of a sentence of an introduction, at least
	maxIntroLinks = 0.3 // share of its characters in links, at most
	maxAboveMenu  = 0.4 // share of the page above its menu, at most
)

// noIntro are the clues of lines that belong to no introduction, such as bylines and reviews.
var noIntro = bitOf(clueHeader) | bitOf(clueReply) | bitOf(clueBeside)

// sections locates the parts of a page relative to its title and headings.
type sections struct {
	menu  int32     // beginning of the first menu in the text; 0 without one or with much text above it
	intro [2]int    // runs below the first <h1>, up to the next heading
	near  []float64 // per node: share of the page in the smallest element around it and the title
	level []float64 // per node: levels from the title to that element
	head  []uint8   // per node: kind of the heading that begins an element around it
}

// sectionsOf finds the sections of a page with a text. If title is -1, the first <h1> replaces it.
func sectionsOf(t *htmldoc.Tree, title int32) *sections {
	s := &sections{near: make([]float64, len(t.Nodes)), level: make([]float64, len(t.Nodes)), head: make([]uint8, len(t.Nodes))}
	heading := int32(slices.IndexFunc(t.Nodes, func(n htmldoc.Node) bool { return n.Tag == atom.H1 && n.Chars > 1 && !n.Hidden }))
	s.findIntro(t, heading)
	s.findMenu(t, heading)
	if title < 0 {
		title = heading
	}
	all := float64(max(1, t.Nodes[0].Chars))
	for level, i := 1.0, title; i >= 0; level, i = level+1, t.Nodes[i].Parent {
		s.near[i], s.level[i] = float64(t.Nodes[i].Chars)/all, level
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Parent >= 0 {
			s.head[i] = max(s.head[i], s.head[n.Parent])
			if s.level[i] == 0 {
				s.near[i], s.level[i] = s.near[n.Parent], s.level[n.Parent]
			}
		}
		heads := htmldoc.HeadingLevel(n.Tag) > 0 || n.Traits&htmldoc.Titular != 0
		if heads && !n.IsText && int32(i) != title && n.Chars > 1 && n.To-n.From <= maxHeadBytes {
			s.markSection(t, int32(i), maxHeaded*all)
		}
	}
	return s
}

// markSection sets head for the section of a heading: the largest element that begins with the
// heading and has at most most characters.
func (s *sections) markSection(t *htmldoc.Tree, heading int32, maxChars float64) {
	n := &t.Nodes[heading]
	kind := headKind(t.Text[n.From:n.To])
	if kind == ownHead && htmldoc.HeadingLevel(n.Tag) == 0 {
		return
	}
	top := heading
	for p := n.Parent; p >= 0 && t.Nodes[p].From == n.From && float64(t.Nodes[p].Chars) <= maxChars; p = t.Nodes[p].Parent {
		top = p
	}
	for k := top; k < t.Nodes[top].End; k++ {
		s.head[k] = max(s.head[k], kind)
	}
}

// findIntro finds the lines below the heading of a page.
func (s *sections) findIntro(t *htmldoc.Tree, heading int32) {
	from := titleRun(t, heading) + 1
	to := from
	for from > 0 && to < len(t.Runs) && to < from+maxIntroLines && htmldoc.HeadingLevel(t.Nodes[t.Runs[to].Host].Tag) == 0 {
		to++
	}
	s.intro = [2]int{from, to}
}

// introduces reports whether a run is a sentence below the heading of the page.
func (f *lineFacts) introduces(run int) bool {
	t := f.x.Tree
	r := &t.Runs[run]
	return run >= f.intro[0] && run < f.intro[1] && r.Chars >= minIntroChars && r.Punct > 0 &&
		float64(r.LinkChars) <= maxIntroLinks*float64(r.Chars) && !t.Nodes[r.Host].Hidden && f.enclosing[r.Host]&noIntro == 0
}

// findMenu finds the first menu or header of a page, unless much of the page or its heading stands
// above it.
func (s *sections) findMenu(t *htmldoc.Tree, heading int32) {
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.IsText || n.Tag != atom.Nav && n.Tag != atom.Header && !menuRole(htmldoc.Attr(n.HTML, "role")) {
			continue
		}
		if (heading < 0 || n.From <= t.Nodes[heading].From) && float64(n.From) <= maxAboveMenu*float64(len(t.Text)) {
			s.menu = n.From
		}
		return
	}
}

func menuRole(role string) bool { return role == "navigation" || role == "banner" }

// announces reports whether a run stands above the menu of the page in an element with a negative
// class: an offer, a notice of delays.
func (s *sections) announces(r *htmldoc.TextRun) bool { return r.Negative && r.To <= s.menu }

// headKind returns the kind of a heading.
func headKind(heading string) uint8 {
	heading = strings.ToLower(heading)
	for kind := othersHead; kind < len(headWords); kind++ {
		if htmldoc.AnyWord(heading, strings.Contains, headWords[kind]...) {
			return uint8(kind)
		}
	}
	return ownHead
}

// setClues sets the clues about the place of a node.
func (s *sections) setClues(v *[ClueCount]float64, node int32) {
	v[clueNear], v[clueNearLevel] = s.near[node], math.Log1p(s.level[node])
	head := s.head[node]
	v[clueOthers], v[clueReplies], v[clueHeaded] = indicator(head == othersHead), indicator(head == repliesHead), indicator(head == ownHead)
}

// ofProduct reports whether JSON-LD or Open Graph declares a page of one product.
func ofProduct(t *htmldoc.Tree) bool {
	products, lists := 0, 0
	for _, script := range t.LD {
		products += strings.Count(script, `"Product"`)
		lists += strings.Count(script, `"ItemList"`) + strings.Count(script, `"CollectionPage"`)
	}
	kind := t.Meta("og:type")
	return products == 1 && lists == 0 || strings.HasPrefix(kind, "product") || strings.HasSuffix(kind, ":product")
}
