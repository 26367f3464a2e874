package linkorder

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// ImportantDomain begins the name of a constant that is the weight of an important domain
// (P3 2.3.2, 重要域名): "linear.important edu.cn".
const ImportantDomain = "linear.important "

// commonWeight is the value of such a constant that says: the weight of linear.important.
const commonWeight = -1

// importantWeight names the weight of an important domain that has none of its own.
const importantWeight = "linear.important"

// domains are important domains, the longest first. They are not changed.
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

// of is the weight of a canonical URL or of a host, HOST or HOST:PORT: that of the longest
// important domain that it lies under; 0 outside all. It allocates nothing.
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

// chooser is a Strategy that leaves links out: those whose value is below Least.
type chooser interface {
	Strategy
	Least() float64 // 0 = none is left out
}

// preferrer is a Strategy that prefers some hosts.
type preferrer interface {
	Strategy
	Important(host string) float64 // the weight that it adds; 0 = none
}
