package view

import "testing"

// Before pages have scores nobody says how many lists there are.
func TestListsAreCountedOnceThereAreScores(t *testing.T) {
	s := Snapshot{Counts: Counts{Samples: 2}}
	if got := s.Lists(); got != "scores are being read" {
		t.Errorf("without scores: %q", got)
	}
	s.ModelRev, s.Counts.Aggregations = 7, 31
	if got := s.Lists(); got != "31 aggregation pages" {
		t.Errorf("with scores: %q", got)
	}
	if none := (&Snapshot{}); none.Lists() != "0 aggregation pages" {
		t.Errorf("without samples: %q", none.Lists())
	}
}
