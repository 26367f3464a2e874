package topic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
)

// The reference implements our scheme and those of the papers plainly over maps of words. It shares
// no code with the package.

type refPage struct {
	full, list     map[string]float64
	records, dated int
	site           int
	front          bool
}

type refTopic struct {
	cfg      Config
	samples  []refPage
	negative []refPage
	pages    []refPage // the background
	kinds    [][]int   // samples that are weighed apart, by their places; nil = together. TestSamplesOfTwoKinds looks at how they are told
	apart    bool      // weights were computed separately
}

func (r *refTopic) text(p refPage) map[string]float64 {
	if r.cfg.Scheme == SchemeRecords {
		return p.list
	}
	return p.full
}

// g is ln((N+1)/(df+1)) over the whole text, and over the titles the rarity by evenness over the
// sites; 1 below 30 pages.
func (r *refTopic) g(word string) float64 {
	if len(r.pages) < 30 {
		return 1
	}
	df := 0.0
	for _, p := range r.pages {
		if r.text(p)[word] > 0 {
			df++
		}
	}
	if r.cfg.Scheme != SchemeRecords {
		return math.Log((float64(len(r.pages)) + 1) / (df + 1))
	}
	pages, holding := map[int]float64{}, map[int]float64{}
	largest := 0
	for _, p := range r.pages {
		pages[p.site]++
		if p.list[word] > 0 {
			holding[p.site]++
		}
	}
	for s, n := range pages {
		if n > pages[largest] {
			largest = s
		}
	}
	if df == 0 { // as if one page of the largest site held it
		df, holding[largest] = 1, 1
	}
	mean := (df + 1) / (float64(len(r.pages)) + 1)
	sum, squares, sites := 0.0, 0.0, float64(len(pages))
	for s, n := range pages {
		a := (holding[s] + 10*mean) / (n + 10)
		sum += a
		squares += a * a
	}
	rarity := max(0, -math.Log(math.Sqrt(squares/sites)))
	if sites == 1 {
		return rarity
	}
	return rarity * (1 - squares/(sum*sum)) / (1 - 1/sites)
}

// gate reports whether pages that are not lists are gated: always by scheme records, never by tf,
// otherwise if half of the samples are lists.
func (r *refTopic) gate() bool {
	lists := 0
	for _, p := range r.samples {
		if !p.front && p.dated >= 3 && 2*p.dated >= p.records {
			lists++
		}
	}
	return r.cfg.Scheme == SchemeRecords || r.cfg.Scheme != SchemeTF && 2*lists >= len(r.samples)
}

func (r *refTopic) pageGain(word string) float64 {
	if r.cfg.Scheme == SchemeRecords || r.cfg.Scheme == SchemeTFIDF {
		return r.g(word)
	}
	return 1
}

func sum(m map[string]float64) (s float64) {
	for _, x := range m {
		s += x
	}
	return s
}

// raw weights the words of some documents by the scheme.
func (r *refTopic) raw(docs []refPage) map[string]float64 {
	f, df, z := map[string]float64{}, map[string]float64{}, 0.0
	for _, s := range docs {
		for w, x := range r.text(s) {
			f[w] += x
			df[w]++
			z += x
		}
	}
	n := float64(len(docs))
	k := map[string]float64{}
	for w := range f {
		inSample := math.Log(1 + n/df[w])
		switch r.cfg.Scheme {
		case SchemeTFdivID:
			k[w] = f[w] / z / inSample
		case SchemeTF:
			k[w] = f[w] / z
		case SchemeRecords:
			k[w] = f[w] / z / inSample * r.g(w)
		case SchemeTFIDF:
			for _, s := range docs {
				if t := r.text(s); t[w] > 0 {
					k[w] += t[w] / sum(t) * r.g(w) / n
				}
			}
		}
	}
	return k
}

func length(m map[string]float64) (s float64) {
	for _, x := range m {
		s += x * x
	}
	return math.Sqrt(s)
}

func (r *refTopic) weights() map[string]float64 {
	k, negative := r.raw(r.samples), r.raw(r.negative)
	apart, both := map[string]float64{}, len(r.kinds) == 2
	for _, places := range r.kinds {
		var docs []refPage
		for _, i := range places {
			docs = append(docs, r.samples[i])
		}
		kind := r.raw(docs)
		both = both && length(kind) > 0
		for w, x := range kind {
			apart[w] += x / length(kind)
		}
	}
	if r.apart = both; both {
		k = apart
	}
	kk, aa := length(k), length(negative)
	for w, x := range k {
		if aa == 0 {
			break
		}
		k[w] = max(0, x-r.cfg.Gamma*kk/aa*negative[w])
		if k[w] < x*1e-9 {
			k[w] = 0
		}
	}
	var order []string
	for w := range k {
		order = append(order, w)
	}
	sort.Slice(order, func(i, j int) bool {
		if a, b := k[order[i]], k[order[j]]; a != b {
			return a > b
		}
		return order[i] < order[j]
	})
	order = order[:min(len(order), r.cfg.M)]
	out, mean := map[string]float64{}, 0.0
	for _, w := range order {
		out[w] = k[w]
		mean += k[w] / float64(len(order))
	}
	if mean == 0 {
		mean = 1
	}
	for _, w := range r.cfg.Expert {
		if out[w] = k[w]; k[w] == 0 {
			out[w] = mean
		}
	}
	for w := range out {
		if x, ok := r.cfg.Weights[w]; ok {
			out[w] *= x
		}
		if slices.Contains(r.cfg.Off, w) {
			delete(out, w)
		}
	}
	return out
}

// each returns the weights of every sample: proportional to the word's frequency in it relative to
// all samples. A word in no sample weighs the same in each.
func (r *refTopic) each(k map[string]float64) (out []map[string]float64) {
	mean := map[string]float64{}
	for _, s := range r.samples {
		for w, x := range r.text(s) {
			mean[w] += x / sum(r.text(s)) / float64(len(r.samples))
		}
	}
	for _, s := range r.samples {
		ki := map[string]float64{}
		for w, x := range k {
			switch t := r.text(s); {
			case mean[w] == 0:
				ki[w] = x
			case t[w] > 0:
				ki[w] = x * t[w] / sum(t) / mean[w]
			}
		}
		out = append(out, ki)
	}
	return out
}

// score returns the score of a page against the centroid, or the mean of those against each sample.
func (r *refTopic) score(p refPage, k map[string]float64) float64 {
	if r.cfg.Similarity != SimilarityMean || r.cfg.Norm == NormInner || len(r.samples) == 0 {
		return r.against(p, k, k)
	}
	s := 0.0
	for _, ki := range r.each(k) {
		s += r.against(p, ki, k) / float64(len(r.samples))
	}
	return s
}

// against scores a page against weights k over some feature words.
func (r *refTopic) against(p refPage, k, features map[string]float64) float64 {
	d := r.text(p)
	dot, kk, dd, heaviest := 0.0, 0.0, 0.0, 0.0
	for w, x := range k {
		y := d[w] * r.pageGain(w)
		dot += x * y
		kk += x * x
		heaviest = max(heaviest, x*r.pageGain(w))
	}
	if r.cfg.Norm == NormProjected {
		for w, x := range features {
			if y := d[w] * r.pageGain(w); x > 0 {
				dd += y * y
			}
		}
	}
	if r.cfg.Norm == NormFull {
		for w, n := range d {
			dd += n * n * r.pageGain(w) * r.pageGain(w)
		}
	}
	s := 0.0
	switch {
	case r.cfg.Norm == NormInner && heaviest > 0 && sum(d) > 0:
		s = dot / heaviest / sum(d)
	case r.cfg.Norm != NormInner && kk > 0 && dd > 0 && heaviest > 0:
		s = dot / math.Sqrt(kk*dd)
		if r.apart {
			s = min(s*math.Sqrt2, 1)
		}
	}
	if r.gate() && (p.front || p.dated < 3 || 2*p.dated < p.records) {
		s /= 1000
	}
	return s
}

// names is a lexicon for tests.
type names struct {
	ids   map[string]uint32
	words []string
}

func (n *names) Word(id uint32) string { return n.words[id] }
func (n *names) Lookup(w string) (uint32, bool) {
	id, ok := n.ids[w]
	return id, ok
}

func (n *names) intern(w string) uint32 {
	if id, ok := n.ids[w]; ok {
		return id
	}
	if n.ids == nil {
		n.ids = map[string]uint32{}
	}
	n.ids[w] = uint32(len(n.words))
	n.words = append(n.words, w)
	return n.ids[w]
}

func (n *names) vector(words map[string]float64) Vector {
	var v Vector
	for w, x := range words {
		v = append(v, Term{n.intern(w), uint32(x)})
	}
	slices.SortFunc(v, func(a, b Term) int { return int(a.ID) - int(b.ID) })
	return v
}

func (n *names) doc(p refPage) Doc {
	return Doc{
		Full: n.vector(p.full), List: n.vector(p.list), Records: p.records, Dated: p.dated, Front: p.front,
		URL: fmt.Sprintf("http://www%d.s%d.edu.cn/list.htm", p.records%3, p.site),
	}
}

func randomPage(r *rand.Rand) refPage {
	p := refPage{full: map[string]float64{}, list: map[string]float64{}}
	for range r.IntN(40) {
		// Squared: a few words are common, most are rare.
		w := fmt.Sprintf("w%03d", int(r.Float64()*r.Float64()*150))
		p.full[w] += float64(1 + r.IntN(7))
		if r.IntN(2) == 0 {
			p.list[w] += float64(1 + r.IntN(3))
		}
	}
	p.site, p.front = int(r.Float64()*r.Float64()*7), r.IntN(20) == 0
	if r.IntN(50) == 0 {
		p.full["flood"] = 100_000
	}
	if p.records = r.IntN(12); p.records > 0 {
		p.dated = r.IntN(p.records + 1)
	}
	return p
}

func randomConfig(r *rand.Rand) Config {
	c := Config{
		Scheme: Schemes[r.IntN(len(Schemes))],
		Norm:   []Norm{NormFull, NormProjected, NormInner}[r.IntN(3)],
		M:      1 + r.IntN(60),
	}
	c.Similarity = append(Similarities, "")[r.IntN(3)]
	word := func() string { return fmt.Sprintf("w%03d", r.IntN(150)) }
	for range r.IntN(4) {
		c.Off = append(c.Off, word())
	}
	for range r.IntN(3) {
		c.Expert = append(c.Expert, word())
	}
	if r.IntN(2) == 0 {
		c.Weights = map[string]float64{word(): 0, word(): 3.5, word(): .25}
	}
	c.Gamma = []float64{0, DefaultGamma, .5, 1, MaxGamma}[r.IntN(5)]
	return c
}

// TestIndexEqualsReference runs random crawls: pages are added, changed and removed, the analyst
// changes settings, and after each step every score must equal the formulas.
func TestIndexEqualsReference(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		lex := &names{}
		ix := NewIndex()
		live := map[uint64]refPage{}
		add := func(id uint64) {
			p := randomPage(r)
			live[id] = p
			ix.Add(id, lex.doc(p))
		}
		for id := range uint64(20 + r.IntN(60)) {
			add(id)
		}
		var samples []Doc
		var refs []refPage
		for range r.IntN(5) {
			p := randomPage(r)
			refs = append(refs, p)
			samples = append(samples, lex.doc(p))
		}
		var negative []Doc
		var negativeRefs []refPage
		for range r.IntN(4) { // one in four without: Build's model
			p := randomPage(r)
			if len(refs) > 0 && r.IntN(4) == 0 {
				p = refs[0] // a page equal to a sample
			}
			negativeRefs = append(negativeRefs, p)
			negative = append(negative, lex.doc(p))
		}
		background := make([]refPage, 0, len(live))
		for _, p := range live {
			background = append(background, p)
		}
		bg := ix.Background()
		cfg := randomConfig(r)
		model := BuildAgainst(cfg, samples, negative, lex, bg)
		ix.Apply(model)
		for step := range 12 {
			ref := &refTopic{cfg: cfg, samples: refs, negative: negativeRefs, pages: background, kinds: model.cfg.parted(model.groups, model.alike)}
			if !sameScores(t, ix.Scores(), model, ref, live, lex) {
				t.Fatalf("seed %d step %d config %+v", seed, step, cfg)
			}
			switch r.IntN(5) {
			case 0:
				add(uint64(r.IntN(100)))
			case 1:
				id := uint64(r.IntN(100))
				ix.Remove(id)
				delete(live, id)
			case 2:
				cfg = randomConfig(r)
			case 3: // one word off: the patching path
				cfg.Off = append(slices.Clone(cfg.Off), fmt.Sprintf("w%03d", r.IntN(40)))
			case 4:
				cfg.Weights = map[string]float64{fmt.Sprintf("w%03d", r.IntN(40)): r.Float64() * 4}
			}
			model = model.WithConfig(cfg)
			ix.Apply(model)
		}
	}
}

func sameScores(t *testing.T, got *Scores, m *Model, ref *refTopic, live map[uint64]refPage, lex *names) bool {
	t.Helper()
	k := ref.weights()
	ok := got.N == len(live)
	if !ok {
		t.Errorf("%d pages, want %d", got.N, len(live))
	}
	for id, p := range live {
		want := ref.score(p, k)
		d := lex.doc(p)
		s, found := got.Of(id)
		if one := m.Score(&d); !found || math.Abs(s-want) > 2e-5 || math.Abs(one-want) > 2e-6 {
			t.Errorf("page %d: index %v (%v), model %v, want %v", id, s, found, one, want)
			ok = false
		}
	}
	return ok
}
