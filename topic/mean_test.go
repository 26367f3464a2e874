package topic

import (
	"encoding/json"
	"math"
	"testing"
)

// mean returns the model that compares pages with each sample.
func mean(m *Model) *Model {
	cfg := m.config()
	cfg.Similarity = SimilarityMean
	return m.WithConfig(cfg)
}

// P1 2.5: the mean of the cosines with each sample. With one sample or equal samples it equals the
// centroid; dissimilar ones make it and θ smaller.
func TestMeanOfCosines(t *testing.T) {
	lex := &names{}
	three := docs(lex, tenders())
	for _, scheme := range Schemes {
		one := Build(config(scheme, NormFull), three[:1], lex, nil)
		same := Build(config(scheme, NormFull), []Doc{three[0], three[0], three[0]}, lex, nil)
		for _, m := range []*Model{one, same} {
			each := mean(m)
			for i := range three {
				if a, b := m.Score(&three[i]), each.Score(&three[i]); math.Abs(a-b) > 1e-6 {
					t.Errorf("%s: page %d scores %v against the centroid, %v against each", scheme, i, a, b)
				}
			}
			if each.kernel.alike != 1 || each.Theta() != m.Theta() || each.ThetaRule() != m.ThetaRule() {
				t.Errorf("%s: θ %v (%s) for samples that are alike %v, centroid %v", scheme, each.Theta(), each.ThetaRule(), each.kernel.alike, m.Theta())
			}
		}
		all := Build(config(scheme, NormFull), three, lex, nil)
		each := mean(all)
		if a := each.kernel.alike; a >= 1 || a < .3 {
			t.Errorf("%s: the samples are alike by %v", scheme, a)
		}
		if want := all.Theta() * each.kernel.alike; math.Abs(each.Theta()-want) > 1e-12 || each.ThetaRule() != ruleMean {
			t.Errorf("%s: θ %v (%s), want %v", scheme, each.Theta(), each.ThetaRule(), want)
		}
		for i := range three {
			if e := each.Explain(&three[i]); e.Similarity != SimilarityMean || math.Abs(e.Score-each.Score(&three[i])) > 1e-9 {
				t.Errorf("%s: explained as %+v", scheme, e)
			} else {
				total := 0.0
				for _, w := range e.Words {
					total += w.Share
				}
				if math.Abs(total-e.Raw) > 1e-6 {
					t.Errorf("%s: the words add up to %v of %v", scheme, total, e.Raw)
				}
			}
		}
	}
	inner := Build(config(SchemeTF, NormInner), three, lex, nil)
	if each := mean(inner); each.Score(&three[1]) != inner.Score(&three[1]) || each.cfg.Name() != "tf/inner" {
		t.Errorf("norm inner: %v against each, %v against the centroid", each.Score(&three[1]), inner.Score(&three[1]))
	}
	if none := mean(Build(config(SchemeRecords, NormFull), nil, lex, nil)); none.Score(&three[0]) != 0 || math.IsNaN(none.Theta()) {
		t.Errorf("without samples: %v", none.Score(&three[0]))
	}
}

// Settings older than the two similarities mean the centroid.
func TestSimilarityOfOldSettings(t *testing.T) {
	var cfg Config
	must(t, json.Unmarshal([]byte(`{"scheme":"tf-idf","norm":"full","m":9,"gamma":0}`), &cfg))
	if c := cfg.clean(); c.Similarity != SimilarityCentroid || c.Name() != "tf-idf/full" {
		t.Errorf("%+v", c)
	}
	cfg.Similarity = "both"
	if c := cfg.clean(); c.Similarity != SimilarityCentroid {
		t.Errorf("%q is taken for a similarity", cfg.Similarity)
	}
	cfg.Similarity = SimilarityMean
	if c := cfg.clean(); c.Similarity != SimilarityMean || c.Name() != "tf-idf/full/mean" || c.sameScores(Config{}.clean()) {
		t.Errorf("%+v", c)
	}
}

// The mean costs as much as the centroid: the same words, one sum a page.
func TestMeanReadsTheSamePostings(t *testing.T) {
	ix, _ := crawl()
	each := mean(ix.model)
	if a, b := len(ix.model.kernel.features), len(each.kernel.features); a != b || a == 0 {
		t.Errorf("%d words score against the centroid, %d against each sample", a, b)
	}
	before := ix.Scores()
	ix.Apply(each)
	after := ix.Scores()
	if after.Theta >= before.Theta || after.Rule != ruleMean {
		t.Errorf("θ %v → %v (%s)", before.Theta, after.Theta, after.Rule)
	}
	moved := 0
	for _, id := range before.ids {
		a, _ := before.Of(id)
		b, _ := after.Of(id)
		if b > a*1.02+1e-6 {
			moved++
		}
	}
	if moved > len(before.ids)/20 {
		t.Errorf("%d of %d pages are more like each sample than like their centroid", moved, len(before.ids))
	}
}

func BenchmarkApplyMean(b *testing.B) {
	ix, _ := crawl()
	centroid, each := ix.model, mean(ix.model)
	for _, c := range []struct {
		name string
		m    *Model
	}{{"centroid", centroid}, {"mean", each}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				ix.Apply(nil)
				ix.Apply(c.m)
				ix.Scores()
			}
		})
	}
}
