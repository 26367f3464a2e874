package htmldoc

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"angler/crawl/urls"
)

// The sketch of a tag path tells places of a page apart, and is near for near places.
func TestTagPaths(t *testing.T) {
	tags := tagsOf(t, `<html><body><div id="top" class="menu wide"><ul><li><a href="/1">1</a></li><li><a href="/2">2</a></li></ul></div>
		<div class="main"><div class="box"><table><tr id="line_1"><td><a href="/3">3</a></td></tr>
		<tr id="line_22"><td><a href="/4">4</a></td></tr></table></div></div></body></html>`)
	if tags["/1"] != tags["/2"] || tags["/3"] != tags["/4"] || tags["/1"] == 0 {
		t.Errorf("equal places: %x", tags)
	}
	if d := bits.OnesCount64(tags["/1"] ^ tags["/3"]); d < 15 {
		t.Errorf("the menu and the rows differ in %d bits", d)
	}
	if d := bits.OnesCount64(tags["/1"] ^ tagsOf(t, `<html><body><div id="top" class="menu narrow"><ul><li>
		<a href="/1">1</a></li></ul></div></body></html>`)["/1"]); d == 0 || d > 26 {
		t.Errorf("another class of one level changes %d bits", d)
	}
}

// A path of 10,000 levels and a page of 100,000 links, each in a place of its own, are read in bounded time.
func TestTagPathsAreBounded(t *testing.T) {
	deep := strings.Repeat(`<div class="a">`, 10_000) + `<a href="/deep">deep</a>`
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&b, `<p class="c%c%c%c"><a href="/%d">x</a></p>`, 'a'+i%26, 'a'+i/26%26, 'a'+i/676%26, i)
	}
	for _, page := range []string{deep, b.String()} {
		for href, tags := range tagsOf(t, page) {
			if tags == 0 {
				t.Fatalf("%s has no tag path", href)
			}
		}
	}
}

// The majority of bit counts is exact for every number of words.
func TestBitCounts(t *testing.T) {
	for n := 1; n <= maxTagLevels+1; n++ {
		var c bitCounts
		count := [64]int{}
		for i := range n {
			word := scramble(uint64(100*n + i))
			c.add(word)
			for bit := range count {
				count[bit] += int(word >> bit & 1)
			}
		}
		got := c.majority()
		for bit, k := range count {
			if want := 2*k > n; got>>bit&1 == 1 != want {
				t.Fatalf("%d words, bit %d is set in %d: %v", n, bit, k, got>>bit&1)
			}
		}
	}
}

// tagsOf returns the tag paths of a page's links by their href.
func tagsOf(t *testing.T, text string) map[string]uint64 {
	t.Helper()
	tree := NewTree("http://a.test/")
	defer tree.Release()
	tree.Parse(text)
	var l Layout
	l.Read(tree, "utf-8", urls.NewResolver(0))
	out := map[string]uint64{}
	for i := range l.Links {
		out[l.Links[i].Href] = l.Links[i].Tags
	}
	return out
}
