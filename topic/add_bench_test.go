package topic

import "testing"

// BenchmarkAdd measures adding one page to an index of up to 50 000.
func BenchmarkAdd(b *testing.B) {
	const pages = 50_000
	docs := make([]Doc, pages)
	for i, d := range benchPages(pages) {
		docs[i] = d
	}
	b.ReportAllocs()
	ix := NewIndex()
	i := 0
	for b.Loop() {
		if i == pages {
			ix, i = NewIndex(), 0
		}
		ix.Add(uint64(i)*7919, docs[i])
		i++
	}
}
