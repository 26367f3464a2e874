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

// This file finds amounts and dates by value. A search for 800万 also finds a budget written
// 8,000,000.00元. A search for 2026-08-10 also finds a deadline written 8月10日上午9时.

// wordValue is a word's value: an amount or a date.
type wordValue struct {
	yuan float64   // 0 = no amount
	day  time.Time // zero = no date
}

// minPlainYuan is the least number without a unit that counts as an amount; smaller ones are years,
// rooms and pieces.
const minPlainYuan = 10_000

// wordValueOf returns the value of a word; ok is false for other words.
func wordValueOf(w filter.Word) (x wordValue, ok bool) {
	if w.Near > 0 {
		return x, false
	}
	if strings.Trim(w.Text, "0123456789-/.年月日") == "" {
		if m, ok := fields.ParseTime(w.Text); ok && !m.Clock {
			return wordValue{day: m.Time}, true
		}
	}
	a, ok := fields.ParseMoney(w.Text, "")
	if !ok || a.Currency != "" || a.From != 0 || a.To != len(w.Text) {
		return x, false
	}
	yuan, err := strconv.ParseFloat(a.Yuan, 64)
	if err != nil || !a.Unit && yuan < minPlainYuan {
		return x, false
	}
	return wordValue{yuan: yuan}, true
}

// of reports whether a value is equal.
func (x wordValue) of(v *facts.PackedValue) bool {
	if x.yuan > 0 {
		return v.Number == x.yuan
	}
	return !v.Time.IsZero() && v.Time.Format(time.DateOnly) == x.day.Format(time.DateOnly)
}

// addValueMatches adds notices whose values equal an amount or a date of the query. It checks the
// values of all heads if a word is one, and does nothing otherwise.
func (in *Inbox) addValueMatches(ctx context.Context, found map[filter.Word]*hits) (map[filter.Word]*hits, error) {
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
		x, ok := wordValueOf(w)
		names := sums
		if x.yuan == 0 {
			names = days
		}
		if !ok || len(names) == 0 {
			continue
		}
		heads, err := in.Heads(ctx)
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
