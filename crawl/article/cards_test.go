package article

import (
	"math"
	"strings"
	"testing"

	"angler/crawl/htmldoc"
)

// shopPage returns a page with a menu, a product and other products, and a function that finds the
// element of a line.
func shopPage(t *testing.T) (*htmldoc.Tree, func(text string) int32) {
	tree := htmldoc.NewTree("http://a.test/lamp")
	t.Cleanup(tree.Release)
	tree.Parse(`<html><head><script type="application/ld+json">{"@type":"Product","name":"Desk lamp"}</script></head><body>
		<ul class="nav"><li><a href="/a">Lamps and lights</a></li>
			<li><a href="/b">Chairs and stools</a></li><li><a href="/c">Tables for offices</a></li></ul>
		<div class="page"><h1>Desk lamp</h1><p>A lamp that bends, and stays where it was bent.</p></div>
		<div class="more"><div><h2>You may also like</h2></div><div class="list">
			<div class="card"><img src="1.png"><h3>Floor lamp</h3><p>Stands on the floor.</p><b>$20.00</b></div>
			<div class="card"><img src="2.png"><h3>Wall lamp</h3><p>Hangs on the wall.</p><b>$30.00</b></div>
			<div class="card"><img src="3.png"><h3>Bicycle lamp</h3><p>Shines on the road.</p><b>$40.00</b></div></div></div>
		<div class="customer-reviews"><h2>Reviews</h2><p>It fell over, twice.</p></div></body></html>`)
	return tree, func(text string) int32 {
		for i := range tree.Runs {
			if r := &tree.Runs[i]; strings.Contains(tree.Text[r.From:r.To], text) {
				return r.Host
			}
		}
		t.Fatalf("no line %q", text)
		return 0
	}
}

// Cards are the group with most members around a line, and the main group is no menu.
func TestCards(t *testing.T) {
	tree, at := shopPage(t)
	c := cardsOf(tree)
	wall := c.groupOf[at("Hangs on the wall")]
	if wall == 0 || wall != c.groupOf[at("$40.00")] || wall != c.main {
		t.Errorf("cards %d, %d, main %d", wall, c.groupOf[at("$40.00")], c.main)
	}
	if g := c.groups[wall]; g.members != 3 || g.heads != 3 || g.images != 3 || g.numbers != 3 {
		t.Errorf("%+v", g)
	}
	if menu := c.groupOf[at("Chairs and stools")]; menu == 0 || menu == wall {
		t.Errorf("menu %d", menu)
	}
	if alone := c.groupOf[at("stays where")]; alone != 0 {
		t.Errorf("a line alone is in group %d", alone)
	}
}

// The section of a heading is the largest element that begins with it. The title is near its text.
func TestSections(t *testing.T) {
	tree, at := shopPage(t)
	s := sectionsOf(tree, -1)
	for text, want := range map[string]uint8{"stays where": noHead,
		"Stands on the floor": othersHead, "It fell over": repliesHead} {
		if got := s.head[at(text)]; got != want {
			t.Errorf("%s: heading %d, want %d", text, got, want)
		}
	}
	if own, other := s.near[at("stays where")], s.near[at("Wall lamp")]; own >= other {
		t.Errorf("near %.2f, beside %.2f", own, other)
	}
	if !ofProduct(tree) {
		t.Error("no page of a product")
	}
	names := roleWords{}
	for _, c := range []struct {
		text string
		clue int
		want bool
	}{{"It fell over", clueReply, true}, {"stays where", clueReply, false}} {
		e := enclosure(0)
		for i := at(c.text); i >= 0; i = tree.Nodes[i].Parent {
			e |= names.roleOf(&tree.Nodes[i])
		}
		if got := e&bitOf(c.clue) != 0; got != c.want {
			t.Errorf("%s: role %v, want %v", c.text, got, c.want)
		}
	}
}

// factsOf returns the facts of a page without texts of methods.
func factsOf(t *testing.T, body string) *lineFacts {
	tree := htmldoc.NewTree("http://a.test/lamp")
	t.Cleanup(tree.Release)
	tree.Parse("<html><body>" + body + "</body></html>")
	x := &TextExtractor{TextInput: TextInput{Tree: tree, Title: -1}}
	return x.gatherFacts([methodCount]string{})
}

// A repeated part is omitted with its short lines. Short lines of many parts, two lines and lines in
// another order stay.
func TestFindCopies(t *testing.T) {
	part := func(lines ...string) string { return "<div><p>" + strings.Join(lines, "</p><p>") + "</p></div>" }
	one, two := strings.Repeat("Bends. ", 9), strings.Repeat("Shines. ", 8)
	three, four := strings.Repeat("Stands. ", 8), "Of brass."
	for _, c := range []struct {
		name, body string
		again      string // per line
	}{
		{"a part twice", part(one, two, three, four) + part(one, two, three, four), "----++++"},
		{"between others", part(one, two, three) + part("For narrow screens", one, two, three, "End"), "----+++-"},
		{"too few lines", part(one, two) + part(one, two), "----"},
		{"too few characters", part(four, "Red", "Blue") + part(four, "Red", "Blue"), "------"},
		{"another order", part(one, two, three) + part(three, two, one), "------"},
		{"a long line", part(one+one) + part(one+one), "-+"},
	} {
		f := factsOf(t, c.body)
		got := ""
		for _, again := range f.repeats {
			if again {
				got += "+"
			} else {
				got += "-"
			}
		}
		if got != c.again {
			t.Errorf("%s: %s, want %s", c.name, got, c.again)
		}
	}
}

// The clues of a line contain the distance to the nearest price and a class of details around it.
func TestPricesAndDetails(t *testing.T) {
	f := factsOf(t, `<p>Desk lamp</p><p>$20.00</p><div class="product-details"><p>Bends.</p><p>Shines.</p></div>`)
	for i, want := range []int32{1, 0, 1, 2} {
		if f.nearPrice[i] != want {
			t.Errorf("line %d is %d lines from a price, want %d", i, f.nearPrice[i], want)
		}
		if c := f.clues(i, 0); c[clueDetails] != indicator(i >= 2) || c[clueNearPrice] != math.Log1p(float64(want)) {
			t.Errorf("line %d: details %v, price %v", i, c[clueDetails], c[clueNearPrice])
		}
	}
	if f.prices != 1 {
		t.Errorf("%v prices", f.prices)
	}
	if f := factsOf(t, `<p>Desk lamp</p><p>Bends.</p>`); f.nearPrice[0] != maxPriceDistance || f.nearPrice[1] != maxPriceDistance {
		t.Errorf("without a price: %v", f.nearPrice)
	}
}

// headKind knows headings in several languages.
func TestHeadKind(t *testing.T) {
	for heading, want := range map[string]uint8{
		"Related products": othersHead, "Das könnte Sie auch interessieren": othersHead,
		"Productos relacionados": othersHead, "猜你喜欢": othersHead,
		"Customer reviews": repliesHead, "Kundenbewertungen": repliesHead,
		"Отзывы": repliesHead, "商品评价": repliesHead,
		"Specifications": ownHead, "Lieferumfang": ownHead, "产品参数": ownHead,
	} {
		if got := headKind(heading); got != want {
			t.Errorf("%s: %d, want %d", heading, got, want)
		}
	}
}

// A price has a currency sign and few words.
func TestIsPrice(t *testing.T) {
	for s, want := range map[string]bool{"$1,772.00": true, "45,00 €": true, "¥ 12": true, "from $5 to $9": true,
		"12": false, "€": false, "It costs $5 more than the other one": false, "": false} {
		if got := isPrice(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

// Announcements are lines above the menu with a negative class, unless the heading or much of the page
// also stands there.
func TestAnnouncements(t *testing.T) {
	const (
		offer = `<div class="promo"><p>Lamps are sent without charge this week.</p></div>`
		menu  = `<nav><a href="/a">Lamps</a> <a href="/b">Chairs</a></nav>`
	)
	text := "<h1>Desk lamp</h1>" + strings.Repeat("<p>Bends where it is touched, and stays bent.</p>", 8)
	for _, c := range []struct {
		name, body string
		want       bool
	}{
		{"above the menu", offer + menu + text, true},
		{"above a role", offer + `<div role="banner">Lamps of brass</div>` + text, true},
		{"below the menu", menu + offer + text, false},
		{"without a menu", offer + text, false},
		{"without a class", strings.ReplaceAll(offer, "promo", "first") + menu + text, false},
		{"below the heading", "<h1>Desk lamp</h1>" + offer + menu + text, false},
		{"much of the page", strings.Repeat(offer, 9) + menu + text, false},
	} {
		f := factsOf(t, c.body)
		got := false
		for i := range f.x.Tree.Runs {
			got = got || f.announces(&f.x.Tree.Runs[i])
		}
		if got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// An introduction has at most maxIntroLines lines between the heading of the page and the next one.
func TestIntroduction(t *testing.T) {
	long := strings.Repeat("These lamps bend where they are touched, and stay bent. ", 2)
	p := "<p>" + long + "</p>"
	for _, c := range []struct {
		name, body string
		want       int
	}{
		{"below the heading", p + "<h1>Lamps</h1>" + p + p, 2},
		{"as far as the next heading", "<h1>Lamps</h1>" + p + "<h2>Desk lamps</h2>" + p, 1},
		{"a few lines", "<h1>Lamps</h1>" + strings.Repeat(p, 9), maxIntroLines},
		{"the first heading", "<h1>Lamps</h1>" + p + "<h1>Chairs</h1>" + p, 1},
		{"a hidden heading", `<h1 style="display:none">Shop</h1>` + p, 0},
		{"a short line", "<h1>Lamps</h1><p>Bend, and stay bent.</p>", 0},
		{"a link", `<h1>Lamps</h1><p><a href="/a">` + long + "</a></p>", 0},
		{"a review", `<h1>Lamps</h1><div class="review">` + p + "</div>", 0},
		{"a byline", "<header><h1>Lamps</h1>" + p + "</header>", 0},
		{"without a heading", p, 0},
		{"the heading at the end", p + "<h1>Lamps</h1>", 0},
	} {
		f := factsOf(t, c.body)
		got := 0
		for i := range f.x.Tree.Runs {
			if f.introduces(i) {
				got++
			}
		}
		if got != c.want {
			t.Errorf("%s: %d lines", c.name, got)
		}
	}
}
