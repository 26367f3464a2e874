package linkorder

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// ImportantDomain is the prefix of constants for the weight of an important domain (P3 2.3.2, 重要域名):
// "linear.important edu.cn".
const ImportantDomain = "linear.important "

// commonWeight stands for the weight of linear.important.
const commonWeight = -1

// importantWeight is the constant for important domains without an own weight.
const importantWeight = "linear.important"

// domains lists important domains, longest first. It is immutable.
type domains []domain

type domain struct {
	name   string
	weight float64
}

func newDomains(p Params) domains {
	var out domains
	for _, key := range slices.Sorted(maps.Keys(p)) {
		name, ok := strings.CutPrefix(key, ImportantDomain)
		if !ok {
			continue
		}
		w := p[key]
		if w == commonWeight {
			w = p[importantWeight]
		}
		out = append(out, domain{name, w})
	}
	slices.SortStableFunc(out, func(a, b domain) int { return cmp.Compare(len(b.name), len(a.name)) })
	return out
}

// of returns the weight of a canonical URL, HOST or HOST:PORT: that of the longest important domain above it, 0 if
// there is none. It does not allocate.
func (d domains) of(url string) float64 {
	if len(d) == 0 {
		return 0
	}
	host := url
	if _, rest, ok := strings.Cut(url, "://"); ok {
		host = rest
	}
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host = host[:i]
	}
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		host = host[:i]
	}
	for _, x := range d {
		if rest, ok := strings.CutSuffix(host, x.name); ok && (rest == "" || rest[len(rest)-1] == '.') {
			return x.weight
		}
	}
	return 0
}

// chooser is a Strategy that leaves out links with a value below Least.
type chooser interface {
	Strategy
	Least() float64 // 0 = leaves out none
}
