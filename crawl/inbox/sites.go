package inbox

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"
)

// sites holds the display name of each site and the suffix of its titles.
type sites map[string]site

type site struct{ name, tail string }

func (s sites) of(h *NoticeHead) (name string, cut int) {
	x := s[h.Host]
	if x.tail != "" && len(h.Title) > len(x.tail) && strings.HasSuffix(h.Title, x.tail) {
		return x.name, len(h.Title) - len(x.tail)
	}
	return x.name, len(h.Title)
}

// sitesOf names the sites of notices. The name is the suffix of its titles if that is short and no
// other site has it. Otherwise it is the host without common parts. Names are unique.
func sitesOf(heads []*NoticeHead) sites {
	titles := map[string][]string{}
	for _, h := range heads {
		if t := titles[h.Host]; len(t) < sampledTitles {
			titles[h.Host] = append(t, h.Title)
		}
	}
	out := make(sites, len(titles))
	for host, list := range titles {
		out[host] = site{tail: tailOf(list)}
	}
	taken := map[string]bool{}
	for _, name := range []func(host string) string{func(h string) string { return nameIn(out[h].tail) }, shortHost,
		longHost, func(h string) string { return h }} {
		count := map[string]int{}
		for host, x := range out {
			if x.name == "" {
				count[name(host)]++
			}
		}
		for host, x := range out {
			if n := name(host); x.name == "" && n != "" && count[n] == 1 && !taken[n] {
				x.name = n
				out[host] = x
			}
		}
		for _, x := range out {
			taken[x.name] = true
		}
	}
	return out
}

const (
	sampledTitles = 40 // titles of a site that are compared
	fewTitles     = 3  // fewer titles give no suffix
	maxName       = 16 // of a site's name, in runes
)

// separators separate a title from the name of its site.
const separators = "-_|–—－｜_·"

// tailOf returns the common suffix of a site's titles, with its separator; "" if there is none.
func tailOf(titles []string) string {
	if len(titles) < fewTitles {
		return ""
	}
	count := map[string]int{}
	for _, t := range titles {
		for i, r := range t {
			if i > 0 && strings.ContainsRune(separators, r) {
				count[strings.TrimLeft(t[i:], " ")]++
			}
		}
	}
	best := ""
	for tail, n := range count {
		if n*5 >= len(titles)*4 && (len(tail) > len(best) || len(tail) == len(best) && tail < best) &&
			utf8.RuneCountInString(tail) > 2 {
			best = tail
		}
	}
	return best
}

// nameIn returns the name in a suffix: its last part, if that is short.
func nameIn(tail string) string {
	parts := strings.FieldsFunc(tail, func(r rune) bool { return strings.ContainsRune(separators, r) })
	for _, p := range slices.Backward(parts) {
		p = strings.TrimFunc(p, unicode.IsSpace)
		if n := utf8.RuneCountInString(p); n >= 2 && n <= maxName {
			return p
		}
	}
	return ""
}

// shortHost returns ntu for www.ntu.edu.cn and for ztb.ntu.edu.cn.
func shortHost(host string) string {
	bare := withoutPort(host)
	suffix, _ := publicsuffix.PublicSuffix(bare)
	name := strings.TrimSuffix(strings.TrimSuffix(bare, suffix), ".")
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	if name == "" || bare == suffix || name[0] <= '9' {
		return longHost(host)
	}
	return name
}

// longHost returns ztb.ntu for ztb.ntu.edu.cn. A numeric address stays whole.
func longHost(host string) string {
	bare := withoutPort(host)
	suffix, _ := publicsuffix.PublicSuffix(bare)
	name := strings.TrimPrefix(strings.TrimSuffix(strings.TrimSuffix(bare, suffix), "."), "www.")
	if name == "" || strings.Trim(bare, "0123456789.:[]") == "" {
		return host
	}
	return name + host[len(bare):]
}

func withoutPort(host string) string {
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		return host[:i]
	}
	return host
}
