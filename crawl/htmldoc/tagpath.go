package htmldoc

import "golang.org/x/net/html"

// maxTagLevels is the number of innermost elements of a tag path that count. Pages of real sites have about 15 levels.
const maxTagLevels = 64

// readTagPaths sketches the tag path of every link, from the root to the anchor, with classes and ids. It costs about
// 5 ns per level of a link.
func (l *Layout) readTagPaths(t *Tree) {
	if cap(l.labels) < len(t.Nodes) {
		l.labels = make([]uint64, len(t.Nodes))
	}
	l.labels = l.labels[:len(t.Nodes)]
	clear(l.labels)
	for i := range t.Refs {
		if node := t.Refs[i].Node; node >= 0 {
			l.Links[i].Tags = l.tagPath(t, node)
		}
	}
}

// tagPath returns the sketch of one element's path. Its 64 bits are a SimHash (Charikar 2002) of the path's pairs of
// neighbours: of paths with cosine c between their pair counts, a share of arccos(c)/π of the bits differs. A path
// begins and ends with a mark, so that its ends count as pairs, too.
func (l *Layout) tagPath(t *Tree, node int32) uint64 {
	var pairs bitCounts
	inner := uint64(1) // the end mark
	for level := 0; node >= 0 && level < maxTagLevels; node, level = t.Nodes[node].Parent, level+1 {
		label := l.labels[node]
		if label == 0 {
			label = tagLabel(t.Nodes[node].HTML)
			l.labels[node] = label
		}
		pairs.add(scramble(label*3 + inner))
		inner = label
	}
	pairs.add(scramble(2*3 + inner))
	return pairs.majority() | 1 // 0 means no path
}

// tagLabel hashes an element's name, classes and id. Runs of digits are equal, because many sites number their rows.
func tagLabel(n *html.Node) uint64 {
	h := labelBytes(14695981039346656037, n.Data)
	for i := range n.Attr {
		if key := n.Attr[i].Key; key == "class" || key == "id" {
			h = labelBytes(h^uint64(len(key)), n.Attr[i].Val)
		}
	}
	return h | 4 // above the marks
}

// labelBytes continues an FNV-1a hash with at most 80 bytes.
func labelBytes(h uint64, s string) uint64 {
	last := byte(0)
	for i := 0; i < len(s) && i < 80; i++ {
		c := s[i]
		if c >= '0' && c <= '9' {
			c = '0'
		}
		if c != '0' || last != '0' {
			h = (h ^ uint64(c)) * 1099511628211
		}
		last = c
	}
	return h
}

// scramble spreads every bit over the word (the finaliser of SplitMix64, Steele, Lea and Flood 2014).
func scramble(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// bitCounts counts how often each of 64 bits was set, at most 127 times. Plane i holds bit i of the 64 counts.
type bitCounts struct {
	planes [7]uint64
	n      int // words added
}

func (c *bitCounts) add(word uint64) {
	c.n++
	for i := range c.planes {
		if word == 0 {
			return
		}
		c.planes[i], word = c.planes[i]^word, c.planes[i]&word
	}
}

// majority returns the bits that were set in more than half of the words.
func (c *bitCounts) majority() uint64 {
	least := c.n/2 + 1
	above, equal := uint64(0), ^uint64(0)
	for i := len(c.planes) - 1; i >= 0; i-- {
		if least>>i&1 == 1 {
			equal &= c.planes[i]
			continue
		}
		above |= equal & c.planes[i]
		equal &^= c.planes[i]
	}
	return above | equal
}
