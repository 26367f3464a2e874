package topic

// Feature is one row of the feature table. Counts are over the full text of the samples; scheme
// records counts titles (Doc.List).
type Feature struct {
	Word       string
	TF         float64 // share of all sample words, 0 … 1 (P0 2.1: F ÷ Z)
	DF         int     // samples that hold the word
	Samples    int
	IDF        float64 // ln(1 + n/df), P0 2.1
	TFdivIDF   float64 // TF ÷ IDF, P0
	TFIDF      float64 // TF · IDF, the classic, for comparison
	Coverage   float64 // DF ÷ Samples
	Background float64 // share of all crawled pages that hold the word, 0 … 1
	Share      float64 // share of a site's pages that hold the word, root mean square over the sites, 0 … 1
	Users      float64 // how many sites use it, by evenness, 1 … Sites; 0 if the sites are unknown
	Sites      int     // known sites; 0 below 30 pages
	NegativeTF float64 // share of all negative sample words, 0 … 1
	NegativeDF int     // negative samples that hold the word
	Taken      float64 // part of the word's weight that the negative samples took, 0 … 1
	Weight     float64 // the weight in scores, after negative samples, switches and multipliers; 0 if switched off
	Multiplier float64 // the analyst's multiplier, 1 unless set
	On         bool
	Expert     bool
	Feature    bool // among the m words that score
}

// Features returns the feature table: at most most words of the samples, heaviest first (all if
// most ≤ 0). Expert words and switched-off words that are missing follow, so that a switch can
// always be turned back. The paper's columns (P0 2.1) are always counted over the samples,
// whichever scheme scores; Weight is the weight in scores.
func (m *Model) Features(most int) []Feature {
	if most <= 0 || most > len(m.rows) {
		most = len(m.rows)
	}
	out := make([]Feature, 0, most)
	for i := range m.rows {
		if r := &m.rows[i]; i < most || r.expert || !r.on {
			out = append(out, m.feature(r))
		}
	}
	return out
}

func (m *Model) feature(r *row) Feature {
	n := len(m.samples)
	f := Feature{
		Word: r.word, TF: r.tf, DF: r.df, Samples: n,
		Background: m.bg.share(m.cfg.Scheme.field(), r.id),
		NegativeTF: r.negativeTF, NegativeDF: r.negativeDF, Taken: r.taken,
		Weight: r.weight(), Multiplier: r.mult,
		On: r.on, Expert: r.expert, Feature: r.chosen,
	}
	if m.cfg.Scheme.field() == listText {
		f.Share, f.Users, f.Sites = m.bg.usage(r.id)
	}
	if r.df > 0 {
		f.IDF = idf(n, r.df)
		f.TFdivIDF = f.TF / f.IDF
		f.TFIDF = f.TF * f.IDF
		f.Coverage = float64(r.df) / float64(n)
	}
	return f
}
