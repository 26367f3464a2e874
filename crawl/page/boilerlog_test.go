package page

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Whatever comes and goes: the log says of every link whether the verdict on it is another
// than at any earlier moment.
func TestEveryVerdictIsLogged(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	var b Boilerplate
	type moment struct {
		version  int
		repeated map[uint32]bool
		tail     string
	}
	verdicts := func() moment {
		m := moment{b.Version(), map[uint32]bool{}, b.tail}
		f := b.verdicts()
		for h := range uint32(60) {
			m.repeated[h] = f.repeated(b.targets[h])
		}
		return m
	}
	var all []moment
	changed := 0
	for i := range 400 {
		all = append(all, verdicts())
		s := sampled{SampledPage: SampledPage{Key: rng.Uint64() % 500, ID: uint64(i)}}
		for h := range uint32(60) {
			if rng.Uint32()%60 > h {
				s.targets = append(s.targets, h)
			}
		}
		s.lines, s.tails = s.targets, []string{fmt.Sprint("-tail", rng.IntN(2))}
		b.mu.Lock()
		b.take(s)
		b.mu.Unlock()
		now := verdicts()
		was := all[rng.IntN(len(all))]
		c := b.Changes(was.version, was.version)
		told := map[uint32]bool{}
		for _, x := range c.targets {
			if told[x.target] || x.repeated != now.repeated[x.target] {
				t.Fatalf("round %d: link %d is told twice, or as repeated %v", i, x.target, x.repeated)
			}
			told[x.target] = true
		}
		for h, yes := range now.repeated {
			if (yes != was.repeated[h]) != told[h] {
				t.Fatalf("round %d: link %d was repeated %v, is %v, and a change is told: %v", i, h, was.repeated[h], yes, told[h])
			}
		}
		if c.tail != (was.tail != now.tail) {
			t.Fatalf("round %d: the ending was %q, is %q, told %v", i, was.tail, now.tail, c.tail)
		}
		changed += len(c.targets)
	}
	if changed < 100 {
		t.Errorf("only %d verdicts changed", changed)
	}
}
