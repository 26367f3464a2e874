package topic

import (
	"cmp"
	"math"
	"slices"
)

// contribution is the share of one word in a score.
type contribution struct {
	Word  string  `json:"word"`
	Count int     `json:"count"` // occurrences on the page
	Share float64 `json:"share"` // share of the cosine
	// Taken is the share of the word's weight that the negative samples took, 0 … 1; a word that lost
	// all of it has Share 0.
	Taken float64 `json:"taken,omitempty"`
}

// Explanation explains the score of a page.
type Explanation struct {
	Score      float64        `json:"score"` // after the gate
	Raw        float64        `json:"raw"`   // before the gate
	Gate       bool           `json:"gate"`  // passed: at least 3 dated records, at least half dated, not a front page
	Theta      float64        `json:"theta"`
	Above      bool           `json:"above"`
	Negative   int            `json:"negative_samples,omitempty"` // negative samples of the model
	Scheme     Scheme         `json:"scheme"`
	Norm       Norm           `json:"norm"`
	Similarity Similarity     `json:"similarity"`
	Words      []contribution `json:"words"` // largest first
	ModelRev   uint64         `json:"model_rev"`
}

// kernel holds the parts of a model that score a page:
//
//	score = gate · scale · Σ coef_t·n_t ÷ page
//
// over the feature words t, n_t their occurrences on the page. page is, by norm: full √Σ(n_t·g_t)²
// over all words of the page, projected the same over the feature words, inner the number of words
// Σ n_t.
type kernel struct {
	field    field
	norm     Norm
	gate     bool  // pages that are not lists of dated records are gated
	gain     *gain // g_t of the page; flat if the paper weights a page by plain TF
	features []feature
	scale    float64 // 1/‖K‖ for a cosine, 1/max coef for the inner product; 0 without features
	alike    float64 // the length of the samples' mean, if pages are compared with each sample; otherwise 1
}

// feature is one scoring word; kernels hold them by ascending id.
type feature struct {
	id     uint32
	coef   float32 // K_t · g_t
	square float32 // g_t², for the projected norm
}

// newKernel makes the kernel of rows. With D_t = n_t·g_t of the page (g_t = 1 for P0, 2.3, and P3),
// the cosine is Σ K_t·D_t ÷ (‖K‖·‖D‖). The inner product of P3 2.3.1 is S = Σ W_t·D_t. Here D is
// the share of the page's words, and W is scaled so that a page of the heaviest word alone scores
// 1. So it is in 0 … 1 like a cosine, and smaller.
//
// The rows of two dissimilar kinds are the sum of two unit vectors with hardly a common word, of
// length √2. A page of one kind scores its cosine with that kind.
func newKernel(cfg Config, rows []row, apart bool, bg *Background, gate bool) kernel {
	f := cfg.Scheme.field()
	g := flat
	if cfg.Scheme == SchemeRecords || cfg.Scheme == SchemeTFIDF {
		g = bg.gain(f)
	}
	k := compile(rows, f, cfg.Norm, g)
	k.gate = gate
	if apart {
		k.scale *= math.Sqrt2
	}
	if cfg.ComparesEach() && k.scale > 0 {
		if length := 1 / k.scale; length < 1-1e-9 { // for equal samples the difference is only rounding
			k.alike = length
		}
		k.scale = 1 // the lengths of the samples are already divided out
	}
	return k
}

// anchorKernel scores short texts: the same weights, always the full cosine with g for the text.
func anchorKernel(cfg Config, rows []row, bg *Background) kernel {
	f := cfg.Scheme.field()
	return compile(rows, f, NormFull, bg.gain(f))
}

func compile(rows []row, f field, norm Norm, g *gain) kernel {
	k := kernel{field: f, norm: norm, gain: g, alike: 1}
	sum, heaviest := 0.0, 0.0
	for i := range rows {
		w := rows[i].weight()
		if w <= 0 {
			continue
		}
		// A word that is on no page yet still belongs to ‖K‖.
		sum += w * w
		g := k.gain.at(rows[i].id)
		heaviest = max(heaviest, w*float64(g))
		if rows[i].id == noWord {
			continue
		}
		k.features = append(k.features, feature{rows[i].id, float32(w) * g, g * g})
	}
	slices.SortFunc(k.features, func(a, b feature) int { return cmp.Compare(a.id, b.id) })
	switch {
	case heaviest == 0:
	case k.norm == NormInner:
		k.scale = 1 / heaviest
	default:
		k.scale = 1 / math.Sqrt(sum)
	}
	return k
}

// Gates reports whether pages that are not lists of dated records are gated. Scheme records always
// gates; P0's and P1's do if the samples are mostly such lists. The papers rank pages; here schemes
// must find aggregation pages, and most pages of a site share its words. Measured on real and
// generated sites: the best F1 of tf/idf rises from .04 to .92, that of tf-idf from .63 to .90.
// P3's inner product judges pages of any kind.
func (s Scheme) Gates(samples []Doc) bool {
	if s == SchemeRecords || s == SchemeTF {
		return s == SchemeRecords
	}
	lists := 0
	for i := range samples {
		if !samples[i].gated() {
			lists++
		}
	}
	return 2*lists >= len(samples)
}

// gateFactor is the factor on the score of a gated page: enough left to rank such pages among
// themselves.
const gateFactor = .001

// gated reports whether d fails the gate: it has fewer than 3 dated records, less than half of its
// records have dates, or it is a front page.
func (d *Doc) gated() bool { return d.Front || d.Dated < minDated || 2*d.Dated < d.Records }

// WhyGated returns why a page fails the gate, or "".
func (d *Doc) WhyGated() string {
	switch {
	case d.Front:
		return "a front page"
	case d.Dated < minDated:
		return "fewer than 3 dated records"
	case d.gated():
		return "less than half of its records have a date"
	}
	return ""
}

// minDated is the number of dated records from which a page may be a list.
const minDated = 3

// pageNorm returns √Σ(n_t·g_t)² over all words of v.
func pageNorm(v Vector, g *gain) float64 {
	sum := 0.0
	for _, t := range v {
		x := float64(t.N) * float64(g.at(t.ID))
		sum += x * x
	}
	return math.Sqrt(sum)
}

// dot returns Σ coef·n and Σ (g·n)² over the features that v holds.
func (k *kernel) dot(v Vector) (dot, squares float64) {
	f := k.features
	for _, t := range v {
		for len(f) > 0 && f[0].id < t.ID {
			f = f[1:]
		}
		if len(f) == 0 {
			break
		}
		if f[0].id == t.ID {
			n := float64(t.N)
			dot += float64(f[0].coef) * n
			squares += float64(f[0].square) * n * n
		}
	}
	return dot, squares
}

// page returns the denominator of the page.
func (k *kernel) page(v Vector, squares float64) float64 {
	switch k.norm {
	case NormProjected:
		return math.Sqrt(squares)
	case NormInner:
		return float64(v.total())
	}
	return pageNorm(v, k.gain)
}

// raw is the score before the gate.
func (k *kernel) raw(v Vector) float64 {
	dot, squares := k.dot(v)
	page := k.page(v, squares)
	if page == 0 {
		return 0
	}
	return min(dot*k.scale/page, 1)
}

func (k *kernel) score(d *Doc) float64 {
	s := k.raw(d.text(k.field))
	if k.gate && d.gated() {
		s *= gateFactor
	}
	return s
}

// Score returns the page's similarity to the topic, 0 … 1. It allocates
// nothing.
func (m *Model) Score(d *Doc) float64 { return m.kernel.score(d) }

// Anchor returns the similarity of a short text, usually an anchor, to the topic, 0 … 1. It is the
// cosine of its words weighted by g and the feature words, whatever scheme and norm score pages. It
// is for ordering links (P3 2.3.2, P4 4): a single hit in a short anchor weighs much.
func (m *Model) Anchor(v Vector) float64 { return m.anchor.raw(v) }

// Explain explains the score of d.
func (m *Model) Explain(d *Doc) Explanation {
	k := &m.kernel
	v := d.text(k.field)
	_, squares := k.dot(v)
	page := k.page(v, squares)
	e := Explanation{
		Score: k.score(d), Raw: k.raw(v),
		Gate:   !k.gate || !d.gated(),
		Theta:  m.Theta(),
		Scheme: m.cfg.Scheme, Norm: k.norm, Similarity: m.cfg.Similarity,
		ModelRev: m.Rev, Negative: len(m.negative),
	}
	e.Above = e.Score >= e.Theta
	for _, f := range k.features {
		if n := v.count(f.id); n > 0 && page > 0 {
			e.Words = append(e.Words, contribution{
				Word: m.names.Word(f.id), Count: int(n),
				Share: float64(f.coef) * float64(n) * k.scale / page,
			})
		}
	}
	m.explainTaken(&e, v)
	slices.SortFunc(e.Words, func(a, b contribution) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Word, b.Word))
	})
	return e
}
