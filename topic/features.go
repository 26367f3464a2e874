package topic

// Features returns the feature table: the samples' words with the heaviest
// first, at most most of them (all if most ≤ 0), and after them every expert word
// and every word switched off that did not make it, so that a switch can always
// be turned back. The paper's columns (P0 2.1) are always counted over the
// samples, whichever scheme scores; Weight is the weight that scores.
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
		Word: r.word, ID: r.id, TF: r.tf, DF: r.df, Samples: n,
		Background: m.bg.share(m.cfg.Scheme.field(), r.id),
		NegativeTF: r.negativeTF, NegativeDF: r.negativeDF, Taken: r.taken,
		Weight: r.weight(), Multiplier: r.mult,
		On: r.on, Expert: r.expert, Feature: r.chosen,
	}
	if r.df > 0 {
		f.IDF = idf(n, r.df)
		f.TFdivIDF = f.TF / f.IDF
		f.TFIDF = f.TF * f.IDF
		f.Coverage = float64(r.df) / float64(n)
	}
	return f
}
