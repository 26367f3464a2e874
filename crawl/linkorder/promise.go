package linkorder

// promises compares, place by place, what the prior said of links with what
// they led to. A prior is only as good as the topic's scores. Where pages look
// like the samples and are none (another column with the same words, the same
// shape of URL), it stays high, and as long as nothing relevant was found there
// is no model to correct it. So where the prior was wrong it counts less in
// that place, and in no other.
//
// A place is a directory the target stands in, or a block on pages of one
// directory or file name (features.where). Of each,
//
//	kept = min(1, (n₁ + a) ÷ (Σ prior + a))
//
// over the links learned from, n₁ of them relevant, and a = 1 (Laplace), so
// that a new place starts with full trust. A link stands in several places, one
// inside the other; the factors of all are multiplied, so that the innermost,
// which is in the most of them, loses most. (Measured instead, mean area on the
// made-up sites and the real ones of learned's comment: the least factor .87
// and .72, the geometric mean .78 and .70, one factor for the whole crawl .91
// and .65, the product .92 and .71, each with w = n₊/(n₊+5).)
type promises struct {
	credit float64   // a
	sum    []float32 // by bucket: Σ prior
	lost   []float32 // by bucket: 1 − kept; only this is read for a value
}

func newPromises(credit float64) promises {
	return promises{credit: credit, sum: make([]float32, buckets), lost: make([]float32, buckets)}
}

// kept is how much the prior of a link with these features counts, 0 … 1.
func (p *promises) kept(f *features) float64 {
	kept := float32(1)
	for _, b := range f.at[f.where:f.n] {
		kept *= 1 - p.lost[b]
	}
	return float64(kept)
}

// note adds a link whose prior was v. The model must have learned from it.
func (p *promises) note(f *features, m *model, v float64) {
	for _, b := range f.at[f.where:f.n] {
		p.sum[b] += float32(v)
		p.settle(b, m.learn[b][isTarget].n[1])
	}
}

// settle works out what a bucket lost.
func (p *promises) settle(bucket uint32, relevant uint32) {
	p.lost[bucket] = float32(max(0, 1-(float64(relevant)+p.credit)/(float64(p.sum[bucket])+p.credit)))
}
