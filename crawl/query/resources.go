package query

import (
	"angler/crawl/htmldoc"
	"angler/crawl/linkorder"
	"angler/crawl/page"
	"angler/store/records"
)

// resources writes the non-page resources of stored pages, judged without a fetch (P3 2.3.1). The score is the topic
// similarity of the link's text with the 100 characters around it. The relevance is P3's link value (2.3.2): score,
// address, domain, and distance from the seeds.
func (x *exporter) resources(put func(resourceRow) error) error {
	state := x.q.Decisions.State()
	linear, err := linkorder.StrategyOf(x.q.Settings.Now(), "linear")
	if err != nil {
		return err
	}
	relevance := func(row *resourceRow, depth int, source float64) *float64 {
		if row.Score == nil {
			return nil
		}
		in := linkorder.Inlink{Anchor: row.Anchor, AnchorScore: *row.Score, URLScore: state.Shares.Score(row.URL),
			SourceScore: source}
		return rounded(linear.Value(&linkorder.Target{URL: row.URL, Depth: depth, Inlinks: []linkorder.Inlink{in}}))
	}
	similarity := func(text string) *float64 {
		if state.Model == nil || text == "" {
			return nil
		}
		return rounded(state.Model.Anchor(x.q.Reader.Vector(text)))
	}
	for p, err := range x.allPages() {
		if err != nil {
			return err
		}
		opt := page.Options{}
		src, err := x.q.Reader.Source(p.ID, &opt)
		if err != nil || src == nil {
			continue // damaged; the store has counted it
		}
		depth := 0
		if u, err := x.q.Store.URL(p.ID); err == nil && u != nil {
			depth = u.Depth + 1
		}
		text, charset := htmldoc.DecodeText(src.Body, src.ContentType)
		found := htmldoc.FindResources(text, src.URL, charset, opt.Resolver)
		if len(found) == 0 {
			continue
		}
		addresses := make([]string, len(found))
		for i := range found {
			addresses[i] = found[i].URL
		}
		rows, err := records.DocumentsOf(x.q.Store, addresses)
		if err != nil {
			return err
		}
		for i := range found {
			r := &found[i]
			row := resourceRow{URL: r.URL, Class: r.Class.String(), Anchor: r.Anchor, Before: r.Before,
				After: r.After, Page: src.URL,
				AnchorScore: similarity(r.Anchor), Score: similarity(r.Before + " " + r.Anchor + " " + r.After)}
			row.Relevance = relevance(&row, depth, p.Score)
			if d := rows[r.URL]; d != nil {
				row.State, row.Hash, row.Path = d.State, d.Hash, d.File
			}
			x.n++
			if err := put(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// resourceRow is a document, image, animation, program, film, sound or archive on a stored page, in exports (P3
// 2.3.1).
type resourceRow struct {
	URL   string `json:"url"`
	Class string `json:"class"`
	// similarity of anchor text and context to the topic; nil without a topic
	Score *float64 `json:"score"`
	// of the link by P3 2.3.2: score, address, important domain, depth; nil without a topic
	Relevance   *float64 `json:"relevance"`
	AnchorScore *float64 `json:"anchor_score"` // of the anchor text alone
	Anchor      string   `json:"anchor"`
	Before      string   `json:"before"` // up to 100 characters of the page's text before it
	After       string   `json:"after"`  // up to 100 characters after it
	Page        string   `json:"page"`   // the page with the link
	State       string   `json:"state,omitempty"`
	Hash        string   `json:"hash,omitempty"`
	Path        string   `json:"path,omitempty"`
}
