package run

import "testing"

// The number of lists may fall while a topic is learned: the difference to the highest
// number is told beside it.
func TestUnlistedIsTheDifferenceToTheHighestNumber(t *testing.T) {
	var n counts
	for _, c := range []struct{ lists, unlisted int }{{0, 0}, {3, 0}, {11, 0}, {9, 2}, {10, 1}, {12, 0}, {0, 12}} {
		if got := n.unlisted(c.lists); got != c.unlisted {
			t.Errorf("%d lists: %d unlisted, want %d", c.lists, got, c.unlisted)
		}
	}
}
