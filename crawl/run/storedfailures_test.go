package run

import (
	"testing"

	"angler/store"
)

func TestNamed(t *testing.T) {
	rows := []*store.URL{
		{URL: "http://a.test/1", Failure: store.ReadFailure("dns: lookup a.test: no such host")},
		{URL: "http://www.a.test/2", Failure: store.ReadFailure("HTTP status 403")},
		{URL: "http://A.test:8080/3", Failure: store.ReadFailure("HTTP status 404")},
		{URL: "http://ba.test/4", Failure: store.ReadFailure("")},
	}
	cases := map[string][]int{
		"all":              {1, 2, 3, 4},
		"dns":              {1},
		"DNS":              {1},
		"HTTP status 403":  {2},
		"http status":      {2, 3},
		" http status 404": {3},
		"a.test":           {1}, // the host; its name stands in the reason, too
		"www.a.test":       {2},
		"*.a.test":         {1, 2},
		"ba.test":          {4},
		"captcha":          {},
		"":                 {},
	}
	for what, want := range cases {
		match := MatchFailures(what)
		for i, u := range rows {
			wanted := false
			for _, n := range want {
				wanted = wanted || n == i+1
			}
			if match(u) != wanted {
				t.Errorf("%q and %s (%s): %v, want %v", what, u.URL, u.Failure, !wanted, wanted)
			}
		}
	}
}
