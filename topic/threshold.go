package topic

import (
	"math"
	"slices"
)

const (
	thetaDefault = .30
	thetaMargin  = .01  // above the highest negative sample
	thetaGap     = 1e-4 // closer scores cannot be told apart
)

// rule is the reason of a threshold, as a sentence.
type rule string

// The rules of the automatic θ.
//
// The rule of scheme records depends only on the number of samples: its scores share one scale (see
// spread), and figures on the samples' own site are too high. It was measured over real and
// generated sites with one, two and many samples, of one site or of three. It is as good as or
// better than Otsu's threshold, gaps, and shares of the leave-one-out scores.
//
// If nearly every list of the crawl is near the topic, the topic's words are common and weigh
// little, so scores are low. There the widest gap of the scores is clear and decides (tender sites
// alone: mean F1 .64 → .91, no loss elsewhere). Negative samples reduce weights and hold θ above
// themselves; with them it is .35 (their test on real sites: F1 .736 → .763, with .40 .727).
//
// The papers name no threshold. For tf/idf, whose cosines are all high, halfway between .60 and
// Otsu's threshold of the upper half reached .67 of the best F1. For tf-idf .25, and .20 with one
// sample, reached .79. Norms other than the full cosine keep .30 and, below three samples, Otsu's
// threshold within .25 … .45.
const (
	RuleSet      rule = "set by hand"
	ruleOne      rule = "automatic: .32, for one sample"
	ruleMore     rule = "automatic: .42, for two samples or more"
	ruleAgainst  rule = "automatic: .35, beside negative samples"
	ruleNear     rule = "automatic: the widest gap of the scores, since nearly every list is near the topic"
	ruleHalfway  rule = "automatic: halfway between .60 and Otsu's threshold of the upper half of the scores"
	ruleCosine   rule = "automatic: .25, for this scheme and two samples or more"
	ruleCosine1  rule = "automatic: .20, for this scheme and one sample"
	ruleOtsu     rule = "automatic: Otsu's threshold of the scores, for fewer than three samples"
	ruleFixed    rule = "automatic: .30"
	ruleNegative rule = "automatic: just above the highest negative sample"
	ruleMean     rule = "automatic: that of the centroid, times how alike the samples are"
)

// Theta returns the threshold: the analyst's if set, otherwise the automatic one. Labels that
// contradict the automatic one move it (see WithLabels). Without such a label it lies above every
// negative sample, unless that would lose a sample (see clearOfNegatives). It follows the last
// scores of an Index under the model.
func (m *Model) Theta() float64 {
	theta, _ := m.threshold()
	return theta
}

// ThetaRule returns the reason of θ.
func (m *Model) ThetaRule() rule {
	_, rule := m.threshold()
	return rule
}

func (m *Model) threshold() (float64, rule) {
	if m.cfg.Theta > 0 {
		return m.cfg.Theta, RuleSet
	}
	s := m.seen.Load()
	if s == nil {
		s = &sight{}
	}
	if s.moved > 0 {
		return s.moved, ruleLabels(s.labels)
	}
	return m.unlabelled(s)
}

// unlabelled returns the automatic threshold without labels.
func (m *Model) unlabelled(s *sight) (float64, rule) {
	theta, rule := m.automatic(s)
	if a := m.kernel.alike; a < 1 {
		theta, rule = theta*a, ruleMean
	}
	if m.floor != nil {
		if floor := m.floor(); floor > theta {
			return floor, ruleNegative
		}
	}
	return theta, rule
}

func (m *Model) automatic(s *sight) (float64, rule) {
	few := len(m.samples) < 2
	switch {
	case m.cfg.Norm != NormFull || m.cfg.Scheme == SchemeTF:
		if len(m.samples) < 3 && s.otsu > 0 {
			return min(max(s.otsu, .25), .45), ruleOtsu
		}
		return thetaDefault, ruleFixed
	case m.cfg.Scheme == SchemeTFdivID && s.upper > 0:
		return (.60 + s.upper) / 2, ruleHalfway
	case m.cfg.Scheme == SchemeTFdivID:
		return thetaDefault, ruleFixed
	case m.cfg.Scheme == SchemeTFIDF && few:
		return .20, ruleCosine1
	case m.cfg.Scheme == SchemeTFIDF:
		return .25, ruleCosine
	case s.valley > 0 && m.bg != nil && m.bg.N >= minBackground:
		return s.valley, ruleNear
	case few:
		return .32, ruleOne
	case m.floor != nil:
		return .35, ruleAgainst
	}
	return .42, ruleMore
}

// sight holds what the scores of an index show about the threshold; 0 means nothing.
type sight struct {
	otsu   float64 // Otsu's threshold of all scores
	upper  float64 // the same of the upper half of the pages that pass the gate
	valley float64 // the widest gap, if nearly every list is near the topic
	moved  float64 // the θ for the labels, if one contradicts the rest
	labels int     // labelled pages of the index
}

const (
	sightBins = 1024
	nearTopic = 51. / sightBins  // a list with a lower score is not near the topic,
	farLists  = .1               // and fewer than this share of the lists are such,
	minLists  = 10               // if there are at least so many lists
	valleyTo  = 410. / sightBins // a gap is searched from nearTopic to here,
	leastGap  = 1.3              // and its ends differ by at least this factor
)

// look computes the sight of scores; gated, by slot, is nil where nothing is gated.
func look(values []float32, gated []bool) sight {
	var all [otsuBins]int
	var lists, rest [sightBins]int
	for i, v := range values {
		if v < 0 {
			continue
		}
		b := min(int(v*sightBins), sightBins-1) // because v ≤ 1
		if gated == nil || !gated[i] {
			lists[b]++
		} else {
			rest[b]++
		}
	}
	for b := range lists {
		all[b*otsuBins/sightBins] += lists[b] + rest[b]
	}
	var s sight
	s.otsu, _ = otsu(all[:])
	n, low := 0, 0
	for b, k := range lists {
		n += k
		if b < nearTopic*sightBins {
			low += k
		}
	}
	upper, below := lists, 0
	for b, k := range lists {
		if below+k > n/2 {
			break
		}
		below += k
		upper[b] = 0
	}
	s.upper, _ = otsu(upper[:])
	if n >= minLists && float64(low) < farLists*float64(n) {
		s.valley = valley(&lists)
	}
	return s
}

// valley returns the middle of the widest gap, by the ratio of its ends; 0 if none is wide.
func valley(lists *[sightBins]int) (theta float64) {
	const from, to = int(nearTopic * sightBins), int(valleyTo * sightBins)
	best, last := leastGap, float64(from)
	for b := from; b <= to; b++ {
		if lists[b] == 0 && b < to {
			continue
		}
		if ratio := float64(b) / last; ratio > best {
			best, theta = ratio, math.Sqrt(last*float64(b))/sightBins
		}
		last = float64(b + 1)
	}
	return theta
}

// clearOfNegatives returns the least θ that excludes every negative sample and includes every
// sample: a little above the highest negative sample, at most halfway to the lowest sample. A
// sample counts with its score under a model of the other samples; a single sample counts with its
// own. It returns 0 if the two overlap: then θ could only trade one for the other and stays.
func (m *Model) clearOfNegatives() float64 {
	samples := m.leaveOneOut()
	if samples == nil {
		samples = m.sampleScores()
	}
	negative := slices.Max(m.negativeScores())
	if len(samples) == 0 || negative == 0 {
		return 0
	}
	low := slices.Min(samples)
	if low < negative+thetaGap {
		return 0
	}
	return min(negative+thetaMargin, (negative+low)/2)
}

// scoreLeftOut returns, for each sample in order, its score from a model of the others against the
// same negative samples; nil with fewer than two samples. A sample far below the rest does not
// belong to them.
func (m *Model) scoreLeftOut() []float64 {
	if len(m.samples) < 2 {
		return nil
	}
	return eachWithout(m.samples, func(d *Doc, others []Doc) float64 {
		return m.scoreUnder(d, others, m.negative)
	})
}

// negativeLeaveOneOut returns, for each negative sample in order, its score from a model without
// it: the score of a similar page.
func (m *Model) negativeLeaveOneOut() []float64 {
	return eachWithout(m.negative, func(d *Doc, others []Doc) float64 {
		return m.scoreUnder(d, m.samples, others)
	})
}

// scoreUnder returns d's score under a model of other samples and negative
// samples.
func (m *Model) scoreUnder(d *Doc, samples, negative []Doc) float64 {
	var unlike [][]int
	if m.groups != nil {
		unlike = m.cfg.parted(kinds(samples, m.kernel.field, m.bg))
	}
	rows, apart := weigh(m.cfg, samples, negative, unlike, m.names, m.bg)
	k := newKernel(m.cfg, rows, apart, m.bg, m.kernel.gate)
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

// sampleScores returns the samples' own scores, in order.
func (m *Model) sampleScores() []float64 { return m.scores(m.samples) }

// negativeScores returns the negative samples' own scores, in order.
func (m *Model) negativeScores() []float64 { return m.scores(m.negative) }

func (m *Model) scores(docs []Doc) []float64 {
	out := make([]float64, len(docs))
	for i := range docs {
		out[i] = m.kernel.score(&docs[i])
	}
	return out
}

const otsuBins = 256

// otsu returns the threshold that splits a histogram of values within 0 … 1 into two classes with
// the greatest variance between them (Otsu 1979). ok is false if fewer than two bins have values.
func otsu(bins []int) (theta float64, ok bool) {
	total, sum := 0.0, 0.0
	for i, n := range bins {
		total += float64(n)
		sum += float64(n) * float64(i)
	}
	below, belowSum, best := 0.0, 0.0, 0.0
	first, last := 0, 0
	for i, n := range bins[:len(bins)-1] {
		below += float64(n)
		belowSum += float64(n) * float64(i)
		above := total - below
		if below == 0 || above == 0 {
			continue
		}
		d := belowSum/below - (sum-belowSum)/above
		between := below * above * d * d
		// An empty stretch between two classes splits equally well at each of its bins; its middle is
		// taken.
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
	return (float64(first+last)/2 + 1) / float64(len(bins)), true
}

// bin returns the bin of v among n equal ones over 0 … 1.
func bin(v float32, n int) int {
	return min(max(int(float64(v)*float64(n)), 0), n-1)
}
