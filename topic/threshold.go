package topic

// The automatic θ of DESIGN 5: .30 from three samples on; below that Otsu's
// threshold of the background scores, kept within sane bounds.
const (
	thetaSamples = 3
	thetaDefault = .30
	thetaMin     = .25
	thetaMax     = .45
)

// Theta returns the threshold: the analyst's if set, else the automatic one.
func (m *Model) Theta() float64 {
	switch {
	case m.cfg.Theta > 0:
		return m.cfg.Theta
	case len(m.samples) >= thetaSamples || m.otsu == 0:
		return thetaDefault
	}
	return min(max(m.otsu, thetaMin), thetaMax)
}

// LeaveOneOut returns, for each sample in order, the score it gets from a model
// of the others; nil with fewer than two samples. A sample far below the rest
// does not belong to them.
func (m *Model) LeaveOneOut() []float64 {
	if len(m.samples) < 2 {
		return nil
	}
	out := make([]float64, len(m.samples))
	others := make([]Doc, 0, len(m.samples)-1)
	for i := range m.samples {
		others = append(append(others[:0], m.samples[:i]...), m.samples[i+1:]...)
		k := newKernel(m.cfg, weigh(m.cfg, others, m.names, m.bg), m.bg)
		out[i] = k.score(&m.samples[i])
	}
	return out
}

// SampleScores returns the samples' own scores, in order.
func (m *Model) SampleScores() []float64 {
	out := make([]float64, len(m.samples))
	for i := range m.samples {
		out[i] = m.kernel.score(&m.samples[i])
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
		// An empty stretch between two classes splits equally well at every
		// bin of it; its middle is the honest answer.
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
