package topic

import "slices"

// Samples of two unlike kinds make a topic of neither. Two groups of samples are
// unlike when a pair across them is less than unlikeness alike on average, and in
// each group of several more than that and twice as much as across.
const (
	unlikeness  = .08
	mostCompare = 64 // samples that are compared, the first
)

// Odd returns the samples, by their places, that are unlike the others: the smaller
// of two kinds, of equal ones that which does not hold the first sample. alike is
// the mean cosine of a pair across the two kinds, over the words as the scheme
// weighs a page. It is nil where all are of one kind, and below two samples.
func (m *Model) Odd() (odd []int, alike float64) {
	n := min(len(m.samples), mostCompare)
	if n < 2 {
		return nil, 0
	}
	pair := make([][]float64, n)
	f := m.kernel.field
	g := m.bg.gain(f)
	for i := range pair {
		pair[i] = make([]float64, n)
		for j := range i {
			pair[i][j] = cosine(m.samples[i].text(f), m.samples[j].text(f), g)
			pair[j][i] = pair[i][j]
		}
	}
	groups := make([][]int, n)
	for i := range groups {
		groups[i] = []int{i}
	}
	for len(groups) > 2 { // join the two groups that are most alike
		a, b, best := 0, 1, -1.
		for i := range groups {
			for j := range i {
				if x := meanPair(pair, groups[i], groups[j]); x > best {
					a, b, best = j, i, x
				}
			}
		}
		groups[a] = append(groups[a], groups[b]...)
		groups = slices.Delete(groups, b, b+1)
	}
	alike = meanPair(pair, groups[0], groups[1])
	if alike >= unlikeness {
		return nil, alike
	}
	for _, g := range groups {
		if len(g) > 1 && meanPair(pair, g, g) < max(2*alike, unlikeness) {
			return nil, alike
		}
	}
	odd = groups[1]
	if len(groups[0]) < len(odd) || len(groups[0]) == len(odd) && slices.Contains(odd, 0) {
		odd = groups[0]
	}
	slices.Sort(odd)
	return odd, alike
}

// meanPair returns the mean over the pairs of two different samples.
func meanPair(pair [][]float64, a, b []int) float64 {
	sum, n := 0.0, 0.0
	for _, i := range a {
		for _, j := range b {
			if i != j {
				sum += pair[i][j]
				n++
			}
		}
	}
	return sum / n
}

// cosine is the cosine of two texts with the words weighed by g; 0 for an empty one.
func cosine(a, b Vector, g *gain) float64 {
	norm := pageNorm(a, g) * pageNorm(b, g)
	if norm == 0 {
		return 0
	}
	dot := 0.0
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].ID < b[0].ID:
			a = a[1:]
		case b[0].ID < a[0].ID:
			b = b[1:]
		default:
			w := float64(g.at(a[0].ID))
			dot += float64(a[0].N) * float64(b[0].N) * w * w
			a, b = a[1:], b[1:]
		}
	}
	return min(dot/norm, 1)
}
