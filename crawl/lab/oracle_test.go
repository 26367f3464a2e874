package lab

import "testing"

func TestOracle(t *testing.T) {
	for _, c := range []struct {
		name string
		web  []string
		want string
	}{
		{"targets first, in order of discovery", []string{"a > b c* d*", "b > e"}, "a c d b e"},
		{"the nearer one of two ways", []string{"a > b c", "b > d", "d > e*", "c > f*"}, "a c f b d e"},
		{"more targets behind it", []string{"a > b c", "b > d*", "c > e* f*"}, "a c e f b d"},
		{"the shorter of two ways to one target", []string{"a > b c", "b > d", "d > e*", "c > x e*"}, "a c e b x d"},
		{"targets that link on", []string{"a > b*", "b > c d*", "c > e"}, "a b d c e"},
		{"no target", []string{"a > b c"}, "a b c"},
		{"a target without links", []string{"a > b", "x* > b"}, "a b"},
		{"a way through a fetched page is no way", []string{"a > b c", "b > a", "c > d", "d > e*"}, "a c d e b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := drawn(t, c.web...)
			if got := names(g, oracleOrder(g)); got != c.want {
				t.Errorf("oracle went %s, want %s", got, c.want)
			}
		})
	}
}

func TestOracleWithoutSeeds(t *testing.T) {
	g := drawn(t, "a* > b")
	g.Seeds = nil
	if got := oracleOrder(g); len(got) != 0 {
		t.Errorf("an oracle without seeds fetched %v", got)
	}
}
