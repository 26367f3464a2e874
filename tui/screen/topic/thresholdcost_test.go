package topic

import (
	"maps"
	"math"
	"testing"

	"angler/crawl/inbox"
)

// Notices of further pages of a list count once, for the page that a falling threshold accepts
// first; pagers may form loops.
func TestNoticesCountForTheFirstPageThatIsLetIn(t *testing.T) {
	yields := map[uint64]inbox.ListYield{
		1: {Notices: 10},            // a list
		2: {Notices: 4, Behind: 1},  // its second page,
		3: {Notices: 3, Behind: 4},  // and its fourth, after the third, which had none
		4: {Behind: 2},              //
		5: {Notices: 2, Behind: 6},  // a page with a better score than the list before it
		6: {Notices: 1, Behind: 5},  // to which its pager leads back
		7: {Notices: 8},             // confirmed
		8: {Notices: 5, Behind: 7},  //
		9: {Notices: 6, Behind: 10}, // after a page that is not stored any more
	}
	scores := map[uint64]float64{1: .5, 2: .3, 4: .2, 5: .6, 6: .4, 7: math.Inf(1), 8: .9, 9: .1}
	got := firsts(yields, scores)
	if want := map[uint64]int{1: 17, 5: 3, 7: 13, 9: 6}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
