package facts

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"angler/crawl/fields"
)

// A Field says of many notices what PackedFacts says of each, also for more words than it keeps results for.
func TestFieldOfMany(t *testing.T) {
	set, err := fields.Preset(fields.Tenders)
	if err != nil {
		t.Fatal(err)
	}
	words := NewWords()
	early := words.Field("buyer") // no notice has a buyer yet
	var packed []PackedFacts
	var titles []string
	for i := range 3 * keptTexts {
		buyer := strings.Repeat("东西南北"[3*(i%4):3*(i%4)+3], 1+i/4%700) + "大学"
		title := fmt.Sprintf("%s采购公告", map[bool]string{true: buyer, false: "图书"}[i%5 == 0])
		s := &NoticeFacts{Set: set, Result: &fields.Result{Values: []fields.Value{
			{Field: "kind", Norm: []string{fields.Tender, fields.Award}[i%2]}, {Field: "buyer", Norm: buyer},
			{Field: "buyer", Norm: fmt.Sprintf("第%d中学", i%50)}, {Field: "budget", Norm: fmt.Sprint(1000 * i)},
			{Field: "deadline", Norm: "2026-12-01T09:30+08:00", Clock: true}}}}
		packed, titles = append(packed, words.Pack(s, title)), append(titles, title)
	}
	held := 0
	for _, field := range []packedField{early, words.Field("buyer"), words.Field("kind"), words.Field("winner")} {
		for _, part := range []string{"东东", "中学", "第7中", fields.Award, "没有"} {
			holds := func(s string) bool { return strings.Contains(s, part) }
			some := field.Some(holds)
			for range 2 { // the second time with the kept results
				for i, b := range packed {
					want := slices.ContainsFunc(b.Texts(field.name, titles[i]), holds)
					if got := some(b, titles[i]); got != want {
						t.Fatalf("notice %d: %s:%s is %v, want %v", i, field.name, part, got, want)
					}
					if want {
						held++
					}
				}
			}
		}
	}
	if held == 0 {
		t.Error("no notice has one of the texts")
	}
	budget, deadline := words.Field("budget"), words.Field("deadline")
	for i, b := range packed {
		n, known := budget.Number(b)
		if want, has := b.Number("budget"); n != want || known != has || n != float64(1000*i) {
			t.Errorf("notice %d: a budget of %v, %v", i, n, known)
		}
		if at := deadline.Time(b); !at.Equal(b.Time("deadline")) || at.IsZero() {
			t.Errorf("notice %d: a deadline %v", i, at)
		}
	}
}
