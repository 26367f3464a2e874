package linkorder

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"angler/crawl/htmldoc"
	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/crawl/view"
)

// BlockFeaturesOf returns the features of a link's block (P4 3.1).
func BlockFeaturesOf(p *page.Page, l *htmldoc.Link) BlockFeatures {
	if l.Block < 0 || int(l.Block) >= len(p.Blocks) {
		return 0
	}
	b := &p.Blocks[l.Block]
	sim := 0.0
	if b.Noise {
		sim = textSim(l.Anchor, cmp.Or(p.Title, p.Head))
	}
	return packBlock(b.Noise, b.Special, b.LinkChars*2 < b.Chars, sim, p.Beta)
}

// LinkFeaturesOf returns the four features of a link by P4 3.2 and those of its block.
func LinkFeaturesOf(p *page.Page, l *htmldoc.Link) *LinkFeatures {
	f := BlockFeaturesOf(p, l)
	return &LinkFeatures{TextLen: utf8.RuneCountInString(l.Anchor), StopWord: htmldoc.IsStopAnchor(l.Anchor),
		StopAddress: urls.HostOf(l.URL) != urls.HostOf(p.URL),
		TextSim:     view.Round(textSim(l.Anchor, cmp.Or(p.Title, p.Head))),
		Special:     f.special(), Noise: f.noise(), Text: f.Text(), Beta: view.Round(p.Beta)}
}

// textSim returns the share of an anchor's character pairs that occur in the page's title, 0 … 1. P4 3.2 names no
// measure. It does not allocate.
func textSim(anchor, title string) float64 {
	in, pairs, last := 0, 0, -1
	for i, r := range anchor {
		if last >= 0 {
			pairs++
			if strings.Contains(title, anchor[last:min(len(anchor), i+utf8.RuneLen(r))]) {
				in++
			}
		}
		last = i
	}
	return float64(in) / float64(max(1, pairs))
}

// LinkFeatures holds the four features of a link by P4 3.2 and those of its block.
type LinkFeatures struct {
	TextLen     int     `json:"text_len"`     // characters of the anchor
	StopWord    bool    `json:"stop_word"`    // starts with a navigation word
	StopAddress bool    `json:"stop_address"` // links to another host
	TextSim     float64 `json:"text_sim"`     // share of its character pairs that the page's title contains
	Special     bool    `json:"special"`      // words before the block announce related links
	Noise       bool    `json:"noise"`        // the block is noise
	Text        bool    `json:"text"`         // the block has more text than links
	Beta        float64 `json:"beta"`         // of the page: link characters ÷ others
}

func (l *LinkFeatures) String() string {
	block := "a block of links"
	switch {
	case l.Text:
		block = "a block of text"
	case l.Noise:
		block = "a block of noise"
	}
	return fmt.Sprintf("TextLen %d, StopWord %t, StopAddress %t, TextSim %.2f; SpecialWords %t, in %s, β of the page %.2f",
		l.TextLen, l.StopWord, l.StopAddress, l.TextSim, l.Special, block, l.Beta)
}
