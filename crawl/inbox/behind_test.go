package inbox

import (
	"testing"

	"angler/store"
)

// A page stands behind the list whose pager leads to it, also where another link to it was
// found before: its notices count with the list.
func TestAPageStandsBehindItsFirstPager(t *testing.T) {
	pager := store.Hints{Pager: true}
	for name, c := range map[string]struct {
		u    *store.URL
		want uint64
	}{
		"unknown":       {nil, 0},
		"seed":          {&store.URL{Hints: pager}, 0},
		"pager":         {&store.URL{Source: 3, Hints: pager}, 3},
		"no pager":      {&store.URL{Source: 3, More: []store.Inlink{{Source: 4}}}, 0},
		"link, pager":   {&store.URL{Source: 3, More: []store.Inlink{{Source: 4, Hints: pager}, {Source: 5, Hints: pager}}}, 4},
		"pager, pager":  {&store.URL{Source: 3, Hints: pager, More: []store.Inlink{{Source: 4, Hints: pager}}}, 3},
		"pager, a link": {&store.URL{Source: 3, Hints: pager, More: []store.Inlink{{Source: 4}}}, 3},
	} {
		if got := behind(c.u); got != c.want {
			t.Errorf("%s: page %d, want %d", name, got, c.want)
		}
	}
}
