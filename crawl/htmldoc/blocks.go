package htmldoc

import (
	"slices"
	"strings"
)

// readBlocks makes blocks of the page's divisions. It counts the direct content of each, drops
// those that only wrap others, and renumbers the blocks of links.
func (l *Layout) readBlocks(t *Tree) {
	all := l.all[:0]
	for i := range t.Divisions {
		all = append(all, Block{Parent: t.Divisions[i].Parent})
	}
	l.all = all
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.IsText && n.Division >= 0 {
			b := &all[n.Division]
			b.Chars += n.Chars
			b.LinkChars += n.LinkChars
		}
	}
	for i := range l.Links {
		if b := l.Links[i].Block; b >= 0 {
			all[b].Links++
		}
	}
	// index[i] is the new index of division i, or of the nearest kept one around
	// it.
	index, nodes := l.index[:0], l.BlockNodes[:0]
	for i := range all {
		b := &all[i]
		parent := int32(-1)
		if b.Parent >= 0 {
			parent = index[b.Parent]
		}
		if b.Chars == 0 && b.Links == 0 {
			index = append(index, parent)
			continue
		}
		b.Parent = parent
		kept := len(nodes)
		index = append(index, int32(kept))
		all[kept] = *b
		nodes = append(nodes, t.Divisions[i].Node)
	}
	l.index, l.BlockNodes = index, nodes
	for i := range l.Links {
		if b := l.Links[i].Block; b >= 0 {
			l.Links[i].Block = index[b]
		}
	}
	l.Blocks = make([]Block, len(nodes)) // the page keeps it
	copy(l.Blocks, all)
	l.nameBlocks(t)
}

// pathLevels is the number of elements in Block.Path.
const pathLevels = 5

// nameBlocks writes the blocks' paths into one string and slices it.
func (l *Layout) nameBlocks(t *Tree) {
	buf, ends := l.buf[:0], l.index[:0]
	for _, node := range l.BlockNodes {
		buf = appendPath(buf, t, node, pathLevels)
		ends = append(ends, int32(len(buf)))
	}
	paths := string(buf)
	from := int32(0)
	for i := range l.Blocks {
		l.Blocks[i].Path = paths[from:ends[i]]
		from = ends[i]
	}
	l.buf, l.index = buf, ends
}

// BlockPath returns the innermost levels of a node's path in the form of Block.Path, at most 5.
func BlockPath(t *Tree, node int32, levels int) string {
	return string(appendPath(nil, t, node, levels))
}

// appendPath appends the innermost levels of a node's path, at most pathLevels.
func appendPath(buf []byte, t *Tree, node int32, levels int) []byte {
	var path [pathLevels]int32
	depth := 0
	for ; node >= 0 && depth < min(levels, len(path)); node = t.Nodes[node].Parent {
		path[depth] = node
		depth++
	}
	for depth--; depth >= 0; depth-- {
		h := t.Nodes[path[depth]].HTML
		buf = append(buf, h.Data[:min(len(h.Data), 32)]...)
		buf = appendClass(buf, Attr(h, "class"))
		if depth > 0 {
			buf = append(buf, '/')
		}
	}
	return buf
}

// BlockAt returns the index of the innermost block around a node, -1 outside
// all.
func (l *Layout) BlockAt(t *Tree, node int32) int32 {
	for ; node >= 0; node = t.Nodes[node].Parent {
		if i, ok := slices.BinarySearch(l.BlockNodes, node); ok {
			return int32(i)
		}
	}
	return -1
}

// appendClass appends "." and the first class, each number in it written as 0.
func appendClass(buf []byte, class string) []byte {
	class = strings.TrimLeft(class, " \t\n")
	if end := strings.IndexAny(class, " \t\n"); end >= 0 {
		class = class[:end]
	}
	if class == "" {
		return buf
	}
	buf = append(buf, '.')
	for i := 0; i < len(class) && i < 40; i++ {
		c := class[i]
		switch {
		case c >= '0' && c <= '9':
			if buf[len(buf)-1] != '0' {
				buf = append(buf, '0')
			}
		case isVisible(c) && c != '/':
			buf = append(buf, c)
		}
	}
	return buf
}
