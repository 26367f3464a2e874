package topic

import "slices"

// The automatic θ is .30 from three samples on. With fewer it is Otsu's
// threshold of the background scores, held between thetaMin and thetaMax.
const (
	thetaSamples = 3
	thetaDefault = .30
	thetaMin     = .25
	thetaMax     = .45
	thetaMargin  = .01  // above the highest negative sample
	thetaGap     = 1e-4 // scores that lie closer cannot be told apart
)

// Theta returns the threshold: the analyst's if set, else the automatic one,
// which lies above every negative sample unless that would lose a sample (see
// clearOfNegatives).
func (m *Model) Theta() float64 {
	theta := thetaDefault
	switch {
	case m.cfg.Theta > 0:
		return m.cfg.Theta
	case len(m.samples) < thetaSamples && m.otsu > 0:
		theta = min(max(m.otsu, thetaMin), thetaMax)
	}
	if m.floor != nil {
		theta = max(theta, m.floor())
	}
	return theta
}

// clearOfNegatives returns the least θ that leaves every negative sample out
// and lets every sample in: a little above the highest negative sample, at most
// halfway to the lowest sample. A sample counts with its score under a model of
// the other samples; a single sample has no others and counts with its own. It
// is 0 where the two overlap: then θ could only trade one for the other, and
// stays where it is.
func (m *Model) clearOfNegatives() float64 {
	samples := m.LeaveOneOut()
	if samples == nil {
		samples = m.SampleScores()
	}
	negative := slices.Max(m.NegativeScores())
	if len(samples) == 0 || negative == 0 {
		return 0
	}
	low := slices.Min(samples)
	if low < negative+thetaGap {
		return 0
	}
	return min(negative+thetaMargin, (negative+low)/2)
}

// LeaveOneOut returns, for each sample in order, the score it gets from a model
// of the others against the same negative samples; nil with fewer than two
// samples. A sample far below the rest does not belong to them.
func (m *Model) LeaveOneOut() []float64 {
	if len(m.samples) < 2 {
		return nil
	}
	return eachWithout(m.samples, func(d *Doc, others []Doc) float64 {
		return m.scoreUnder(d, others, m.negative)
	})
}

// NegativeLeaveOneOut returns, for each negative sample in order, the score it
// gets from a model that was not told of it: what a page like it would get.
func (m *Model) NegativeLeaveOneOut() []float64 {
	return eachWithout(m.negative, func(d *Doc, others []Doc) float64 {
		return m.scoreUnder(d, m.samples, others)
	})
}

// scoreUnder returns d's score under a model of other samples and negative
// samples.
func (m *Model) scoreUnder(d *Doc, samples, negative []Doc) float64 {
	k := newKernel(m.cfg, weigh(m.cfg, samples, negative, m.names, m.bg), m.bg)
	return k.score(d)
}

// eachWithout calls f with each document and all others.
func eachWithout(docs []Doc, f func(d *Doc, others []Doc) float64) []float64 {
	out := make([]float64, len(docs))
	others := make([]Doc, 0, len(docs))
	for i := range docs {
		others = append(append(others[:0], docs[:i]...), docs[i+1:]...)
		out[i] = f(&docs[i], others)
	}
	return out
}

// SampleScores returns the samples' own scores, in order.
func (m *Model) SampleScores() []float64 { return m.scores(m.samples) }

// NegativeScores returns the negative samples' own scores, in order.
func (m *Model) NegativeScores() []float64 { return m.scores(m.negative) }

func (m *Model) scores(docs []Doc) []float64 {
	out := make([]float64, len(docs))
	for i := range docs {
		out[i] = m.kernel.score(&docs[i])
	}
	return out
}

// Otsu returns the threshold that splits values, all within 0 … 1, into two
// classes with the greatest variance between them (Otsu 1979, over 256 bins);
// ok is false if there is nothing to split: no values, or all alike. NaN and
// what is below 0 is skipped.
func Otsu(values []float32) (theta float64, ok bool) {
	var bins [otsuBins]int
	for _, v := range values {
		if v >= 0 {
			bins[bin(v, otsuBins)]++
		}
	}
	return otsu(&bins)
}

const otsuBins = 256

func otsu(bins *[otsuBins]int) (theta float64, ok bool) {
	total, sum := 0.0, 0.0
	for i, n := range bins {
		total += float64(n)
		sum += float64(n) * float64(i)
	}
	below, belowSum, best := 0.0, 0.0, 0.0
	first, last := 0, 0
	for i, n := range bins[:otsuBins-1] {
		below += float64(n)
		belowSum += float64(n) * float64(i)
		above := total - below
		if below == 0 || above == 0 {
			continue
		}
		d := belowSum/below - (sum-belowSum)/above
		between := below * above * d * d
		// An empty stretch between two classes splits equally well at every bin
		// of it; its middle is taken.
		switch {
		case between > best:
			best, first, last = between, i, i
		case between == best && best > 0:
			last = i
		}
	}
	if best == 0 {
		return 0, false
	}
	return (float64(first+last)/2 + 1) / otsuBins, true
}

// bin returns the bin of v among n equal ones over 0 … 1.
func bin(v float32, n int) int {
	return min(max(int(float64(v)*float64(n)), 0), n-1)
}
