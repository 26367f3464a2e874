package inbox

import "fmt"

// Quality ranks notices, and aggregation pages among themselves (P1 2.7):
//
//	Value = T·Similarity + (1−T)·PageRank
//
// Similarity is that of the page itself to the topic as it stands, without
// the gate: no notice is a list. PageRank is the share of the notices (of the
// aggregation pages) that have a smaller Rank over the links between stored pages,
// those of equal rank counted by half. The place is taken and not the rank itself,
// because that sums to 1 over all pages and lies with the home pages: divided by the
// largest, the notices' would all be near 0, and one notice in every site's
// navigation would press down all others. All values lie in 0 … 1.
type Quality struct {
	Value      float64 `json:"value"`
	Similarity float64 `json:"similarity"`
	PageRank   float64 `json:"pagerank"`
	Rank       float64 `json:"rank"`  // the PageRank itself
	Among      int     `json:"among"` // how many pages its place is among
	T          float64 `json:"t"`
}

// With is the quality under another T; nil for nil.
func (q *Quality) With(t float64) *Quality {
	if q == nil {
		return nil
	}
	x := *q
	x.T, x.Value = t, t*x.Similarity+(1-t)*x.PageRank
	return &x
}

// String is "0.52 = 0.70 · similarity 0.61 + 0.30 · PageRank 0.31 (rank 0.00012, place among 840)".
func (q *Quality) String() string {
	return fmt.Sprintf("%.2f = %.2f · similarity %.2f + %.2f · PageRank %.2f (rank %.2g, place among %d)",
		q.Value, q.T, q.Similarity, 1-q.T, q.PageRank, q.Rank, q.Among)
}
