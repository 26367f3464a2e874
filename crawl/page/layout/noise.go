package layout

import (
	"strings"

	"angler/crawl/page/htmltree"
	"angler/crawl/urls"
)

// stopAnchors are the words of navigation (P4 3.1: 首页 and its kin).
var stopAnchors = []string{"首页", "主页", "登录", "注册", "设为首页", "加入收藏", "联系我们", "网站地图", "English", "更多", "返回", "关于我们", "版权", "友情链接", "帮助"}

// noiseHints introduce lists of links that are noise. P4 3.1 uses such words the
// other way (Specialwords): there they introduce links to pages of their kind.
var noiseHints = []string{"友情链接", "快速链接", "常用链接", "相关链接", "版权所有", "ICP备", "校内链接", "网站导航"}

// linkSums counts the links that stand directly in a block.
type linkSums struct {
	links   int32
	bytes   int32 // of their anchors
	stops   int32 // anchors that begin with a word of navigation
	foreign int32 // links to other hosts
}

// markNoise marks the blocks that are noise by P4's features of a link block:
// anchors shorter than 10 bytes on average, words of navigation, addresses on
// other hosts, words that announce a list of links. What class and id say of the
// block counts, too.
func (l *Layout) markNoise(t *htmltree.Tree) {
	sums := l.sumLinks(t)
	for i := range l.Blocks {
		b, n := &l.Blocks[i], &t.Nodes[l.BlockNodes[i]]
		switch s := &sums[i]; {
		case n.Negative && b.LinkChars*2 >= b.Chars:
			b.Noise = true
		case s.links == 0:
			b.Noise = n.Negative && b.Chars < 200 || shortFurniture(b, n, t)
		case b.LinkChars*2 < b.Chars:
			b.Noise = shortFurniture(b, n, t)
		default:
			b.Noise = linkNoise(s, n, t)
		}
	}
}

// sumLinks counts the links of every block.
func (l *Layout) sumLinks(t *htmltree.Tree) []linkSums {
	sums := make([]linkSums, len(l.Blocks))
	host := urls.HostOf(t.URL)
	for i := range l.Links {
		link := &l.Links[i]
		if link.Block < 0 {
			continue
		}
		s := &sums[link.Block]
		s.links++
		s.bytes += int32(len(link.Anchor))
		for _, w := range stopAnchors {
			if strings.HasPrefix(link.Anchor, w) {
				s.stops++
				break
			}
		}
		if link.URL != "" && urls.HostOf(link.URL) != host {
			s.foreign++
		}
	}
	return sums
}

// shortFurniture reports whether a block is short and begins as the frame of a
// page does.
func shortFurniture(b *Block, n *htmltree.Node, t *htmltree.Tree) bool {
	return b.Chars < 120 && Furniture(t.Text[n.From:min(n.To, n.From+360)])
}

// linkNoise reports whether a block of links is noise.
func linkNoise(s *linkSums, n *htmltree.Node, t *htmltree.Tree) bool {
	short := s.bytes < 15*s.links // P4 says 10 bytes in GBK: five characters
	switch {
	case s.stops > 0 && (short || s.stops*3 >= s.links), s.foreign*2 > s.links && s.links > 2, short && s.links >= 3:
		return true
	}
	head := t.Text[max(0, int(n.From)-40):min(int(n.To), int(n.From)+60)]
	for _, w := range noiseHints {
		if strings.Contains(head, w) {
			return true
		}
	}
	return false
}
