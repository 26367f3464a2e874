package topic

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"
)

// The benchmarks use postings of one made-up shape: 100 … 300 distinct
// words a page (200 on average) out of 200 000, probability falling with rank,
// and 50 feature words with a mean document frequency of 14 %. ANGLER_MILLION=1
// adds the index of a million pages.

const benchVocabulary = 200_000

type benchNames struct{}

func (benchNames) Word(id uint32) string { return fmt.Sprintf("w%d", id) }
func (benchNames) Lookup(w string) (id uint32, ok bool) {
	n, err := fmt.Sscanf(w, "w%d", &id)
	return id, n == 1 && err == nil
}

func benchIndex(n int) *Index {
	ix := NewIndex()
	for i, d := range benchPages(n) {
		ix.Add(uint64(i)*7919, d)
	}
	return ix
}

// benchPages are pages of 100 to 300 words and 300 sites.
func benchPages(n int) iter.Seq2[int, Doc] {
	return func(yield func(int, Doc) bool) {
		r := rand.New(rand.NewPCG(42, 1))
		seen := make([]uint32, benchVocabulary)
		for i := range n {
			distinct := 100 + r.IntN(200)
			v := make(Vector, 0, distinct)
			for len(v) < distinct {
				w := uint32(math.Pow(benchVocabulary, r.Float64())) - 1
				if seen[w] == 0 {
					v = append(v, Term{ID: w})
				}
				seen[w]++
			}
			for j := range v {
				v[j].N = seen[v[j].ID]
				seen[v[j].ID] = 0
			}
			sortVector(v)
			list := v[:min(len(v), 20)]
			if !yield(i, Doc{
				Full: v, List: list, Records: 10, Dated: i % 11,
				URL: fmt.Sprintf("http://h%d.test/c%d/%d.htm", i%300, i%17, i),
			}) {
				return
			}
		}
	}
}

// benchSamples are pages of words of rank 20 … 5 000.
func benchSamples(words int) []Doc {
	r := rand.New(rand.NewPCG(5, 1))
	counts := map[uint32]uint32{}
	for len(counts) < words {
		counts[uint32(20*math.Pow(250, r.Float64()))] = uint32(1 + r.IntN(9))
	}
	var v Vector
	for id, n := range counts {
		v = append(v, Term{id, n})
	}
	sortVector(v)
	return []Doc{{Full: v, List: v, Records: 20, Dated: 20}, {Full: v, List: v, Records: 9, Dated: 9}}
}

func benchConfig(off ...string) Config {
	return Config{Scheme: SchemeTFdivID, Norm: NormFull, M: 50, Off: off}
}

func BenchmarkIndex(b *testing.B) {
	sizes := []int{100_000}
	if os.Getenv("ANGLER_MILLION") != "" {
		sizes = append(sizes, 1_000_000)
	}
	for _, n := range sizes {
		before := heap()
		ix := benchIndex(n)
		samples := benchSamples(50)
		bg := ix.Background()
		all := Build(benchConfig(), samples, benchNames{}, bg)
		ix.Apply(all)
		ix.Scores()
		perPage := float64(heap()-before) / float64(n)
		df := 0
		for _, f := range all.kernel.features {
			df += int(ix.terms[fullText][f.id].n)
		}
		b.Logf("%d pages: %.0f bytes a page, mean document frequency of a feature %.1f %%",
			n, perPage, 100*float64(df)/float64(len(all.kernel.features))/float64(n))
		off := []*Model{all, Build(benchConfig(all.rows[len(all.rows)/2].word), samples, benchNames{}, bg)}
		run := func(name string, f func(i int)) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					f(i)
					i++
				}
			})
		}
		run("rescore", func(int) { ix.rescore(&all.kernel); ix.fill(make([]float32, n), &all.kernel) })
		run("word", func(i int) { ix.Apply(off[(i+1)%2]) })
		run("word+scores", func(i int) { ix.Apply(off[(i+1)%2]); ix.Scores() })
		against := benchConfig()
		against.Gamma = DefaultGamma
		negative := []*Model{BuildAgainst(against, samples, benchSamples(60), benchNames{}, bg)}
		against.Off = off[1].cfg.Off
		negative = append(negative, negative[0].WithConfig(against))
		ix.Apply(negative[0])
		run("word+negative", func(i int) { ix.Apply(negative[(i+1)%2]) })
		run("word+negative+scores", func(i int) { ix.Apply(negative[(i+1)%2]); ix.Scores() })
		run("build+negative", func(int) { negative[0].WithConfig(against) })
		ix.Apply(all)
		s := ix.Scores()
		run("theta", func(i int) { s.Above(.2 + float64(i%50)/100) })
		run("histogram+top", func(int) { s.Histogram(100); s.Top(1000) })
		labels := map[uint64]Label{}
		for i := range uint64(1000) {
			labels[i*7919] = No
		}
		run("queue", func(int) { s.Queue(labels, 50) })
		run("gained", func(int) { s.Between(.3, .31, 1000) })
		run("sorted", func(int) { s.pick(0, 2, n) })
		run("background", func(int) { ix.Background() })
		run("newbackground", func(int) {
			bg := ix.Background()
			ix.Apply(Build(Default(), samples, benchNames{}, bg))
		})
		runtime.KeepAlive(ix)
	}
}

func BenchmarkModel(b *testing.B) {
	lex := &names{}
	r := rand.New(rand.NewPCG(1, 1))
	var docs []Doc
	for range 60 {
		docs = append(docs, lex.doc(randomPage(r)))
	}
	ix := NewIndex()
	for i, d := range docs {
		ix.Add(uint64(i), d)
	}
	m := Build(Default(), docs[:3], lex, ix.Background())
	b.Run("score", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.Score(&docs[9])
		}
	})
	b.Run("anchor", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.Anchor(docs[9].List[:min(4, len(docs[9].List))])
		}
	})
	b.Run("add", func(b *testing.B) {
		ix := benchIndex(2000)
		ix.Apply(m)
		d := benchSamples(200)[0]
		i := uint64(0)
		for b.Loop() {
			ix.Add(1<<40+i, d)
			i++
		}
	})
	b.Run("build", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.WithConfig(Default())
		}
	})
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func sortVector(v Vector) {
	slices.SortFunc(v, func(a, b Term) int { return int(a.ID) - int(b.ID) })
}
