package dict

import (
	"fmt"
	"strings"
)

// DefaultPatterns are the twenty most frequent nominal patterns of four THUOCL word lists
// (computing, finance, law, medicine) as our dictionary cuts and tags them. P2 2.3.2 found its
// table 1 for oil and gas in the same way. Patterns with a plain verb (v+n: 采购项目, but also
// 发布公告) would find half as many more and twice the noise; an analyst can add them
// (terms.patterns).
var DefaultPatterns = []string{
	"n+n", "n+n+n", "ns+n", "n+vn", "ns+n+n", "nz+n", "n+vn+n", "ns+n+n+n", "vn+n", "n+n+vn+n",
	"b+n", "n+n+n+n", "n+n+vn", "ns+n+vn+n", "j+n", "l+n", "n+nz", "nz+n+n", "vn+n+n", "nt+n",
}

// The methods of finding candidates in P2 3.4.
const (
	Ruled = "ruled" // patterns from word lists of the field (P2 2.3.2)
	Loose = "loose" // (adjective | noun)⁺ noun, the filter of the C-value's authors (Frantzi 1999)
)

// Patterns returns the patterns of a method; for Ruled, own patterns replace DefaultPatterns.
func Patterns(method string, own []string) ([]string, error) {
	switch {
	case method == Loose:
		return loosePatterns(), nil
	case method != Ruled:
		return nil, fmt.Errorf("method %q is neither %s nor %s", method, Ruled, Loose)
	case len(own) == 0:
		return DefaultPatterns, nil
	}
	_, err := compile(own)
	return own, err
}

// loosePatterns are the runs of two to five adjectives and nouns that end in a noun. Adjectives are
// a, ad, an, and b, which only precedes nouns. Nouns are n, nr, ns …, and vn, verbs as nouns.
func loosePatterns() []string {
	nouns, before := []string{"n*", "vn"}, []string{"n*", "vn", "a*", "b"}
	var all []string
	runs := before
	for range maxSegments - 1 {
		var longer []string
		for _, run := range runs {
			for _, tag := range nouns {
				all = append(all, run+"+"+tag)
			}
			for _, tag := range before {
				longer = append(longer, run+"+"+tag)
			}
		}
		runs = longer
	}
	return all
}

// Bounds of a pattern.
const (
	minSegments = 2
	maxSegments = 5
	maxPatterns = 1000
)

// node is a place in the tree of patterns.
type node struct {
	edges []edge
	end   bool // a pattern ends here
}

type edge struct {
	tag    string
	prefix bool // tag matches every tag that begins with it
	to     *node
}

func compile(patterns []string) (*node, error) {
	if len(patterns) > maxPatterns {
		return nil, fmt.Errorf("%d part-of-speech patterns, at most %d are allowed", len(patterns), maxPatterns)
	}
	root := &node{}
	for _, p := range patterns {
		tags := strings.Split(strings.ReplaceAll(p, " ", ""), "+")
		if len(tags) < minSegments || len(tags) > maxSegments {
			return nil, fmt.Errorf("part-of-speech pattern %q has %d parts, want %d to %d like n+vn+n", p, len(tags),
				minSegments, maxSegments)
		}
		at := root
		for _, tag := range tags {
			name, prefix := strings.CutSuffix(tag, "*")
			if name == "" || strings.ContainsFunc(name,
				func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }) {
				return nil, fmt.Errorf("part-of-speech pattern %q: %q is no tag; write tags like n, vn or n*", p, tag)
			}
			at = at.to(name, prefix)
		}
		at.end = true
	}
	return root, nil
}

// to returns the node after an edge, and adds it if needed.
func (n *node) to(tag string, prefix bool) *node {
	for _, e := range n.edges {
		if e.tag == tag && e.prefix == prefix {
			return e.to
		}
	}
	e := edge{tag, prefix, &node{}}
	n.edges = append(n.edges, e)
	return e.to
}

// termStep appends to out the nodes that tag leads to, and reports whether a pattern
// ends at one of them.
func termStep(from []*node, tag string, out []*node) (_ []*node, end bool) {
	for _, n := range from {
		for _, e := range n.edges {
			if e.tag == tag || e.prefix && strings.HasPrefix(tag, e.tag) {
				out = append(out, e.to)
				end = end || e.to.end
			}
		}
	}
	return out, end
}
