package inbox

import (
	"context"
	"maps"
	"strconv"
	"strings"
	"time"

	"angler/crawl/facts"
	"angler/crawl/fields"
	"angler/crawl/filter"
)

// This file finds sums of money and days by what they are worth: a search for 800万
// finds the notices whose budget is written 8,000,000.00元, too, and a search for
// 2026-08-10 those whose deadline is 8月10日上午9时.

// worth is the sum or the day that a word is as a whole.
type worth struct {
	yuan float64   // 0 = it is no sum
	day  time.Time // zero = it is no day
}

// leastPlain is from how many yuan on a figure without a unit is a sum: smaller ones are
// years, rooms and pieces.
const leastPlain = 10_000

// worthOf is what a word is worth; not ok for other words.
func worthOf(w filter.Word) (x worth, ok bool) {
	if w.Near > 0 {
		return x, false
	}
	if strings.Trim(w.Text, "0123456789-/.年月日") == "" {
		if m, ok := fields.ParseTime(w.Text); ok && !m.Clock {
			return worth{day: m.Time}, true
		}
	}
	a, ok := fields.ParseMoney(w.Text, "")
	if !ok || a.Currency != "" || a.From != 0 || a.To != len(w.Text) {
		return x, false
	}
	yuan, err := strconv.ParseFloat(a.Yuan, 64)
	if err != nil || !a.Unit && yuan < leastPlain {
		return x, false
	}
	return worth{yuan: yuan}, true
}

// of reports whether a value is worth as much.
func (x worth) of(v *facts.PackedValue) bool {
	if x.yuan > 0 {
		return v.Number == x.yuan
	}
	return !v.Time.IsZero() && v.Time.Format(time.DateOnly) == x.day.Format(time.DateOnly)
}

// withWorth returns what was found of words with the notices added that have a sum or a
// day asked for as a value. It looks at the values of all heads where a word is one, and
// at nothing otherwise.
func (in *Inbox) withWorth(ctx context.Context, found map[filter.Word]*hits, now time.Time) (map[filter.Word]*hits, error) {
	var sums, days []string
	for i := range in.Facts.Set().Fields() {
		switch f := &in.Facts.Set().Fields()[i]; f.Type {
		case fields.Money:
			sums = append(sums, f.Name)
		case fields.Time:
			days = append(days, f.Name)
		}
	}
	out := maps.Clone(found)
	for w, h := range found {
		x, ok := worthOf(w)
		names := sums
		if x.yuan == 0 {
			names = days
		}
		if !ok || len(names) == 0 {
			continue
		}
		heads, err := in.heads.all(ctx, in, now)
		if err != nil {
			return nil, err
		}
		ids := h.all()
		for _, head := range heads {
			for _, name := range names {
				for _, v := range head.Facts.Values(name, head.Title) {
					if x.of(&v) {
						ids.Add(head.ID)
					}
				}
			}
		}
		if ids.GetCardinality() > h.all().GetCardinality() {
			out[w] = &hits{ids: ids}
		}
	}
	return out, nil
}
