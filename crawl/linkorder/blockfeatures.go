package linkorder

// BlockFeatures holds the features of a link and its block (P4 3.1) at the time the link was found. Noise follows
// from anchor length, navigation words and foreign addresses. Further features are special words, text blocks, the
// similarity of anchor and page title, and the page's β. They take two bytes, because they are stored with every
// link. 0 means a block of neither noise nor text.
type BlockFeatures uint16

const (
	featNoise BlockFeatures = 1 << iota
	featSpecial
	featText
	simShift  = 4 // four bits: fifteenths
	betaShift = 8 // eight bits: sixteenths; 255 = larger
)

// packBlock packs the features of a link; 0 ≤ textSim ≤ 1, β ≥ 0.
func packBlock(noise, special, text bool, textSim, beta float64) (f BlockFeatures) {
	for i, set := range [...]bool{noise, special, text} {
		if set {
			f |= 1 << i
		}
	}
	if !noise {
		return f // only noise needs the rest
	}
	f |= BlockFeatures(unit(textSim)*15+.5) << simShift
	return f | BlockFeatures(unit(beta*16/255)*255+.5)<<betaShift
}

// noise reports whether the block's own features mark it as noise.
func (f BlockFeatures) noise() bool { return f&featNoise != 0 }

// special reports whether words announce related links (P4's Specialwords).
func (f BlockFeatures) special() bool { return f&featSpecial != 0 }

// Text reports whether the block has more text than links.
func (f BlockFeatures) Text() bool { return f&featText != 0 }

// textSim returns the similarity of anchor and page title, 0 … 1; 0 outside noise.
func (f BlockFeatures) textSim() float64 { return float64(f>>simShift&15) / 15 }

// beta returns the page's link characters ÷ other characters, at most 15.9; 0 outside noise.
func (f BlockFeatures) beta() float64 { return float64(f>>betaShift) / 16 }

// noiseRule weighs links in noise blocks (P4 3.2).
type noiseRule struct{ weight, textSim, special, mu float64 }

func newNoiseRule(p Params) noiseRule {
	return noiseRule{p["block-shark.noise"], p["block-shark.textsim"], p["block-shark.special"], p["block-shark.mu"]}
}

// of returns the weight of a link's value. Weight 1 goes to links outside noise, links similar to the page title,
// announced links, and pages of links (β > μ), whose blocks P4 does not judge.
func (r noiseRule) of(f BlockFeatures) float64 {
	if !f.noise() || f.textSim() >= r.textSim || r.special > 0 && f.special() || f.beta() > r.mu {
		return 1
	}
	return r.weight
}
