package topic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestSitesAreRegistrableDomains(t *testing.T) {
	var u siteUse
	number := map[string]uint16{}
	for _, c := range []struct{ url, site string }{
		{"http://www.x.edu.cn/list.htm", "x.edu.cn"},
		{"https://cs.x.edu.cn:8443/?a=1", "x.edu.cn"},
		{"http://y.edu.cn", "y.edu.cn"},
		{"http://cgzx.jiangting.test/zbgg/list.htm", "jiangting.test"},
		{"http://www.jiangting.test/", "jiangting.test"},
		{"http://192.0.2.7/a", "192.0.2.7"},
		{"http://192.0.2.8/a", "192.0.2.8"},
		{"http://[2001:db8::7]:80/a", "2001:db8::7"},
		{"http://localhost/", "localhost"},
		{"http://edu.cn/", "edu.cn"},
		{"", ""},
	} {
		if got := Registrable(hostOf(c.url)); got != c.site {
			t.Errorf("%s is of the site %q, want %q", c.url, got, c.site)
		}
		got := u.site(c.url)
		if want, known := number[c.site]; known && got != want {
			t.Errorf("%s has the number %d, others of its site %d", c.url, got, want)
		}
		number[c.site] = got
	}
	if len(u.pages) != len(number) {
		t.Errorf("%d sites, want %d", len(u.pages), len(number))
	}
}

// TestSpreadAgainstTheFormulas counts random pages on random sites and compares with plain sums.
func TestSpreadAgainstTheFormulas(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		sites, words := 1+r.IntN(9), 30
		var u siteUse
		pages, df := 0, make([]uint32, words)
		n, holding := make([]float64, sites), map[[2]int]float64{}
		for range 50 + r.IntN(300) {
			k := int(r.Float64() * r.Float64() * float64(sites))
			site := u.site(fmt.Sprintf("http://www.s%d.test/%d", k, pages))
			u.page(site)
			pages++
			n[k]++
			for w := range words {
				if r.IntN(w+1) == 0 || w%sites == k && r.IntN(3) == 0 {
					u.Word(uint32(w), site)
					df[w]++
					holding[[2]int{w, k}]++
				}
			}
		}
		s := u.spread(pages, df)
		table, rest := s.Weights()
		for w := range words {
			sum, squares, h := 0.0, 0.0, 0.0
			mean := (float64(df[w]) + 1) / (float64(pages) + 1)
			for k := range sites {
				if n[k] == 0 {
					continue
				}
				a := (holding[[2]int{w, k}] + 10*mean) / (n[k] + 10)
				sum, squares, h = sum+a, squares+a*a, h+1
			}
			g := -math.Log(math.Sqrt(squares / h))
			if h > 1 {
				g *= (1 - squares/(sum*sum)) / (1 - 1/h)
			}
			got := s.usage(uint32(w))
			if df[w] > 0 && (math.Abs(float64(table[w])-g) > 1e-5 || math.Abs(got.Share-math.Sqrt(squares/h)) > 1e-5 || math.Abs(got.Users-sum*sum/squares) > 1e-4) {
				t.Errorf("seed %d, word %d: weight %v %+v, want %v", seed, w, table[w], got, g)
			}
			if !(table[w] >= 0) || !(rest >= 0) {
				t.Errorf("seed %d: weights %v, %v", seed, table[w], rest)
			}
		}
		if s.Sites() < 1 || s.Sites() > sites {
			t.Errorf("%d sites", s.Sites())
		}
	}
}

// TestPairTableCountsBeyondItsBits counts one key past 16 bits, and many keys.
func TestPairTableCountsBeyondItsBits(t *testing.T) {
	var p pairTable
	for range 200_000 {
		p.add(7)
	}
	for key := range uint64(5000) {
		p.add(key << 16)
	}
	got := map[uint64]uint32{}
	p.each(func(key uint64, n uint32) { got[key] = n })
	if len(got) != 5001 || got[7] != 200_000 || got[0] != 1 || got[4999<<16] != 1 {
		t.Errorf("%d keys, %d times 7", len(got), got[7])
	}
}
