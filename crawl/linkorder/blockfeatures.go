package linkorder

// BlockFeatures are what P4 3.1 asks of a link and its block, as the crawl saw it
// when it found the link: whether the block is noise by its anchors' length, words of
// navigation and foreign addresses, whether a word announces related links,
// whether it is a block of text, how much the anchor is like the page's title, and
// the page's β. Packed into two bytes, because they are stored with every link; 0 is a
// link in a block that is no noise and no text.
type BlockFeatures uint16

const (
	featNoise BlockFeatures = 1 << iota
	featSpecial
	featText
	simShift  = 4 // four bits: fifteenths
	betaShift = 8 // eight bits: sixteenths, 255 for all above
)

// packBlock packs the features of a link. textSim goes from 0 to 1, β from 0 on.
func packBlock(noise, special, text bool, textSim, beta float64) (f BlockFeatures) {
	for i, set := range [...]bool{noise, special, text} {
		if set {
			f |= 1 << i
		}
	}
	if !noise {
		return f // nothing else is asked
	}
	f |= BlockFeatures(unit(textSim)*15+.5) << simShift
	return f | BlockFeatures(unit(beta*16/255)*255+.5)<<betaShift
}

// noise reports whether the block is noise by itself.
func (f BlockFeatures) noise() bool { return f&featNoise != 0 }

// special reports whether words announce related links (P4's Specialwords).
func (f BlockFeatures) special() bool { return f&featSpecial != 0 }

// Text reports whether the block has more text than links.
func (f BlockFeatures) Text() bool { return f&featText != 0 }

// textSim is how much the anchor is like the page's title, 0 … 1; 0 outside noise.
func (f BlockFeatures) textSim() float64 { return float64(f>>simShift&15) / 15 }

// beta is the page's link characters ÷ other characters, at most 15.9; 0 outside noise.
func (f BlockFeatures) beta() float64 { return float64(f>>betaShift) / 16 }

// noiseRule says what a link in a noise block is worth (P4 3.2).
type noiseRule struct{ weight, textSim, special, mu float64 }

func newNoiseRule(p Params) noiseRule {
	return noiseRule{p["block-shark.noise"], p["block-shark.textsim"], p["block-shark.special"], p["block-shark.mu"]}
}

// of is the weight of a link's value. A link whose anchor is like its page's title, one
// that is announced, and one on a page of links (β > μ), the blocks of which P4 does not
// judge, keep it whole.
func (r noiseRule) of(f BlockFeatures) float64 {
	if !f.noise() || f.textSim() >= r.textSim || r.special > 0 && f.special() || f.beta() > r.mu {
		return 1
	}
	return r.weight
}
