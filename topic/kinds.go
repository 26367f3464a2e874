package topic

import "slices"

// Samples of two dissimilar kinds, weighted together, make a topic of neither. Two groups of
// samples are dissimilar if the mean cosine of a pair across them is below unlikeness. In each
// group of several samples the mean must also exceed unlikeness and twice the mean across.
const (
	unlikeness  = .08
	strangers   = .01 // below it two kinds share almost no word
	mostCompare = 64  // number of first samples that are compared
)

// Odd returns the places of the samples that differ from the others: the smaller of two kinds, or,
// of equal ones, the one without the first sample. alike is the mean cosine of a pair across the
// kinds, with words weighted as the scheme weights a page. odd is nil if all are of one kind or
// there are fewer than two samples.
func (m *Model) Odd() (odd []int, alike float64) {
	groups := m.groups
	if groups == nil {
		return nil, m.alike
	}
	odd = groups[1]
	if len(groups[0]) < len(odd) || len(groups[0]) == len(odd) && slices.Contains(odd, 0) {
		odd = groups[0]
	}
	slices.Sort(odd)
	return odd, m.alike
}

// kinds splits samples into two dissimilar kinds, by their places; nil if all are of one kind.
// Samples beyond mostCompare are in neither. For alike see Odd.
func kinds(samples []Doc, f field, bg *Background) (groups [][]int, alike float64) {
	n := min(len(samples), mostCompare)
	if n < 2 {
		return nil, 0
	}
	pair := make([][]float64, n)
	norm := make([]float64, n)
	g := bg.gain(f)
	for i := range pair {
		pair[i] = make([]float64, n)
		norm[i] = pageNorm(samples[i].text(f), g)
		for j := range i {
			if norm[i]*norm[j] == 0 {
				continue // a page without words resembles none
			}
			pair[i][j] = min(dotOf(samples[i].text(f), samples[j].text(f), g)/(norm[i]*norm[j]), 1)
			pair[j][i] = pair[i][j]
		}
	}
	groups = make([][]int, n)
	for i := range groups {
		groups[i] = []int{i}
	}
	for len(groups) > 2 { // join the two most similar groups
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
	return groups, alike
}

// parted returns the kinds whose samples are weighted separately. Under scheme records these are
// kinds with almost no common word, like lists in two languages. Measured: finding lists elsewhere
// on the web in two languages .833 → .958. Splitting at unlikeness instead lost .06 on a section of
// a real site whose titles differ. The papers' schemes weight all samples together.
func (c *Config) parted(groups [][]int, alike float64) [][]int {
	if alike >= strangers || c.Scheme != SchemeRecords || c.Norm != NormFull || c.ComparesEach() {
		return nil
	}
	return groups
}

// eachKind weights rows, in order of id, by the sum of the two kinds' unit vectors. The kinds
// hardly share a word, so the product of a page with that sum is its cosine with the kind it
// resembles; see kernel. It returns false and changes nothing if there are no kinds, or one of them
// has no word of weight.
func eachKind(rows []row, s Scheme, samples []Doc, groups [][]int, bg *Background) bool {
	if groups == nil {
		return false
	}
	base := make([]float64, len(rows))
	for _, places := range groups {
		docs := make([]Doc, len(places))
		for i, place := range places {
			docs[i] = samples[place]
		}
		kind := baseRows(s, docs, bg)
		norm := rowsNorm(kind)
		if norm == 0 {
			return false
		}
		at := 0
		for i := range kind {
			for rows[at].id < kind[i].id {
				at++
			}
			base[at] += kind[i].base / norm
		}
	}
	for i := range rows {
		rows[i].base = base[i]
	}
	return true
}

// meanPair returns the mean over the pairs of different samples.
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

// dotOf returns the product of two texts with words weighted by g.
func dotOf(a, b Vector, g *gain) float64 {
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
	return dot
}
