package inbox

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"angler/crawl/facts"
	"angler/crawl/fields"
	"angler/crawl/inbox"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file shows the values of fields: as columns of the list, and as texts.

// Signs of values.
const (
	doubtSign     = "?"
	correctedSign = "✎"
)

// fieldTitle is the head of a field's column.
func fieldTitle(f *fields.Field) string { return f.Heading(true) }

// fieldHead is the title of a field as the other heads of the list are written: it begins
// with a small letter, unless it is an abbreviation.
func fieldHead(title string) string {
	if len(title) > 1 && title[0] >= 'A' && title[0] <= 'Z' && title[1] >= 'a' && title[1] <= 'z' {
		return strings.ToLower(title[:1]) + title[1:]
	}
	return title
}

// shownFirst are the columns of fields that are shown where there is room.
var shownFirst = []string{"buyer", "deadline", "budget"}

// fieldColumns are the columns of the fields, left out until the reader chooses them but
// for shownFirst. One whose head is taken already is left out for good.
func (s *harvest) fieldColumns(list []fields.Field,
	taken []widget.Column[inbox.ListedNotice]) []widget.Column[inbox.ListedNotice] {
	type row = inbox.ListedNotice
	titles := map[string]bool{}
	for _, c := range taken {
		titles[c.Title] = true
	}
	var out []widget.Column[row]
	for i := range list {
		f, title := &list[i], fieldTitle(&list[i])
		if titles[title] {
			continue
		}
		titles[title] = true
		name := f.Name
		c := widget.Column[row]{Title: title, Head: called(s.Shared, f), Width: 12, Max: 28, Flex: 1, Drop: 10,
			Off: true}
		if slices.Contains(shownFirst, name) {
			c.Off, c.Drop = false, 2
		}
		switch f.Type {
		case fields.Money, fields.Number:
			c.Right, c.Flex, c.Width = true, 0, 10
			each := f.UnitPrice()
			c.Cell = func(r *row) (string, widget.Style) {
				return s.cell(r, name, func() cellText {
					v, known := r.Facts.Number(name)
					if !known {
						return cellText{}
					}
					if least, most, _ := r.Facts.Range(name); each && least < most {
						return cellText{text: s.money(least, f.Type) + "–" + s.money(most, f.Type)}
					}
					return cellText{text: s.money(v, f.Type)}
				}).text, s.faint(r)
			}
			c.Number = func(r *row) float64 {
				v, known := r.Facts.Number(name)
				if !known {
					return -1
				}
				if each { // as the column shows it: from the lowest price
					v, _, _ = r.Facts.Range(name)
				}
				return v
			}
		case fields.Time:
			c.Flex, c.Width = 0, 11
			c.Cell = func(r *row) (string, widget.Style) { return s.moment(r, name) }
			c.Number = func(r *row) float64 {
				if at := r.Facts.Time(name); !at.IsZero() {
					return float64(at.Unix())
				}
				return 0
			}
		default:
			c.Cell = func(r *row) (string, widget.Style) {
				return s.cell(r, name, func() cellText {
					return cellText{text: widget.Clean(strings.Join(r.Facts.Texts(name, r.Title), "、"))}
				}).text, s.faint(r)
			}
			c.Text = func(r *row) string {
				if v := r.Facts.Texts(name, r.Title); len(v) > 0 {
					return v[0]
				}
				return ""
			}
		}
		out = append(out, c)
	}
	return out
}

// soon is how near a deadline must be to be lit.
const soon = 3 * 24 * time.Hour

func (s *harvest) moment(r *inbox.ListedNotice, name string) (string, widget.Style) {
	got := s.cell(r, name, func() cellText {
		at := r.Facts.Time(name)
		if at.IsZero() {
			return cellText{}
		}
		form := "01-02 15:04"
		if at.Year() != s.Snap.At.In(at.Location()).Year() {
			form = time.DateOnly
		}
		if values := r.Facts.Values(name, r.Title); len(values) > 0 && !values[0].Clock {
			form = time.DateOnly
		}
		return cellText{at.Format(form), at}
	})
	switch left := got.at.Sub(s.Snap.At); {
	case got.text == "":
		return "", widget.Dim
	case name != "deadline":
		return got.text, s.faint(r)
	case left < 0:
		return got.text, widget.Dim
	case left < soon:
		return got.text, widget.Warn
	}
	return got.text, s.faint(r)
}

// cells keep what stands in the columns of fields, so that a frame lays out no value
// anew. They are emptied when other notices are listed, and with the year.
type cells struct {
	year int
	of   map[cellKey]cellText
}

type cellKey struct {
	id    uint64
	field string
}

type cellText struct {
	text string
	at   time.Time // of a time
}

// mostCells are kept.
const mostCells = 4096

// cell is what stands in the column of a field.
func (s *harvest) cell(r *inbox.ListedNotice, field string, lay func() cellText) cellText {
	c := &s.cells
	if year := s.Snap.At.Year(); year != c.year || len(c.of) >= mostCells {
		c.year, c.of = year, map[cellKey]cellText{}
	}
	key := cellKey{r.ID, field}
	got, ok := c.of[key]
	if !ok {
		got = lay()
		c.of[key] = got
	}
	return got
}

// money is a sum in few cells: 92.28万 in Chinese, 922,800 in English.
func (s *harvest) money(v float64, t fields.Type) string {
	if t == fields.Money && chinese(s.Shared) {
		for _, unit := range []struct {
			by   float64
			name string
		}{{1e8, "亿"}, {1e4, "万"}} {
			if v >= unit.by {
				return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v/unit.by, 'f', 2, 64), "0"), ".") +
					unit.name
			}
		}
	}
	return grouped(v)
}

// grouped is a number with a mark every three digits.
func grouped(v float64) string {
	whole, cents, _ := strings.Cut(strconv.FormatFloat(v, 'f', 2, 64), ".")
	n, err := strconv.Atoi(whole)
	switch {
	case err != nil:
		return whole
	case cents == "00":
		return widget.Count(n)
	}
	return widget.Count(n) + "." + cents
}

func chinese(sh *screen.Shared) bool { return sh.Lang != nil && sh.Code == "zh" }

// valueText is a value as the reader shows it.
func valueText(sh *screen.Shared, f *fields.Field, v *fields.Value) string {
	switch f.Type {
	case fields.Money:
		if x, err := strconv.ParseFloat(v.Norm, 64); err == nil {
			return sh.F("%s yuan", grouped(x))
		}
	case fields.Time:
		out := strings.ReplaceAll(strings.ReplaceAll(v.Norm, "+08:00", ""), "T", " ")
		return strings.ReplaceAll(out, "/", " – ")
	}
	return widget.Clean(v.Norm)
}

// typedText is a value as it is typed.
func typedText(f *fields.Field, list []fields.Value) string {
	var out []string
	for i := range list {
		v := &list[i]
		if f.Type == fields.Time {
			out = append(out, strings.ReplaceAll(strings.ReplaceAll(v.Norm, "+08:00", ""), "T", " "))
			continue
		}
		out = append(out, v.Norm)
	}
	return strings.Join(out, "；")
}

// expectations says what a value of a type looks like.
var expectations = map[fields.Type]string{
	fields.Money:  "a sum of money: 92.28万, 902460.50",
	fields.Time:   "a time: 2026-07-18 09:30, or the day alone",
	fields.Number: "a number",
	fields.Org:    "the name of an organisation",
	fields.Person: "the name of a person",
	fields.Phone:  "a telephone number",
}

// expected says what a value of the field looks like.
func expected(sh *screen.Shared, f *fields.Field) string {
	if f.Type == fields.Choice {
		return sh.F("one of %s", strings.Join(f.Choices, " "))
	}
	return sh.T(cmp.Or(expectations[f.Type], "a text"))
}

// doubtText says why a value is not believed.
func doubtText(sh *screen.Shared, why string) string {
	if kind, ok := fields.DoubtedKind(why); ok {
		return sh.F("the notice is one of the kind %s", kind)
	}
	return sh.T(why)
}

// sources names the places where values stand.
var sources = map[fields.Source]string{
	fields.FromTable:    "a table of the text",
	fields.FromLine:     "a line of the text",
	fields.FromSentence: "a sentence",
	fields.FromTitle:    "the title",
	fields.FromNames:    "the names of places",
}

// origin says where a value stands and how sure it is.
func origin(sh *screen.Shared, said *facts.NoticeFacts, v *fields.Value) string {
	var parts []string
	if c := said.Corrected[v.Field]; c != nil && v.Source == fields.FromPerson {
		parts = append(parts, sh.F("corrected by %s", remark(sh, &c.Remark)))
		if was := said.Read.Of(v.Field); len(was) > 0 {
			parts = append(parts, sh.F("read was %s", widget.Clean(was[0].Norm)))
		}
		return strings.Join(parts, " · ")
	}
	switch {
	case v.Source == fields.FromTable && v.Table > 0:
		parts = append(parts, sh.F("table %d, row %d, column %d", v.Table, v.Row, v.Column))
	case v.Source == fields.FromAttachment:
		parts = append(parts, sh.F("the document “%s”", widget.Clean(strings.TrimSpace(v.Label))))
	case sources[v.Source] != "":
		parts = append(parts, sh.T(sources[v.Source]))
	}
	if v.Label != "" && v.Source != fields.FromAttachment {
		parts = append(parts, sh.F("behind “%s”", widget.Clean(strings.TrimSpace(v.Label))))
	}
	parts = append(parts, sh.F("certainty %s", fmt.Sprintf("%.2f", v.Sure)))
	if v.Agree > 0 {
		parts = append(parts, sh.F("%s more say the same", sh.N(v.Agree, "place")))
	}
	return strings.Join(parts, " · ")
}

// around is the text before and after a value, where it stands, each in at most w cells.
func around(text string, v *fields.Value, w int) (before, after string, ok bool) {
	if w < 4 || v.To <= v.From || v.To > len(text) || v.Source == fields.FromTitle ||
		v.Source == fields.FromAttachment || v.Source == fields.FromPerson {
		return "", "", false
	}
	const room = 120 // bytes
	a, b := max(0, v.From-room), min(len(text), v.To+room)
	flat := func(s string) []rune {
		return []rune(widget.Clean(strings.NewReplacer("\n", " ", "\t",
			"│").Replace("." + strings.ToValidUTF8(s, "") + ".")))
	}
	head, tail := flat(text[a:v.From]), flat(text[v.To:b])
	head, tail = head[1:len(head)-1], tail[1:len(tail)-1] // the dots keep the spaces at the ends
	for widget.Width(string(head)) > w {
		head = head[1:]
	}
	for widget.Width(string(tail)) > w {
		tail = tail[:len(tail)-1]
	}
	return string(head), string(tail), true
}
