package linkorder

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Params holds constants of strategies by name ("shark.delta"). Missing names have their default; nil means all
// defaults.
type Params map[string]float64

// parameter describes one constant.
type parameter struct {
	Name              string // strategy.constant
	Default, Min, Max float64
}

// parameters lists every constant, by strategy. The bounds keep all link values below seedValue.
var parameters = []parameter{
	{"shark.delta", .5, 0, 1},  // δ: how much of a page's score its links inherit
	{"shark.beta", .8, 0, 1},   // β: weight of the anchor text against its context
	{"shark.gamma", .5, 0, 1},  // γ: weight of what is inherited against the neighbourhood
	{"shark.floor", .15, 0, 1}, // a page hands on its own score above this, what it inherited below

	{"block-shark.theta", .5, 0, .66}, // θ: how far a block speaks for its links before any was fetched
	{"block-shark.gamma", .5, 0, 1},   // γ: weight of the block's anchors against its fetched links

	{"block-shark.noise", 1, 0, 1},    // weight of a link in a block that is noise; 1: noise is not asked
	{"block-shark.textsim", .5, 0, 2}, // similarity of anchor and title from which a link is no noise; above 1: unused
	{"block-shark.special", 1, 0, 1},  // 1: a block after words that announce related links is no noise; 0: not asked
	{"block-shark.mu", 1, 0, 16},      // μ: link characters ÷ others above which a page's blocks are not judged

	{"hits.rounds", 6, 1, 50},              // iterations of hubs and authorities
	{"hits.links", 1 << 20, 1000, 1 << 26}, // links remembered, newest first

	{"pagerank.damping", .85, 0, .99},          // d: how often a reader follows a link
	{"pagerank.rounds", 8, 1, 50},              // iterations
	{"pagerank.links", 1 << 20, 1000, 1 << 26}, // links remembered, newest first

	{"linear.anchor", .4, 0, 1},    // weight of the anchor text
	{"linear.url", .3, 0, 1},       // weight of the URL's words
	{"linear.parent", .3, 0, 1},    // weight of the source page
	{"linear.depth", .01, 0, 1},    // cost of a step away from the seeds
	{"linear.important", .3, 0, 1}, // weight of an important domain (crawl.important) that names none
	{"linear.min", 0, 0, 3},        // links worth less are not fetched; 0: all are

	{"tag-path-bandit.alpha", 2 * math.Sqrt2, 0, 100}, // α: how much a rarely tried kind of link is tried
	{"tag-path-bandit.similarity", .75, 0, 1},         // cosine of tag paths from which links are of one kind
	{"tag-path-bandit.stop", 0, 0, 1},                 // targets per request that keep waiting links in; 0: unused

	{"learned.anchor", .4, 0, 1},        // weight of the anchor text in the prior
	{"learned.parent", .3, 0, 1},        // weight of the source page in the prior
	{"learned.url", .3, 0, 1},           // weight of the URL's words in the prior
	{"learned.credit", 1, .01, 1000},    // promises in vain in one place before the prior counts half there
	{"learned.trust", 20, .1, 1000},     // relevant pages after which the model weighs as much as the prior
	{"learned.hub", 1.4, 0, 4},          // weight of the hub value: leading to targets against being one
	{"learned.notice", .3, 0, 1},        // what an announced notice counts; an aggregation page counts 1
	{"learned.links", 10, 1, 1000},      // promising new links that make a full hub
	{"learned.rate", .5, .001, 5},       // AdaGrad step of the logistic regression
	{"learned.l2", 5e-4, 0, .1},         // L2 penalty of the logistic regression
	{"learned.add", .5, .001, 10},       // pseudo-count of naive Bayes
	{"learned.temper", 3, 1, 100},       // naive Bayes log-odds are divided by this
	{"learned.train", 3, 1, MaxInlinks}, // inlinks of a fetched page that are learned from
	{"learned.hosts", 32, 0, 1 << 16},   // hosts learned from above which logistic regression judges alone
}

// strategies holds a constructor of each strategy, simple ones first.
var strategies = []struct {
	name string
	make func(Params) Strategy // takes complete params
}{
	{"bfs", func(Params) Strategy { return bfs{} }},
	{"best-first", func(Params) Strategy { return bestFirst{} }},
	{"shark", func(p Params) Strategy { return newShark(p) }},
	{"block-shark", func(p Params) Strategy { return newBlockShark(p) }},
	{"hits", func(p Params) Strategy { return newHITS(p) }},
	{"pagerank", func(p Params) Strategy { return newPageRank(p) }},
	{"linear", func(p Params) Strategy { return newLinear(p) }},
	{"tag-path-bandit", func(p Params) Strategy { return newBandit(p) }},
	{"learned", func(p Params) Strategy { return newLearned(p) }},
}

// Names lists the strategies, simple ones first.
func Names() []string {
	names := make([]string, len(strategies))
	for i, s := range strategies {
		names[i] = s.name
	}
	return names
}

// New returns the named strategy without knowledge. Params may hold constants of other strategies, so that one set
// serves every switch. It fails for an unknown name or a value out of range, and names the allowed ones.
func New(name string, p Params) (Strategy, error) {
	full, err := p.complete()
	if err != nil {
		return nil, err
	}
	i, err := find(name)
	if err != nil {
		return nil, err
	}
	return strategies[i].make(full), nil
}

// find returns the place of a strategy among strategies.
func find(name string) (int, error) {
	for i := range strategies {
		if strategies[i].name == name {
			return i, nil
		}
	}
	return -1, fmt.Errorf("unknown strategy %q: choose one of %s", name, strings.Join(Names(), ", "))
}

// CheckName returns the error that New returns for a name. It makes no strategy, whose tables take megabytes.
func CheckName(name string) error {
	_, err := find(name)
	return err
}

// Check returns the error that New returns for the params.
func (p Params) Check() error {
	_, err := p.complete()
	return err
}

// complete checks the params and adds the defaults.
func (p Params) complete() (Params, error) {
	full := make(Params, len(parameters))
	for _, d := range parameters {
		full[d.Name] = d.Default
	}
	for _, name := range slices.Sorted(maps.Keys(p)) { // sorted: always the same error
		if domain, ok := strings.CutPrefix(name, ImportantDomain); ok {
			if v := p[name]; v != commonWeight && !(v >= 0 && v <= 1) {
				return nil, fmt.Errorf("the weight of the important domain %s is %v: it goes from 0 to 1", domain, v)
			}
			full[name] = p[name]
			continue
		}
		i := slices.IndexFunc(parameters, func(d parameter) bool { return d.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("unknown link order constant %q: remove it or choose one of %s", name, constants())
		}
		d, v := parameters[i], p[name]
		if !(v >= d.Min && v <= d.Max) { // also rejects NaN
			return nil, fmt.Errorf("link order constant %s is %v: it goes from %v to %v, usually %v", name, v,
				d.Min, d.Max, d.Default)
		}
		full[name] = v
	}
	return full, nil
}

func constants() string {
	names := make([]string, len(parameters))
	for i, d := range parameters {
		names[i] = d.Name
	}
	return strings.Join(names, ", ")
}
