package topic

import (
	"cmp"
	"math"
	"slices"
)

// Similarity selects what a page is compared with (P1 2.5).
type Similarity string

// The similarities: with the centroid of the samples, or with each sample, taking the mean. P1
// takes the centroid because the mean costs n comparisons a page. This is avoidable: the mean of
// cosines
//
//	1/n Σ_i K_i·D ÷ (‖K_i‖·‖D‖) = (1/n Σ_i K_i/‖K_i‖)·D ÷ ‖D‖
//
// is one product with the mean of the samples' unit vectors, so it costs as much as the centroid.
// It is the cosine with that mean times its length, which is 1 for equal samples and less for
// dissimilar ones. Under norm inner, which divides by no length, both are the same.
const (
	SimilarityCentroid Similarity = "centroid"
	SimilarityMean     Similarity = "mean"
)

// Similarities lists them, the default first.
var Similarities = []Similarity{SimilarityCentroid, SimilarityMean}

// ComparesEach reports whether pages are compared with each sample. Under norm inner that equals
// the centroid, so it returns false.
func (c *Config) ComparesEach() bool { return c.Similarity == SimilarityMean && c.Norm != NormInner }

// Name returns scheme and norm, and the similarity if it is not the default: "tf-idf/full/mean".
func (c *Config) Name() string {
	name := string(c.Scheme) + "/" + string(c.Norm)
	if c.ComparesEach() {
		name += "/" + string(c.Similarity)
	}
	return name
}

// compareEach sets the weights of the rows to the mean of the samples' unit vectors over the
// feature words. So rows score by the mean of the cosines with each sample. A sample weights a word
// by the scheme's weight times the word's share of the sample. A word in no sample (an expert's)
// weighs the same in each. Without samples nothing changes.
func compareEach(rows []row, samples []Doc, f field) {
	if len(samples) == 0 {
		return
	}
	type scored struct {
		id     uint32
		factor float64 // weight of the word ÷ its share, summed over the samples
		mean   float64
		row    int
	}
	var words []scored
	outside := 0.0 // Σ weight² of words in no sample
	for i := range rows {
		r := &rows[i]
		if w := r.weight(); r.count > 0 && w > 0 {
			words = append(words, scored{id: r.id, factor: w, row: i})
		} else {
			outside += w * w
		}
	}
	slices.SortFunc(words, func(a, b scored) int { return cmp.Compare(a.id, b.id) })
	each := func(do func(v Vector, z float64)) {
		for i := range samples {
			v := samples[i].text(f)
			do(v, float64(v.total()))
		}
	}
	hits := func(v Vector, do func(x *scored, n float64)) {
		at := words
		for i := range v {
			for len(at) > 0 && at[0].id < v[i].ID {
				at = at[1:]
			}
			if len(at) > 0 && at[0].id == v[i].ID {
				do(&at[0], float64(v[i].N))
			}
		}
	}
	shares := make([]float64, len(rows)) // mean over the samples
	n := float64(len(samples))
	each(func(v Vector, z float64) {
		hits(v, func(x *scored, c float64) { shares[x.row] += c / z / n })
	})
	for i := range words {
		words[i].factor /= shares[words[i].row]
	}
	lengths := 0.0 // mean of 1 ÷ ‖K_i‖
	each(func(v Vector, z float64) {
		sum := outside
		hits(v, func(x *scored, c float64) { sum += c / z * x.factor * c / z * x.factor })
		if sum == 0 {
			return // no feature word: 0 for every page
		}
		length := math.Sqrt(sum)
		lengths += 1 / length / n
		hits(v, func(x *scored, c float64) { x.mean += c / z * x.factor / length / n })
	})
	for i := range rows {
		rows[i].mean, rows[i].meant = rows[i].weight()*lengths, true
	}
	for _, x := range words {
		rows[x.row].mean = x.mean
	}
}

// onCentroidScale returns the scores as if the samples were equal, for the search of θ; removed
// pages stay removed.
func (k *kernel) onCentroidScale(values []float32) []float32 {
	if k.alike == 1 {
		return values
	}
	out := make([]float32, len(values))
	for i, v := range values {
		out[i] = min(v/float32(k.alike), 1)
	}
	return out
}
