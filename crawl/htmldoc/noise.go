package htmldoc

import (
	"angler/crawl/urls"
)

// stopAnchors are words of navigation (P4 3.1: 首页 and similar).
var stopAnchors = NewWordSet("首页", "主页", "登录", "注册", "设为首页", "加入收藏", "联系我们", "网站地图", "English", "更多", "返回", "关于我们",
	"版权", "友情链接", "帮助")

// noiseHints introduce lists of links that are noise.
var noiseHints = NewWordSet("友情链接", "快速链接", "常用链接", "版权所有", "ICP备", "校内链接", "网站导航")

// specialWords announce links to pages of the same kind (P4 3.1, Specialwords).
var specialWords = NewWordSet("相关链接", "相关主题", "相关文章", "相关新闻", "相关阅读", "相关报道", "相关公告", "相关信息", "更多信息")

// linkSums counts the direct links of a block.
type linkSums struct {
	links   int32
	bytes   int32 // of their anchors
	stops   int32 // anchors that begin with a word of navigation
	foreign int32 // links to other hosts
}

// markNoise marks the noise blocks by P4's features of a link block: anchors shorter than 10 bytes
// on average, words of navigation, addresses on other hosts, words that announce a list of links.
// The class and id of the block count, too.
func (l *Layout) markNoise(t *Tree) {
	sums := l.sumLinks(t)
	for i := range l.Blocks {
		b, n := &l.Blocks[i], &t.Nodes[l.BlockNodes[i]]
		b.Special = sums[i].links > 0 && b.LinkChars*2 >= b.Chars && specialWords.In(headOf(n, t))
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
func (l *Layout) sumLinks(t *Tree) []linkSums {
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
		if IsStopAnchor(link.Anchor) {
			s.stops++
		}
		if link.URL != "" && urls.HostOf(link.URL) != host {
			s.foreign++
		}
	}
	return sums
}

// shortFurniture reports whether a block is short and begins like furniture.
func shortFurniture(b *Block, n *Node, t *Tree) bool {
	return b.Chars < 120 && IsFurniture(t.Text[n.From:min(n.To, n.From+360)])
}

// linkNoise reports whether a block of links is noise.
func linkNoise(s *linkSums, n *Node, t *Tree) bool {
	short := s.bytes < 15*s.links // P4 says 10 bytes in GBK: five characters
	switch {
	case s.stops > 0 && (short || s.stops*3 >= s.links), s.foreign*2 > s.links && s.links > 2, short && s.links >= 3:
		return true
	}
	return noiseHints.In(headOf(n, t))
}

// headOf returns the text before a block and at its beginning.
func headOf(n *Node, t *Tree) string {
	return t.Text[max(0, int(n.From)-40):min(int(n.To), int(n.From)+60)]
}

// IsStopAnchor reports whether an anchor begins with a word of navigation.
func IsStopAnchor(anchor string) bool { return stopAnchors.begin(anchor) }
