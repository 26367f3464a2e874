package inbox

import (
	"cmp"
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/facts"
	"angler/crawl/filter"
	"angler/crawl/inbox"
	"angler/crawl/query"
	"angler/crawl/search"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// reader shows one notice in full: its fields, its text, and why it was
// taken. Of quick moves only the last notice is shown.
type reader struct {
	*screen.UI
	*screen.Shared
	notices screen.Pages
	in      *harvest
	row     *inbox.ListedNotice
	id      uint64
	have    screen.DataVersion // of what is shown
	got     *query.NoticeDetail
	err     error
	doc     *document // that is read in place of the notice; nil = none
	asked   screen.Request
	text    widget.Text
	width   int // that the lines were made for
	values  values
	kin     kindred
	forMe   *inbox.WhyForMe
}

// known is all that the engine knows of a notice.
type known struct {
	got   *query.NoticeDetail
	said  *facts.NoticeFacts
	kin   *inbox.Relations
	forMe *inbox.WhyForMe
}

// readAfter is how long a notice is before the eyes until it counts as read.
const readAfter = 400 * time.Millisecond

// widest is how many cells a line of text has at most: longer ones tire the eye.
const widest = 104

// want asks for a notice.
func (v *reader) want(r *inbox.ListedNotice) tea.Cmd {
	if r == nil {
		return nil
	}
	row := *r // the table's rows are replaced
	v.row = &row
	// θ and the quality follow the topic, which may come after the notices.
	want := screen.DataVersion{Model: v.Snap.ModelRev, Acts: v.Acts, Scores: v.Snap.Decided,
		Extra: int(v.Snap.FactsRev)<<20 ^ v.Snap.Files}
	if r.ID == v.id && v.have == want {
		return nil
	}
	if r.ID != v.id {
		v.got, v.err, v.doc = nil, nil, nil
		v.values.take(nil, false)
		v.kin.got, v.forMe = nil, nil
		v.text.Set(nil)
	}
	v.id, v.have = r.ID, want
	id, notices, values, book := r.ID, v.notices, v.values.facts, v.in.inbox
	return screen.Start(&v.asked, v.UI, "opening the notice", func(ctx context.Context) (k known, err error) {
		k.got, err = notices.Notice(ctx, id)
		if err == nil && values != nil {
			k.said, err = values.Of(id)
		}
		if err == nil {
			k.kin, err = book.Kindred(ctx, id)
		}
		if err == nil {
			k.forMe, err = book.WhyForMe(ctx, id)
		}
		return k, err
	}, v.show)
}

// stale makes the next want read the notice again, although it is the one shown.
func (v *reader) stale() { v.have = screen.DataVersion{Acts: -1} }

// again draws the notice again, after something was said of it.
func (v *reader) again() {
	v.lit()
	if v.got != nil && v.width > 0 {
		v.text.Replace(v.lines(v.width))
	}
}

// lit lights the words of the filter, and the chosen value where it stands.
func (v *reader) lit() {
	v.text.Lit = append(slices.Clone(v.in.book.Lit), v.values.lit()...)
}

// show shows what has come of a notice.
func (v *reader) show(m known, err error) tea.Cmd {
	again := v.got != nil && m.got != nil && v.got.ID == m.got.ID
	v.got, v.err = m.got, err
	v.values.take(m.said, again)
	v.kin.got, v.forMe = m.kin, m.forMe
	v.lit()
	switch {
	case m.got == nil:
		v.text.Set(nil)
		return nil
	case again:
		v.again()
		return nil
	}
	v.text.Set(v.lines(max(1, v.width)))
	if v.in.reading() {
		return v.in.dwell(m.got.ID)
	}
	return nil
}

// lines are what is shown of the notice in w cells.
func (v *reader) lines(w int) []widget.TextLine {
	if v.doc != nil {
		return v.documentLines(w)
	}
	n, sh := v.got, v.Shared
	title, tail := widget.Clean(n.Title), ""
	if v.row != nil && v.row.ID == n.ID && v.row.Cut < len(n.Title) {
		title, tail = widget.Clean(n.Title[:v.row.Cut]), " "+widget.Clean(n.Title[v.row.Cut:])
	}
	out := screen.Lines{{widget.Bold.Text(title), widget.Dim.Text(tail)},
		{widget.Key.Text(widget.Clean(n.URL))}, {{}}}
	out = append(out, fieldLines(append(v.fields(), v.kin.fields(sh)...), w)...)
	if lines := v.values.lines(sh, n.Text, w); lines != nil {
		out = append(append(out, rule(w)), lines...)
	}
	out = append(out, v.kin.project(sh, w)...)
	for i, f := range n.Files {
		out = append(out, v.fileLines(i, &f, w)...)
	}
	switch {
	case len(n.Files) == 1:
		out.Line(widget.Dim.Text(sh.T("{open} opens it")))
	case len(n.Files) > 1:
		out.Line(widget.Dim.Text(sh.T("{open} and the number open one")))
	}
	out = append(out, rule(w))
	if n.Text == "" {
		out.Line(widget.Dim.Text(sh.T("No text was found on the page.")))
	}
	out = append(out, body(n.Text, w)...)
	out = append(out, v.kin.versions(sh, w)...)
	out = append(out, rule(w))
	out.Line(widget.Head.Text(sh.T("why it was taken")))
	return append(out, fieldLines(v.reasons(), w)...)
}

// snippet is where the words of the filter stand in a text; "" when they do not.
func snippet(text string, words []string) string {
	asked := widget.Map(words, func(w string) filter.Word { return filter.Word{Text: w} })
	part, lit := search.Snippet(text, asked, 60)
	if len(lit) == 0 {
		return ""
	}
	return widget.Clean(part)
}

// field is one fact of a notice.
type field struct {
	name  string // translated
	value string // clean
	st    widget.Style
}

// newFields returns a list and the function that adds a field with a value to it.
func newFields(sh *screen.Shared) (list *[]field, tell func(name, value string, st widget.Style)) {
	list = new([]field)
	return list, func(name, value string, st widget.Style) {
		if value != "" {
			*list = append(*list, field{sh.T(name), value, st})
		}
	}
}

// fields returns the fields of the notice that have a value. New kinds of facts add a line here.
func (v *reader) fields() []field {
	n, sh := v.got, v.Shared
	out, tell := newFields(sh)
	date := cmp.Or(n.Date.String(), "–")
	tell("date", date+" · "+sh.F("first seen %s", n.At.Local().Format("2006-01-02 15:04")), widget.Plain)
	site := widget.Clean(n.Host)
	if v.row != nil && v.row.ID == n.ID && v.row.Site != "" && v.row.Site != n.Host {
		site = widget.Clean(v.row.Site) + " · " + site
	}
	tell("source", site, widget.Plain)
	if len(v.in.book.Lit) > 0 {
		tell("found", snippet(n.Text, v.in.book.Lit), widget.Plain)
	}
	if v.row == nil || v.row.ID != n.ID {
		return *out
	}
	m := v.in.said.marks(v.row)
	if m.Starred() {
		tell("starred", starSign+" "+remark(sh, m.Star), widget.Warn)
	}
	if m.IsDone() {
		tell("done", doneSign+" "+remark(sh, m.Done), widget.Good)
	}
	if l := m.Judgement(); l != "" {
		_, st := screen.LabelSign(l)
		tell("verdict", sh.T(string(l))+" · "+remark(sh, m.Judged), st)
	}
	if text := m.Says(); text != "" {
		tell("note", widget.Clean(text)+"  ("+remark(sh, m.Noted)+")", widget.Accent)
	}
	if n := v.row.Copies; n > 0 {
		tell("copies", sh.F("the same in %s; {unfold} in the list unfolds, {fold} folds", sh.N(n, "more notice")),
			widget.Dim)
	}
	return *out
}

// reasons say why the harvest took this notice.
func (v *reader) reasons() []field {
	n, sh := v.got, v.Shared
	list := widget.Clean(n.Source)
	if t := widget.Clean(n.SourceTitle); t != "" {
		list = t + " · " + list
	}
	out, tell := newFields(sh)
	tell("list", list, widget.Plain)
	tell("in its frame", widget.Clean(n.Frame), widget.Plain)
	score := widget.Either(n.Confirmed,
		sh.F("%s; an analyst has confirmed the list", widget.Score(n.Score, 3)),
		sh.F("%s, θ is %s now", widget.Score(n.Score, 3), widget.Score(n.Theta, 3)))
	tell("list's score", score, widget.Plain)
	switch {
	case n.Confirmed:
		tell("record", sh.T("every record of a confirmed list is taken"), widget.Plain)
	case n.Pattern != "":
		tell("record", sh.F("the title holds %s", quoted(n.Pattern)), widget.Plain)
	default:
		tell("record", sh.T("no pattern asks for anything: every record of the list is taken"), widget.Plain)
	}
	if v.forMe != nil {
		tell("for me", forMeText(sh, v.forMe, v.in.fieldNamed), widget.Plain)
	}
	if v.row != nil && v.row.Answer != nil {
		tell("model", answerText(sh, v.row.Answer, v.row.Stale), widget.Plain)
	}
	if q := v.in.hand.of(n.Quality); q != nil {
		tell("quality", qualityText(sh, q), widget.Dim)
		tell("PageRank", rankText(sh, q), widget.Dim)
	}
	if k := v.kin.got; k != nil && k.Check != nil {
		tell("content", checked(sh, k), widget.Plain)
	}
	tell("text by", sh.Value("", widget.Clean(n.Method)), widget.Dim)
	return *out
}

func (v *reader) pane() *screen.Pane {
	return &screen.Pane{
		Title: func() string {
			t := v.in.notices
			if v.doc != nil {
				return v.F("document %s", fileName(&v.doc.of))
			}
			title := v.T("notice")
			if t.Selected() != nil {
				title = v.F("notice %s of %s", t.At()+1, t.Len())
			}
			if v.row == nil {
				return title
			}
			m := v.in.said.marks(v.row)
			if !v.in.said.isRead(v.row) {
				title += " " + unreadSign
			}
			if m.Starred() {
				title += " " + starSign
			}
			if m.IsDone() {
				title += " " + doneSign
			}
			if l := m.Judgement(); l != "" {
				sign, _ := screen.LabelSign(l)
				title += " " + sign
			}
			return title
		},
		Note:    v.text.Note,
		Draw:    v.draw,
		List:    &v.text,
		Open:    v.documentKey,
		Figures: v.figures,
	}
}

func (v *reader) draw(c *widget.Canvas, _ bool) {
	switch {
	case v.err != nil:
		widget.DrawNote(c, v.F("The notice cannot be shown: %s", v.Reason(v.err)))
		return
	case v.got == nil:
		widget.DrawNote(c, "opening …")
		return
	}
	w, h := c.Size()
	x := widget.Either(w > 60, 1, 0)
	room := max(1, w-2*x)
	if room > widest { // a page in the middle of a wide screen
		x, room = (w-widest)/2, widest
	}
	if v.width != room {
		v.width = room
		v.text.Replace(v.lines(room))
	}
	v.text.Draw(c.Sub(widget.Rect{X: x, W: room, H: h}))
}

// scrollKeys scroll the notice from the list.
func (v *reader) scrollKeys() []screen.Binding {
	off := screen.If(v.got == nil, "no notice is chosen")
	return []screen.Binding{
		screen.Bind(keymap.ScrollDown, off, screen.Do(func() { v.Scroll(&v.text, v.text.Page()/2) })),
		screen.Bind(keymap.ScrollUp, off, screen.Do(func() { v.Scroll(&v.text, -v.text.Page()/2) })),
	}
}

// keys are those of the reader alone.
func (v *reader) keys() []screen.Binding {
	next := func(n int) func() tea.Cmd {
		return func() tea.Cmd {
			v.in.notices.Move(n)
			return v.in.moved()
		}
	}
	end, begin := "", ""
	if t := v.in.notices; t.At() >= t.Len()-1 {
		end = "this is the last notice of the list"
	}
	if v.in.notices.At() == 0 {
		begin = "this is the first notice of the list"
	}
	return []screen.Binding{
		screen.Bind(keymap.NextNotice, end, next(1)),
		screen.Bind(keymap.LastNotice, begin, next(-1)),
		screen.Bind(keymap.ReadDown, "", func() tea.Cmd {
			if v.text.AtEnd() && end == "" {
				return next(1)()
			}
			v.Scroll(&v.text, v.text.Page())
			return nil
		}),
		screen.Bind(keymap.ReadUp, "", screen.Do(func() { v.Scroll(&v.text, -v.text.Page()) })),
	}
}
