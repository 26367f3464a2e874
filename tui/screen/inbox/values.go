package inbox

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/facts"
	"angler/crawl/fields"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// values are the fields of the notice in the reader: the one that is chosen shows where
// it stands, and can be corrected.
type values struct {
	facts screen.Facts
	said  *facts.NoticeFacts
	all   []valueLine
	at    int // in all; -1 = none is chosen
}

// valueLine is one value that is shown.
type valueLine struct {
	f *fields.Field
	v *fields.Value // nil: a person has said that there is none

	more int // values of the field that are left out behind it
}

// mostOfField is how many values of a field are shown of a notice that lists things: they
// stand above the notice's text.
const mostOfField = 6

// take shows what a notice says.
func (x *values) take(said *facts.NoticeFacts, same bool) {
	var chosen string
	if same && x.at >= 0 && x.at < len(x.all) {
		chosen = x.all[x.at].f.Name
	}
	x.said, x.all, x.at = said, nil, -1
	if said == nil {
		return
	}
	list := said.Set.Fields()
	for i := range list {
		f := &list[i]
		before := len(x.all)
		for k := range said.Result.Values {
			if v := &said.Result.Values[k]; v.Field == f.Name {
				if n := len(x.all); n-before < mostOfField || !said.Set.Itemised() {
					x.all = append(x.all, valueLine{f: f, v: v})
				} else {
					x.all[n-1].more++
				}
			}
		}
		if len(x.all) == before && said.Corrected[f.Name] != nil {
			x.all = append(x.all, valueLine{f: f})
		}
		for k := range said.Result.Doubtful {
			if v := &said.Result.Doubtful[k]; v.Field == f.Name {
				x.all = append(x.all, valueLine{f: f, v: v})
			}
		}
	}
	if chosen != "" {
		x.at = slices.IndexFunc(x.all, func(l valueLine) bool { return l.f.Name == chosen })
	}
}

// called is the name of a field where the names beside it begin with small letters.
func called(sh *screen.Shared, f *fields.Field) string {
	return fieldHead(widget.Clean(f.Heading(!chinese(sh))))
}

// lines are the values in w cells, names in one column; below the chosen one stands
// where it comes from.
func (x *values) lines(sh *screen.Shared, text string, w int) []widget.TextLine {
	if len(x.all) == 0 {
		return nil
	}
	var out screen.Lines
	names := 0
	for i := range x.all {
		names = max(names, widget.Width(called(sh, x.all[i].f))+2)
	}
	names = min(names, max(8, w*2/5))
	last := ""
	for i := range x.all {
		l := &x.all[i]
		name := called(sh, l.f)
		if name == last {
			name = ""
		} else {
			last = name
		}
		sign, nameStyle := "  ", widget.Dim
		if i == x.at {
			sign, nameStyle = "▶ ", widget.Accent
		}
		value, st, why := "", widget.Plain, ""
		switch {
		case l.v == nil:
			value, st = correctedSign+" "+sh.T("not said"), widget.Dim
		default:
			value = valueText(sh, l.f, l.v)
			if l.v.Lot != "" {
				lot := widget.Either(x.said.Set.Itemised(), "no. %s", "lot %s")
				value = sh.F(lot, widget.Clean(l.v.Lot)) + "  " + value
			}
			if l.v.Source == fields.FromPerson {
				value = correctedSign + " " + value
			}
			if l.v.Doubt != "" {
				st, why = widget.Dim, "  "+doubtSign+" "+doubtText(sh, l.v.Doubt)
			}
		}
		rows := widget.Wrap(value, max(1, w-names-2), 6)
		for k, row := range rows {
			head := widget.Pad("", names)
			if k == 0 {
				head = widget.Pad(sign+widget.Fit(name, names-2), names)
			}
			line := widget.TextLine{nameStyle.Text(head + "  "), st.Text(row)}
			if k == len(rows)-1 && why != "" {
				line = append(line, widget.Warn.Text(why))
			}
			out = append(out, line)
		}
		if i == x.at {
			out = append(out, x.origin(sh, text, l, names, w)...)
		}
		if l.more > 0 {
			out.Line(widget.Dim.Text(
				widget.Pad("", names+2) + sh.F("… and %s, which exports have", sh.N(l.more, "value"))))
		}
	}
	return out
}

// origin are the lines below the chosen value.
func (x *values) origin(sh *screen.Shared, text string, l *valueLine, indent, w int) []widget.TextLine {
	pad := widget.Pad("", indent) + "  "
	var out screen.Lines
	from := ""
	if l.v != nil {
		from = origin(sh, x.said, l.v)
	} else if c := x.said.Corrected[l.f.Name]; c != nil {
		from = sh.F("corrected by %s", remark(sh, &c.Remark))
	}
	for _, row := range widget.Wrap(from, max(1, w-indent-2), 4) {
		out.Line(widget.Dim.Text(pad + row))
	}
	if l.v == nil {
		return out
	}
	value := widget.Fit(widget.Clean(strings.NewReplacer("\n", " ", "\t", " ").Replace(l.v.Text)), max(4, w/2))
	if before, after, ok := around(text, l.v, (w-indent-4-widget.Width(value))/2); ok {
		out.Line(widget.Dim.Text(pad+"…"+before), widget.Mark.Text(value),
			widget.Dim.Text(after+"…"))
	}
	return out
}

// lit is the printed text of the chosen value, to be lit in the notice.
func (x *values) lit() []string {
	if x.at < 0 || x.at >= len(x.all) || x.all[x.at].v == nil {
		return nil
	}
	text := strings.ToLower(strings.TrimSpace(x.all[x.at].v.Text))
	if text == "" || strings.Contains(text, "\n") {
		return nil
	}
	return []string{text}
}

// fieldKeys go from field to field, and correct one.
func (v *reader) fieldKeys() []screen.Binding {
	off := screen.If(len(v.values.all) == 0, "nothing was read of this notice")
	step := func(n int) func() tea.Cmd {
		return func() tea.Cmd {
			x := &v.values
			if x.at < 0 && n < 0 {
				x.at = 0
			}
			x.at = (x.at + n + len(x.all)) % len(x.all)
			v.again()
			return nil
		}
	}
	correct := screen.If(v.values.said == nil || len(v.values.said.Set.Fields()) == 0,
		"the notices of this workspace have no fields; set harvest.fields")
	return []screen.Binding{
		screen.Bind(keymap.NextField, off, step(1)),
		screen.Bind(keymap.LastField, off, step(-1)),
		screen.Bind(keymap.Correct, correct, v.correct),
	}
}

// correct asks for the right value of the chosen field, or which one is meant.
func (v *reader) correct() tea.Cmd {
	x := &v.values
	if x.at >= 0 && x.at < len(x.all) {
		v.ask(x.all[x.at].f)
		return nil
	}
	list := x.said.Set.Fields()
	var items []widget.Item
	for i := range list {
		f := &list[i]
		note := typedText(f, x.said.Result.Of(f.Name))
		items = append(items,
			widget.Item{Name: widget.Clean(f.Heading(!chinese(v.Shared))), Raw: true, Note: widget.Clean(note),
				Do: screen.Do(func() { v.ask(f) })})
		if x.said.Corrected[f.Name] != nil {
			id, was := v.got.ID, typedText(f, x.said.Read.Of(f.Name))
			items = append(items,
				widget.Item{Name: v.F("%s as it was read", widget.Clean(f.Heading(!chinese(v.Shared)))),
					Raw: true, Note: widget.Clean(was), Do: func() tea.Cmd {
						return v.Act(v.F("corrected %s", f.Name),
							func() error { return x.facts.AsRead(id, f.Name) })
					}})
		}
	}
	v.Offer("fields of the notice", items)
	return nil
}

func (v *reader) ask(f *fields.Field) {
	x, sh, id := &v.values, v.Shared, v.got.ID
	v.AskFilled(typedText(f, x.said.Result.Of(f.Name)), &widget.Prompt[string]{
		Editor: widget.Editor{Label: widget.Clean(f.Heading(!chinese(sh))) + ":",
			Hint: sh.F("%s · several between ； · empty: the notice does not say it", expected(sh, f))},
		Check: func(text string) (string, error) {
			if _, err := x.facts.CheckValue(f.Name, text); err != nil {
				return "", widget.Refusal(expected(sh, f))
			}
			return text, nil
		},
		Do: func(text string) tea.Cmd {
			return v.Act(sh.F("corrected %s", widget.Clean(f.Heading(!chinese(sh)))),
				func() error { return x.facts.SetValue(id, f.Name, text) })
		},
	})
}
