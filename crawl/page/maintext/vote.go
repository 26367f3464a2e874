package maintext

import (
	"fmt"
	"unicode"
)

// byVote chooses the text of a page that is not Chinese. go-trafilatura knows such
// pages best, but has blind spots in product pages, services and threads. Its text
// is taken if mass or Readability found the same. If those two agree without it, the
// longer of theirs is. If all three differ, mass is believed where it found clearly
// more and a good part of the page. chars is the length of the page's text. The
// result is empty when trafilatura found nothing. Readability is asked only when the
// other two differ.
func (x *Extractor) byVote(mass Result, chars int) (Result, string) {
	best, by := x.byReader(MethodTrafilatura), MethodTrafilatura
	if best.Text == "" {
		return Result{}, ""
	}
	theirs := shinglesOf(best.Text)
	own := shinglesOf(mass.Text)
	alike := likeness(own, theirs)
	why := fmt.Sprintf("not Chinese; mass and trafilatura alike by %.2f", alike)
	if alike < agreement {
		r := x.byReader(MethodReadability)
		third := shinglesOf(r.Text)
		first := likeness(own, third)
		second := likeness(theirs, third)
		why += fmt.Sprintf(", readability like them by %.2f and %.2f", first, second)
		n, trafilatura, readability := longText(mass.Text), longText(best.Text), longText(r.Text)
		switch {
		case second >= agreement:
		case first >= agreement && readability > n:
			best, by = r, MethodReadability
		case first >= agreement, float64(n) > massLonger*float64(trafilatura) && float64(n) > massOfPage*float64(chars):
			best, by = mass, MethodMass
		}
	}
	best.From, best.To, best.Why = mass.From, mass.To, why
	return best, by
}

// longText counts the characters of a text.
func longText(s string) int {
	n, _ := countText(s)
	return n
}

// shingles counts the runs of four letters or digits of a text.
type shingles struct {
	count map[uint64]int
	all   int
}

// shinglesOf reads at most 64 KB of a text.
func shinglesOf(s string) shingles {
	s = s[:min(len(s), 64<<10)]
	sh := shingles{count: make(map[uint64]int, len(s)/2)}
	var run uint64 // the last four characters, 16 bits each
	n := 0
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			continue
		}
		run = run<<16 | uint64(uint16(unicode.ToLower(r)))
		if n++; n >= 4 {
			sh.count[run]++
			sh.all++
		}
	}
	return sh
}

// likeness is the F1 of two sets of shingles, 0 … 1; 0 when both are empty.
func likeness(a, b shingles) float64 {
	if a.all+b.all == 0 {
		return 0
	}
	both := 0
	for run, n := range a.count {
		both += min(n, b.count[run])
	}
	return 2 * float64(both) / float64(a.all+b.all)
}
