package article

import (
	"math"
	"strings"

	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// roleWords are the clues of the classes, ids and roles that were looked up.
type roleWords map[string]enclosure

// roles lists class words that name the role of an element.
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

// of returns the role from the attributes of an element.
func (w roleWords) of(n *htmldoc.Node) (e enclosure) {
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
	headBytes  = 240 // of a heading, at most
	mostHeaded = 0.5 // share of the page that stands below one heading of a part, at most
)

// sections locates the parts of a page relative to its title and headings.
type sections struct {
	near  []float64 // per node: share of the page in the smallest element around it and the title
	level []float64 // per node: levels from the title to that element
	head  []uint8   // per node: the kind of the heading that begins an element around it
}

// sectionsOf reads the headings of a page with a text. title may be -1: the first <h1> then
// stands for it.
func sectionsOf(t *htmldoc.Tree, title int32) *sections {
	s := &sections{make([]float64, len(t.Nodes)), make([]float64, len(t.Nodes)), make([]uint8, len(t.Nodes))}
	for i := int32(0); title < 0 && int(i) < len(t.Nodes); i++ {
		if n := &t.Nodes[i]; n.Tag == atom.H1 && n.Chars > 1 && !n.Hidden {
			title = i
		}
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
		if heads && !n.IsText && int32(i) != title && n.Chars > 1 && n.To-n.From <= headBytes {
			s.below(t, int32(i), mostHeaded*all)
		}
	}
	return s
}

// below marks the section of a heading: the largest element that begins with the heading and has at
// most so many characters.
func (s *sections) below(t *htmldoc.Tree, heading int32, most float64) {
	n := &t.Nodes[heading]
	kind := headKind(t.Text[n.From:n.To])
	if kind == ownHead && htmldoc.HeadingLevel(n.Tag) == 0 {
		return
	}
	top := heading
	for p := n.Parent; p >= 0 && t.Nodes[p].From == n.From && float64(t.Nodes[p].Chars) <= most; p = t.Nodes[p].Parent {
		top = p
	}
	for k := top; k < t.Nodes[top].End; k++ {
		s.head[k] = max(s.head[k], kind)
	}
}

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

// cluesOf sets the clues about the place of a node.
func (s *sections) cluesOf(v *[ClueCount]float64, node int32) {
	v[clueNear], v[clueNearLevel] = s.near[node], math.Log1p(s.level[node])
	head := s.head[node]
	v[clueOthers], v[clueReplies], v[clueHeaded] = truth(head == othersHead), truth(head == repliesHead), truth(head == ownHead)
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
