package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// blockElement tells which elements divide a page (P4 3.3: table, div and
// their kin).
func blockElement(tag atom.Atom) bool {
	switch tag {
	case atom.Table, atom.Div, atom.Section, atom.Ul, atom.Ol, atom.Dl, atom.Form, atom.Article, atom.Nav, atom.Aside,
		atom.Header, atom.Footer, atom.Main, atom.Body, atom.Frameset, atom.Iframe, atom.Center, atom.Fieldset:
		return true
	}
	return false
}

// addBlock opens a block for an element that divides the page. A table cell
// divides it only where cells hold other blocks: layout tables do, data tables
// stay whole.
func (b *builder) addBlock(i int32, h *html.Node) {
	n := &b.nodes[i]
	if !blockElement(n.tag) {
		if n.tag != atom.Td || !holdsBlock(h) {
			return
		}
	}
	if len(b.blocks) >= maxBlocks {
		b.limit("blocks", maxBlocks)
		return
	}
	b.blocks = append(b.blocks, Block{Parent: n.block})
	b.blockNodes = append(b.blockNodes, i)
	n.block = int32(len(b.blocks) - 1)
}

func holdsBlock(h *html.Node) bool {
	for c := h.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && blockElement(c.DataAtom) {
			return true
		}
	}
	return false
}

// finishBlocks counts what stands directly in each block, drops the blocks
// that only wrap others, and judges the rest.
func (t *tree) finishBlocks() []Block {
	for i := range t.nodes {
		if n := &t.nodes[i]; n.text && n.block >= 0 {
			blk := &t.blocks[n.block]
			blk.Chars += n.chars
			blk.LinkChars += n.linkChars
		}
	}
	for i := range t.links {
		if b := t.links[i].Block; b >= 0 {
			t.blocks[b].Links++
		}
	}
	// renumber: keep[i] is the new index of block i, or of the nearest kept
	// block around it
	keep := t.keep[:0]
	kept := int32(0)
	for i := range t.blocks {
		b := &t.blocks[i]
		parent := int32(-1)
		if b.Parent >= 0 {
			parent = keep[b.Parent]
		}
		if b.Chars == 0 && b.Links == 0 {
			keep = append(keep, parent)
			continue
		}
		b.Parent = parent
		keep = append(keep, kept)
		t.blocks[kept] = *b
		t.blockNodes[kept] = t.blockNodes[i]
		kept++
	}
	t.keep = keep
	for i := range t.links {
		if b := t.links[i].Block; b >= 0 {
			t.links[i].Block = keep[b]
		}
	}
	t.blocks, t.blockNodes = t.blocks[:kept], t.blockNodes[:kept]
	blocks := make([]Block, kept)
	copy(blocks, t.blocks)
	t.nameBlocks(blocks)
	t.judgeBlocks(blocks)
	return blocks
}

// nameBlocks writes the blocks' paths into one string and cuts it up.
func (t *tree) nameBlocks(blocks []Block) {
	buf := t.scratch[:0]
	ends := t.keep[:0]
	for i := range blocks {
		var path [5]int32
		depth := 0
		for n := t.blockNodes[i]; n >= 0 && depth < len(path); n = t.nodes[n].parent {
			path[depth] = n
			depth++
		}
		for depth--; depth >= 0; depth-- {
			n := &t.nodes[path[depth]]
			buf = append(buf, n.html.Data[:min(len(n.html.Data), 32)]...)
			buf = appendClass(buf, attr(n.html, "class"))
			if depth > 0 {
				buf = append(buf, '/')
			}
		}
		ends = append(ends, int32(len(buf)))
	}
	all := string(buf)
	from := int32(0)
	for i := range blocks {
		blocks[i].Path = all[from:ends[i]]
		from = ends[i]
	}
	t.scratch, t.keep = buf, ends
}

// appendClass appends "." and the first class, digits masked, cleaned.
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
		case plainText[c] && c != '/':
			buf = append(buf, c)
		}
	}
	return buf
}

// stopAnchors are the words of navigation (P4 3.1: 首页 and its kin).
var stopAnchors = []string{"首页", "主页", "登录", "注册", "设为首页", "加入收藏", "联系我们", "网站地图", "English", "更多", "返回", "关于我们", "版权", "友情链接", "帮助"}

// hintWords introduce links to pages of their own kind (P4 3.1, Specialwords:
// the opposite of a stop word); navHints those that are noise.
var navHints = []string{"友情链接", "快速链接", "常用链接", "相关链接", "版权所有", "ICP备", "校内链接", "网站导航"}

// judgeBlocks marks noise by P4's features of a link block: anchors shorter
// than 10 bytes on average, stop words, addresses on other hosts, words that
// announce a link list; plus what class and id say.
func (t *tree) judgeBlocks(blocks []Block) {
	type sums struct{ bytes, stops, foreign, links int32 }
	s := make([]sums, len(blocks))
	host := hostOf(t.url)
	for i := range t.links {
		l := &t.links[i]
		if l.Block < 0 {
			continue
		}
		b := &s[l.Block]
		b.links++
		b.bytes += int32(len(l.Anchor))
		for _, w := range stopAnchors {
			if strings.HasPrefix(l.Anchor, w) {
				b.stops++
				break
			}
		}
		if l.URL != "" && hostOf(l.URL) != host {
			b.foreign++
		}
	}
	for i := range blocks {
		b, n := &blocks[i], &t.nodes[t.blockNodes[i]]
		if n.negative && b.LinkChars*2 >= b.Chars {
			b.Noise = true
			continue
		}
		k := s[i]
		if k.links == 0 {
			b.Noise = n.negative && b.Chars < 200 || b.Chars < 120 && furniture(t.text[n.from:min(n.to, n.from+360)])
			continue
		}
		if b.LinkChars*2 < b.Chars {
			b.Noise = b.Chars < 120 && furniture(t.text[n.from:min(n.to, n.from+360)])
			continue
		}
		short := k.bytes < 15*k.links // P4 says 10 bytes in GBK: five characters
		switch {
		case k.stops > 0 && (short || k.stops*3 >= k.links):
			b.Noise = true
		case k.foreign*2 > k.links && k.links > 2:
			b.Noise = true
		case short && k.links >= 3:
			b.Noise = true
		default:
			from := max(0, int(n.from)-40)
			head := t.text[from:min(int(n.to), int(n.from)+60)]
			for _, w := range navHints {
				if strings.Contains(head, w) {
					b.Noise = true
				}
			}
		}
	}
}

// hostOf returns the host of a canonical URL.
func hostOf(u string) string {
	if i := strings.Index(u, "://"); i >= 0 {
		u = u[i+3:]
		if j := strings.IndexByte(u, '/'); j >= 0 {
			return u[:j]
		}
	}
	return u
}
