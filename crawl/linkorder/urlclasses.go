package linkorder

import "math"

// urlKind is what a URL leads to.
type urlKind int

const (
	htmlURL urlKind = iota // a page that is no target
	targetURL
	failedURL // nothing
	urlKinds
)

func kindOf(v Verdict) urlKind {
	switch {
	case v.Relevant:
		return targetURL
	case v.Failed:
		return failedURL
	}
	return htmlURL
}

// urlClasses is SB-CLASSIFIER's online classifier of URLs: a logistic regression with softmax over the counts of
// character pairs. The pairs of seven-bit characters are exact, so it needs no hashing and 200 kB. It predicts htmlURL
// until it has seen enough of a kind.
type urlClasses struct {
	pairs [][urlKinds]float32 // by pair
	seen  [urlKinds]int
}

const (
	urlPairs     = 1 << 14
	maxClassURL  = 256 // bytes read of a URL
	urlRate      = .05
	leastSeen    = 10 // URLs of all kinds before the first prediction, and failures before a failure is predicted
	maxURLWeight = 100
)

// probabilities returns the probability of each kind.
func (c *urlClasses) probabilities(url string) (p [urlKinds]float64) {
	var sum [urlKinds]float32
	for i := 1; i < min(len(url), maxClassURL); i++ {
		w := &c.pairs[pair(url, i)]
		for k := range sum {
			sum[k] += w[k]
		}
	}
	top := max(sum[0], sum[1], sum[2])
	all := 0.0
	for k := range p {
		p[k] = math.Exp(float64(sum[k] - top))
		all += p[k]
	}
	for k := range p {
		p[k] /= all
	}
	return p
}

func pair(url string, i int) int { return int(url[i-1]&127)<<7 | int(url[i]&127) }

// predict returns the kind that is most probable, and the probabilities.
func (c *urlClasses) predict(url string) (urlKind, [urlKinds]float64) {
	if c.seen[htmlURL]+c.seen[targetURL]+c.seen[failedURL] < leastSeen {
		return htmlURL, [urlKinds]float64{1}
	}
	p := c.probabilities(url)
	switch {
	case c.seen[failedURL] >= leastSeen && p[failedURL] > max(p[htmlURL], p[targetURL]):
		return failedURL, p
	case c.seen[targetURL] > 0 && p[targetURL] > p[htmlURL]:
		return targetURL, p
	}
	return htmlURL, p
}

// train learns from one URL of a known kind.
func (c *urlClasses) train(url string, kind urlKind) {
	if c.pairs == nil {
		c.pairs = make([][urlKinds]float32, urlPairs)
	}
	c.seen[kind]++
	p := c.probabilities(url)
	for k := range p {
		p[k] = -p[k]
	}
	p[kind]++
	for i := 1; i < min(len(url), maxClassURL); i++ {
		w := &c.pairs[pair(url, i)]
		for k := range w {
			w[k] = max(-maxURLWeight, min(w[k]+float32(urlRate*p[k]), maxURLWeight))
		}
	}
}
