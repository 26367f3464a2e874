package linkorder

import (
	"math"
	"testing"
)

// One feature and the three of the scores, learned once as a target and once as
// none, by hand.
func TestModelByHand(t *testing.T) {
	full, _ := Params(nil).complete()
	m := newModel(full)
	at := []uint32{11, 12, 13, 14}

	if p, h := m.predict(at, false); p != .5 || h != .5 {
		t.Fatalf("knows %v and %v before anything was learned", p, h)
	}
	m.train(isTarget, at, 1)
	// g = 1 − .5; w = .5·g/(g + .1)
	w := .5 * .5 / .6
	lr := 1 / (1 + math.Exp(-4*w))
	// N₁ = 2, N₀ = 1; each feature: ln((1.5/3) ÷ (.5/2))
	nb := 1 / (1 + math.Exp(-(math.Log(2)+4*math.Log(2))/3))
	p, h := m.predict(at, false)
	if math.Abs(p-(lr+nb)/2) > 1e-6 || h != .5 {
		t.Errorf("P is %v, want %v; hub is %v, want .5", p, (lr+nb)/2, h)
	}
	if p, _ := m.predict(at, true); math.Abs(p-lr) > 1e-6 {
		t.Errorf("regression alone says %v, want %v", p, lr)
	}

	m.train(isTarget, at, 0)
	g := -lr - .0005*w
	w += .5 * g / (math.Sqrt(.25+g*g) + .1)
	lr = 1 / (1 + math.Exp(-4*w))
	// N₁ = N₀ = 2 and every feature was met once with each
	if p, _ := m.predict(at, false); math.Abs(p-(lr+.5)/2) > 1e-6 {
		t.Errorf("P is %v, want %v", p, (lr+.5)/2)
	}

	m.train(isHub, at, .4) // no hub for naive Bayes, .4 for regression
	w = .5 * -.1 / (.1 + .1)
	lr = 1 / (1 + math.Exp(-4*w))
	nb = 1 / (1 + math.Exp((math.Log(2)+4*math.Log(2))/3))
	if _, h := m.predict(at, false); math.Abs(h-(lr+nb)/2) > 1e-6 {
		t.Errorf("hub is %v, want %v", h, (lr+nb)/2)
	}
}
