package command

import (
	"fmt"

	"angler/crawl/view"
	"angler/topic"
)

// featureRow is one feature word in exports.
type featureRow struct {
	Word       string  `json:"word"`
	TF         float64 `json:"tf"`
	DF         int     `json:"df"`
	IDF        float64 `json:"idf"`
	TFdivIDF   float64 `json:"tf_div_idf"`
	TFIDF      float64 `json:"tf_idf"`
	Coverage   float64 `json:"coverage"`
	Background float64 `json:"background_df"`
	Share      float64 `json:"share"`       // of a site's pages, 0 … 1
	Sites      float64 `json:"sites"`       // how many sites use it, by evenness
	OfSites    int     `json:"of_sites"`    // sites that the crawl knows
	NegativeTF float64 `json:"negative_tf"` // share of the negative samples' words
	NegativeDF int     `json:"negative_df"`
	Taken      float64 `json:"taken"` // part of the weight that the negative samples took, 0 … 1
	Weight     float64 `json:"weight"`
	On         bool    `json:"on"`
	Expert     bool    `json:"expert"`
}

// siteUse describes how the sites use a feature word; "" while too few pages are known.
func siteUse(f topic.Feature) string {
	if f.Sites == 0 {
		return ""
	}
	return fmt.Sprintf(siteUseFormat, 100*f.Share, f.Users, f.Sites)
}

// siteUseFormat takes a share in percent, how many sites use a word, and how many
// there are.
const siteUseFormat = "stands on about %.0f %% of a site's pages, %.1f of %d sites use it"

// featureRows makes export rows of the feature table.
func featureRows(list []topic.Feature) []featureRow {
	rows := make([]featureRow, len(list))
	for i, f := range list {
		rows[i] = featureRow{Word: f.Word, TF: f.TF, DF: f.DF, IDF: f.IDF, TFdivIDF: f.TFdivIDF, TFIDF: f.TFIDF,
			Coverage: f.Coverage, Background: f.Background,
			Share: view.Round(f.Share), Sites: view.Round(f.Users), OfSites: f.Sites,
			NegativeTF: f.NegativeTF, NegativeDF: f.NegativeDF, Taken: f.Taken, Weight: f.Weight, On: f.On, Expert: f.Expert}
	}
	return rows
}
