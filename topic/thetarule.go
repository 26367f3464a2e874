package topic

// Rule is the reason of a threshold, as a sentence.
type Rule string

// The rules of θ.
const (
	RuleSet      Rule = "set by hand"
	RuleFixed    Rule = "automatic: .30"
	RuleOtsu     Rule = "automatic: Otsu's threshold of the scores, for fewer than three samples"
	RuleNegative Rule = "automatic: just above the highest negative sample"
)

// ThetaRule says why θ is what it is.
func (m *Model) ThetaRule() Rule {
	without := *m
	without.floor = nil
	switch {
	case m.cfg.Theta > 0:
		return RuleSet
	case m.Theta() > without.Theta():
		return RuleNegative
	case len(m.samples) < thetaSamples && m.otsu > 0:
		return RuleOtsu
	}
	return RuleFixed
}
