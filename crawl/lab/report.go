package lab

import "strconv"

// The marks at which curves are read: targets found early in a crawl, and pages needed for half, most and nearly all
// targets.
var (
	recallMarks   = []float64{.1, .25, .5} // shares of the pages
	fractionMarks = []float64{.5, .9, .95} // shares of the targets
)

// curvePoints is the number of exported points of a curve.
const curvePoints = 200

// exportedRow is an exported Summary: one JSON object per strategy. Keys of the maps are shares ("0.9").
type exportedRow struct {
	Strategy    string             `json:"strategy"`
	Targets     int                `json:"targets"`
	Fetched     int                `json:"fetched"`
	Draws       int                `json:"draws"`
	Curve       [][2]float64       `json:"curve"`        // [fetched, found], mean over the draws
	RecallAt    map[string]float64 `json:"recall_at"`    // after this share of the pages
	FractionFor map[string]float64 `json:"fraction_for"` // share of the pages for this share of the targets
	PagesFor    map[string]float64 `json:"pages_for"`    // the same in pages
	HarvestAt   map[string]float64 `json:"harvest_at"`   // harvest rate after this share of the pages
	Area        Spread             `json:"area"`
	Position    Spread             `json:"position"` // between bfs (0) and oracle (1)
	Rate        float64            `json:"fetches_per_second"`
}

// Row returns the export row.
func (s *Summary) Row() exportedRow {
	r := exportedRow{Strategy: s.Strategy, Targets: s.Targets, Fetched: s.Pages, Draws: s.Draws, Area: s.Area,
		Position: s.Position, Rate: s.Rate,
		RecallAt: map[string]float64{}, FractionFor: map[string]float64{}, PagesFor: map[string]float64{},
		HarvestAt: map[string]float64{}}
	for _, m := range recallMarks {
		n := int(m * float64(s.Pages))
		r.RecallAt[mark(m)] = s.Mean(func(c Curve) float64 { return c.Recall(n) })
		r.HarvestAt[mark(m)] = s.Mean(func(c Curve) float64 { return c.Harvest(n) })
	}
	for _, m := range fractionMarks {
		r.FractionFor[mark(m)] = s.Mean(func(c Curve) float64 { return c.FractionFor(m) })
		r.PagesFor[mark(m)] = s.Mean(func(c Curve) float64 { return float64(c.pagesFor(m)) })
	}
	for _, p := range (Curve{Pages: s.Pages}).points(curvePoints) {
		r.Curve = append(r.Curve, [2]float64{float64(p[0]),
			s.Mean(func(c Curve) float64 { return float64(c.found(p[0])) })})
	}
	return r
}

func mark(share float64) string { return strconv.FormatFloat(share, 'g', -1, 64) }
