package linkorder

import (
	"math"
	"sync"
)

// bandit is SB-CLASSIFIER (Gauquier, Manolescu and Senellart, EDBT 2026, arXiv 2602.11874), a sleeping bandit over the
// tag paths of links. Its actions are clusters of similar paths (see tagClusters). To take an action is to fetch one of
// its waiting URLs. An action without any sleeps. AUER (Kleinberg, Niculescu-Mizil and Sharma 2010) values the others:
//
//	s = mean reward + α·√(ln t ÷ n),   α = 2√2
//
// after t requests, n of them of this action. An action that was never taken comes first. A classifier of URLs sends
// predicted targets ahead of all actions, and URLs that will probably fail behind them.
//
// The paper's targets are files, ours are pages with links of their own. The reward of a request is therefore the
// number of targets among the page itself and its new links. It is counted when they are fetched, so a wrong prediction
// earns nothing. A target counts for the first page that linked to it. Failed requests count as taken. Within an action
// the paper draws a URL at random; here the frontier breaks the tie by the order of discovery.
//
// The paper's early stopping is off by default. With tag-path-bandit.stop, a flat curve of targets over requests makes
// the strategy leave out waiting URLs, but not predicted targets (see flatness).
//
// Value takes 0.1 to 0.3 µs. Memory is at most 8 MB.
type bandit struct {
	alpha, stop float64

	mu      sync.RWMutex
	t       int // requests
	tags    tagClusters
	arms    []arm         // by cluster
	fetched recent[int32] // by page: the cluster of the link that led to it
	urls    urlClasses
	curve   flatness
}

// arm counts the requests of an action and their reward.
type arm struct{ n, reward float64 }

// maxFetched is the number of fetched pages remembered for the reward of their links, about 4 MB.
const maxFetched = 1 << 16

func newBandit(p Params) *bandit {
	return &bandit{alpha: p["tag-path-bandit.alpha"], stop: p["tag-path-bandit.stop"],
		tags: newTagClusters(p["tag-path-bandit.similarity"]), fetched: newRecent[int32](maxFetched)}
}

func (*bandit) Name() string { return "tag-path-bandit" }

// The scale of values: ln(1+s) for actions, predicted targets above them, predicted failures below.
const (
	untried     = 8900. // s of an action without requests, and the maximum
	targetFloor = 9.15  // above ln(1+untried)
	failedShift = -20
)

// banditValue is a value with its parts.
type banditValue struct {
	value, bound float64
	cluster      int32
	class        [urlKinds]float64 // probabilities
	kind         urlKind
}

func (b *bandit) valueOf(t *Target) (v banditValue) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	v.cluster, v.bound = b.tags.nearest(linkTags(&t.Inlinks[0])), untried
	if v.cluster >= 0 {
		v.bound = b.arms[v.cluster].bound(b.alpha, b.t)
	}
	v.value = math.Log1p(v.bound)
	switch v.kind, v.class = b.urls.predict(t.URL); v.kind {
	case targetURL:
		v.value = targetFloor + .8*v.class[targetURL]
	case failedURL:
		v.value += failedShift
	}
	return v
}

// bound returns AUER's upper confidence bound of the mean reward, at most untried.
func (a arm) bound(alpha float64, t int) float64 {
	if a.n == 0 {
		return untried
	}
	return min(a.reward/a.n+alpha*math.Sqrt(math.Log(float64(max(t, 1)))/a.n), untried)
}

func (b *bandit) Value(t *Target) float64 {
	if len(t.Inlinks) == 0 {
		return seedValue
	}
	return b.valueOf(t).value
}

// Score names the action, its mean reward and bound, and the probability of the URL's class where that decides.
func (b *bandit) Score(t *Target) Score {
	if len(t.Inlinks) == 0 {
		return seed()
	}
	v := b.valueOf(t)
	terms := []term{{"action", float64(v.cluster + 1)}, {"bound", v.bound}}
	switch v.kind {
	case targetURL:
		terms = append([]term{{"P(target)", v.class[targetURL]}}, terms...)
	case failedURL:
		terms = append([]term{{"P(failure)", v.class[failedURL]}}, terms...)
	}
	return Score{Value: v.value, Terms: terms}
}

// Observe rewards the action that led to the page, and the one that led to the page before it. It returns true after
// every fetch up to 200, then after every tenth.
func (b *bandit) Observe(f *Fetch) (stale bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.t++
	b.curve.add(f.Verdict.Relevant)
	if links := f.Target.inlinks(); len(links) > 0 {
		at := b.cluster(linkTags(&links[0]))
		b.arms[at].n++
		b.fetched.put(f.Target.ID, at)
		if f.Verdict.Relevant {
			b.arms[at].reward++
			if before, ok := b.fetched.get(links[0].Source); ok {
				b.arms[before].reward++
			}
		}
		b.urls.train(f.Target.URL, kindOf(f.Verdict))
	}
	for i := range f.Out {
		if f.Out[i].New {
			b.cluster(linkTags(&f.Out[i].Inlink))
		}
	}
	return b.t <= 200 || b.t%10 == 0
}

// cluster returns the action of a tag path, a new one if no other is similar.
func (b *bandit) cluster(tags uint64) int32 {
	at := b.tags.assign(tags)
	for int(at) >= len(b.arms) {
		b.arms = append(b.arms, arm{})
	}
	return at
}

// Least implements chooser: after an early stop, only predicted targets are fetched.
func (b *bandit) Least() float64 {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.stop > 0 && b.curve.flat(b.stop) {
		return targetFloor
	}
	return 0
}

// flatness watches the slope of the curve of targets over requests: the share of targets in windows of requests,
// smoothed exponentially. The paper's windows of 1,000 requests are as large as our whole sites, so ours are smaller.
type flatness struct {
	requests, targets int
	inWindow          int // targets
	slope             float64
	slopes            [flatWindows]float64 // of the last windows
}

const (
	windowSize  = 50
	flatWindows = 3  // windows in a row below the threshold
	leastFound  = 10 // targets without which a flat curve says nothing
)

func (c *flatness) add(target bool) {
	c.requests++
	if target {
		c.targets++
		c.inWindow++
	}
	if c.requests%windowSize != 0 {
		return
	}
	rate := float64(c.inWindow) / windowSize
	if c.slope = (c.slope + rate) / 2; c.requests == windowSize {
		c.slope = rate
	}
	copy(c.slopes[:], c.slopes[1:])
	c.slopes[flatWindows-1], c.inWindow = c.slope, 0
}

// flat reports whether the curve is flat, once there are windows and targets enough to tell.
func (c *flatness) flat(threshold float64) bool {
	if c.targets < leastFound || c.requests < windowSize*(flatWindows+1) {
		return false
	}
	for _, slope := range c.slopes {
		if slope >= threshold {
			return false
		}
	}
	return true
}
