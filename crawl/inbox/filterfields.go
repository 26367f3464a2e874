package inbox

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"angler/crawl/fields"
	"angler/crawl/filter"
)

// This file defines the filter fields for values of notices.

// dueFields are the names of the time until the deadline.
var dueFields = [...]string{"due", "还剩"}

// addFields adds the workspace's fields to a language: each by its name and title, and has:budget.
// If the language has a field of that name, the notice's field is called field_date. due is the
// time until the deadline, see ListedNotice.Due.
func (in *Inbox) addFields(l *filter.Language[row], has *filter.Field[row]) {
	taken := map[string]bool{}
	for _, f := range l.Fields {
		taken[f.Name] = true
		for _, a := range f.Also {
			taken[a] = true
		}
	}
	free := func(names ...string) (out []string) {
		for _, n := range names {
			if n = strings.ToLower(strings.Join(strings.Fields(n), "")); n != "" && !taken[n] {
				taken[n] = true
				out = append(out, n)
			}
		}
		return out
	}
	set := in.Facts.Set()
	for i := range set.Fields() {
		f := &set.Fields()[i]
		names := free(f.Name, f.Title)
		if !slices.Contains(names, f.Name) {
			names = append(free("field_"+f.Name), names...)
		}
		if len(names) == 0 {
			continue
		}
		l.Fields = append(l.Fields, in.filterField(set, f, names))
		if has.Flags[f.Name] == nil {
			name := f.Name
			has.Flags[name] = func(r *row) bool { return r.Facts.Has(name) }
			if t := strings.ToLower(f.Title); t != "" && has.Shown[t] == "" && has.Flags[t] == nil {
				has.Shown[t] = name
			}
		}
	}
	if set.Named("deadline") != nil {
		deadline := in.facts.Field("deadline")
		names := free(dueFields[:]...)
		if len(names) > 0 {
			l.Fields = append(l.Fields, filter.Field[row]{Name: names[0], Also: names[1:],
				Help: "due<7d, how far off the deadline is", Ahead: true,
				Until: func(r *row) time.Time { return r.due(deadline.Time(r.Facts)) }})
		}
	}
}

// filterField returns the filter field for a field of notices.
func (in *Inbox) filterField(set *fields.Set, f *fields.Field, names []string) filter.Field[row] {
	name, field := f.Name, in.facts.Field(f.Name)
	texts := func(r *row) []string { return r.Facts.Texts(name, r.Title) }
	some := func(holds func(string) bool) func(*row) bool {
		some := field.Some(holds)
		return func(r *row) bool { return some(r.Facts, r.Title) }
	}
	out := filter.Field[row]{Name: names[0], Also: names[1:]}
	things := set.Itemised()
	switch {
	case things && f.UnitPrice():
		out.Help, out.Numbers = names[0]+"<5, in yuan, of one thing that is listed",
			func(r *row, holds func(float64) bool) filter.Things {
				return r.Facts.NumbersOf(name, false, holds)
			}
		return out
	case things && (f.Type == fields.Money || f.Type == fields.Number):
		out.Help, out.Numbers = names[0]+">=2, of one thing that is listed or of all together",
			func(r *row, holds func(float64) bool) filter.Things {
				return r.Facts.NumbersOf(name, true, holds)
			}
		return out
	case things && f.Type != fields.Time && f.Type != fields.Choice:
		out.Texts = func(r *row, holds func(string) bool) filter.Things { return r.Facts.TextsOf(name, r.Title, holds) }
	}
	switch f.Type {
	case fields.Money:
		out.Help, out.Number = names[0]+">100w, in yuan, of all lots together",
			func(r *row) (float64, bool) { return field.Number(r.Facts) }
	case fields.Number:
		out.Help, out.Number = names[0]+">=2", func(r *row) (float64, bool) { return field.Number(r.Facts) }
	case fields.Time:
		out.Help, out.Day = names[0]+"<2026-08-01, a day, a month or a year",
			func(r *row) time.Time { return field.Time(r.Facts) }
	case fields.Choice:
		out.Help, out.Text, out.Some = names[0]+":"+slices.Concat(f.Choices, []string{"?"})[0], texts, some
	default:
		out.Help = names[0] + ":" + cmp.Or(map[fields.Type]string{fields.Org: "大学", fields.Person: "王",
			fields.Phone: "027"}[f.Type], "…") + ", a part of it"
		if out.Texts == nil {
			out.Text, out.Some = texts, some
		}
	}
	return out
}
