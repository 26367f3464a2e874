package inbox

import "fmt"

// Quality ranks notices, and aggregation pages among themselves (P1 2.7):
//
//	Value = T·Similarity + (1−T)·PageRank
//
// Similarity is that of the page to the present topic, without the gate: no notice is a list.
// PageRank is the share of the notices (or aggregation pages) with a smaller Rank over the links
// between stored pages, equal ones counted by half. The place is used instead of the rank, because
// ranks sum to 1 over all pages and concentrate on home pages. Divided by the largest, those of
// notices would all be near 0, and one notice in every navigation would press down all others. All
// values lie in 0 … 1.
type Quality struct {
	Value      float64 `json:"value"`
	Similarity float64 `json:"similarity"`
	PageRank   float64 `json:"pagerank"`
	Rank       float64 `json:"rank"`  // the PageRank itself
	Among      int     `json:"among"` // number of pages that its place is among
	T          float64 `json:"t"`
}

// With returns the quality for another T; nil for nil.
func (q *Quality) With(t float64) *Quality {
	if q == nil {
		return nil
	}
	x := *q
	x.T, x.Value = t, t*x.Similarity+(1-t)*x.PageRank
	return &x
}

// String returns e.g. "0.52 = 0.70 · similarity 0.61 + 0.30 · PageRank 0.31 (rank 0.00012, place
// among 840)".
func (q *Quality) String() string {
	return fmt.Sprintf("%.2f = %.2f · similarity %.2f + %.2f · PageRank %.2f (rank %.2g, place among %d)",
		q.Value, q.T, q.Similarity, 1-q.T, q.PageRank, q.Rank, q.Among)
}
