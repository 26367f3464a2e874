package view

import "fmt"

// Recall estimates which share of its lists a discovery has fetched. The truth is what the judge names after a full
// crawl. The zero value means that no estimate exists.
type Recall struct {
	Share   float64 // 0 … 1; 0 without enough evidence
	Lists   int     // aggregation pages
	Near    int     // lists whose score is close below θ
	Pages   int     // captured pages
	Waiting int     // URLs that wait within the depth limit
}

// Percent returns Share in whole percent, rounded down: "97 %".
func (r *Recall) Percent() string { return fmt.Sprintf("%d %%", int(100*r.Share+1e-9)) }

// Enough reports whether the evidence allows an estimate.
func (r *Recall) Enough() bool { return r.Share > 0 }
