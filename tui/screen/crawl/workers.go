package crawl

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file shows and controls the workers on other machines. The pane exists only while the engine
// accepts workers.

// workforce is the pane of the workers.
type workforce struct {
	*screen.UI
	*screen.Shared
	hand  screen.Workforce
	role  auth.Role
	table *widget.Table[view.Worker]
}

func newWorkforce(u *screen.UI, sh *screen.Shared, hand screen.Workforce, who auth.Role) *workforce {
	return &workforce{u, sh, hand, who, widget.GivenBy(workerTable(sh), "worker", false)}
}

// gone reports whether no workers are expected.
func (f *workforce) gone() bool { return f.Snap.Machines == nil }

// take passes the workers of a snapshot to the table.
func (f *workforce) take(snap *view.Snapshot) tea.Cmd {
	if snap.Machines == nil {
		return f.table.SetRows(nil)
	}
	return f.table.SetRows(snap.Machines.Rows)
}

// title counts the workers and their concurrent fetches.
func (f *workforce) title() string {
	m, sh := f.Snap.Machines, f.Shared
	if m == nil {
		return sh.T("workers at other machines")
	}
	t := sh.F("workers %s", m.Workers)
	if m.Slots > 0 {
		t += " · " + sh.F("%s of %s slots", m.Busy, m.Slots) + " · " +
			sh.F("%s p/s", perSecond(m.Rate))
	}
	return t
}

// empty tells how to add a worker.
func (f *workforce) empty() string {
	m := f.Snap.Machines
	if m == nil {
		return noWorkers
	}
	if m.Invite == "" {
		return "No worker takes part yet: this process does all of it. See docs/machines.md."
	}
	return f.F(
		"No worker takes part yet: this process does all of it. angler workers invite DIR > FILE writes an "+
			"invitation; with it, at another machine: %s", widget.Clean(m.Invite))
}

const noWorkers = "no workers are expected: angler serve DIR --workers-listen ADDRESS expects them"

// pane is the list of the workers.
func (f *workforce) pane(open func(*view.Worker) tea.Cmd) *screen.Pane {
	p := screen.TablePane(f.Shared, f.table, f.title, f.empty)
	p.Gone = f.gone
	p.Open = screen.OpenRow(f.table, open)
	p.Keys = func() []screen.Binding { return []screen.Binding{f.key(f.table.Meant())} }
	p.Marks, p.Sorts = true, true
	return p
}

// perSecond formats a rate like the status line.
func perSecond(v float64) string {
	if v > 0 && v < 9.95 {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return widget.Count(int(v + .5))
}

func workerTable(sh *screen.Shared) *widget.Table[view.Worker] {
	type row = view.Worker
	return widget.NewTable(func(r *row) uint64 { return screen.Hash(r.Name) },
		func(r *row) string { return r.Name + " " + strings.Join(r.Tags, " ") },
		[]widget.Column[row]{
			{Title: "worker", Width: 10, Flex: 2, Max: 30,
				Cell: func(r *row) (string, widget.Style) { return widget.Clean(r.Name), widget.Plain },
				Less: func(a, b *row) bool { return a.Name < b.Name }},
			{Title: "state", Width: 8, Flex: 1, Max: 12, Drop: 1,
				Cell: func(r *row) (string, widget.Style) { return workerState(sh, r) },
				Text: func(r *row) string { return string(r.State) }},
			{Title: "tags", Width: 6, Flex: 1, Max: 20, Drop: 9,
				Cell: func(r *row) (string, widget.Style) {
					return cmp.Or(widget.Clean(strings.Join(r.Tags, " ")), "·"), widget.Dim
				},
				Text: func(r *row) string { return strings.Join(r.Tags, " ") }},
			screen.Found("hosts", 5, 5, widget.Plain, func(r *row) int { return r.Hosts }),
			{Title: "p/s", Width: 5, Right: true, Drop: 2, Cell: func(r *row) (string, widget.Style) {
				return widget.OrDot(r.Rate > 0, perSecond(r.Rate), widget.Plain)
			}, Number: func(r *row) float64 { return r.Rate }},
			{Title: "in flight", Width: 9, Right: true, Drop: 4,
				Cell: func(r *row) (string, widget.Style) {
					return widget.OrDot(r.Slots != 0, widget.Count(r.Busy)+"/"+widget.Count(r.Slots), widget.Plain)
				}, Number: func(r *row) float64 { return float64(r.Busy) }},
			{Title: "CPU", Width: 5, Right: true, Drop: 6,
				Cell:   func(r *row) (string, widget.Style) { return cpuOf(r), widget.Plain },
				Number: func(r *row) float64 { return r.CPU }},
			{Title: "memory", Width: 6, Right: true, Drop: 7, Cell: func(r *row) (string, widget.Style) {
				return widget.OrDash(r.Memory != 0, widget.Bytes(r.Memory), widget.Plain)
			}, Number: func(r *row) float64 { return float64(r.Memory) }},
			{Title: "seen", Width: 6, Right: true, Drop: 8,
				Cell: func(r *row) (string, widget.Style) { return seenText(sh, r) },
				Less: func(a, b *row) bool { return a.Seen.Before(b.Seen) }},
			screen.Found("errors", 6, 3, widget.Warn, (*row).Wrong),
			{Title: "version", Width: 7, Flex: 1, Max: 14, Drop: 10,
				Cell: func(r *row) (string, widget.Style) { return cmp.Or(widget.Clean(r.Version), "–"), widget.Dim },
				Text: func(r *row) string { return r.Version }},
		}...)
}

// cpuOf formats a worker's use of processors: 140 % are 1.4 processors.
func cpuOf(r *view.Worker) string {
	return widget.Either(r.CPU <= 0, "–", strconv.Itoa(int(r.CPU*100+.5))+"%")
}

// soonSeen is the longest silence of a present worker.
const soonSeen = 6 * time.Second

// seenText formats the last contact of a worker; a present worker shows no age.
func seenText(sh *screen.Shared, r *view.Worker) (string, widget.Style) {
	switch age := sh.Snap.At.Sub(r.Seen); {
	case r.Seen.IsZero():
		return "–", widget.Dim
	case age < soonSeen:
		return sh.T("now"), widget.Dim
	case age < time.Minute:
		return widget.Whole(age), widget.Warn
	default:
		return sh.When(r.Seen), widget.Dim
	}
}

// workerSigns stand before the states of workers that are there.
var workerSigns = map[view.WorkerState]widget.Part{
	view.WorkerWorks:  {Style: widget.Good},
	view.WorkerDrains: widget.Warn.Text("▲ "), view.WorkerStops: widget.Warn.Text("▲ "),
	view.WorkerBanned: widget.Bad.Text("! "), view.WorkerRefused: widget.Bad.Text("! "),
}

// workerState describes a worker in a word.
func workerState(sh *screen.Shared, r *view.Worker) (string, widget.Style) {
	sign, known := workerSigns[r.State]
	return sign.Text + sh.T(string(r.State)), widget.Either(known, sign.Style, widget.Dim)
}

// key acts on the marked workers, or the one under the cursor.
func (f *workforce) key(list []*view.Worker) screen.Binding {
	k := screen.Bind(keymap.Workforce, "no worker is chosen", nil)
	switch {
	case f.gone():
		k.Off = noWorkers
	case len(list) > 0:
		rows := make([]view.Worker, len(list))
		for i, w := range list {
			rows[i] = *w
		}
		k.Off, k.Do = "", screen.Do(func() { f.choose(rows) })
	}
	return k
}

// choose offers the actions on workers.
func (f *workforce) choose(list []view.Worker) {
	sh := f.Shared
	names, busy := make([]string, len(list)), 0
	all := func(has func(*view.Worker) bool) bool {
		return !slices.ContainsFunc(list, func(w view.Worker) bool { return !has(&w) })
	}
	for i := range list {
		names[i], busy = list[i].Name, busy+list[i].Busy
	}
	name := f.name(names)
	drained := func(w *view.Worker) bool { return w.State == view.WorkerDrains }
	banned := func(w *view.Worker) bool { return w.State == view.WorkerBanned }
	order := func(what, order string) func() tea.Cmd {
		return func() tea.Cmd {
			return f.Act(what, func() error { return f.hand.OrderWorkers(names, order) })
		}
	}
	drain, ban := sh.T("it gets no jobs any more; {undo} takes it back"),
		sh.T("it is not let in any more; {undo} takes it back")
	if busy > 0 {
		drain = sh.F("it ends the %s it has and gets no other; {undo} takes it back", sh.N(busy, "job"))
		ban = sh.F("its %s go to others, and it is not let in any more; {undo} takes it back", sh.N(busy, "job"))
	}
	items := []widget.Item{
		{Name: "drain", Note: drain, Mark: all(drained), Do: order(sh.F("%s drained", name), decisions.WorkerDrained)},
		{Name: "let it go on", Note: "it gets jobs again; one that is banned is let in",
			Do: order(sh.F("%s goes on", name), "")},
		{Name: "stop", Note: "its process ends after its jobs; start it again on its machine",
			Do: screen.Do(func() { f.confirm(name, names, busy) })},
		{Name: "ban", Note: ban, Mark: all(banned), Do: order(sh.F("%s banned", name), decisions.WorkerBanned)},
	}
	if all(drained) || all(banned) {
		items[0].Off = "it gets none already"
	}
	if all(func(w *view.Worker) bool { return w.State == view.WorkerWorks }) {
		items[1].Off = "it gets jobs already"
	}
	if !all((*view.Worker).Here) {
		items[2].Off = "it is not there"
	}
	if all(banned) {
		items[3].Off = "it is banned already"
	}
	f.Offer(name, items)
}

// confirm asks before a process ends, which cannot be undone; the confirming key differs from the
// asking key.
func (f *workforce) confirm(name string, names []string, busy int) {
	sh := f.Shared
	when := widget.Either(busy > 0,
		sh.F("after %s; no undo starts it again", sh.N(busy, "job")), sh.T("at once; no undo starts it again"))
	f.Offer(sh.F("stop %s?", name), []widget.Item{
		{Name: "keep it", Note: "nothing happens"},
		{Name: "stop it", Note: when, Do: func() tea.Cmd {
			return f.Act(sh.F("%s stops", name), func() error { return f.hand.StopWorkers(names) })
		}},
	})
}

// name names workers in a sentence.
func (f *workforce) name(names []string) string {
	if len(names) == 1 {
		return f.F("worker %s", widget.Clean(names[0]))
	}
	return f.F("%s marked workers", len(names))
}

// openWorker shows all facts about a worker as they are at that moment.
func (s *crawl) openWorker(r *view.Worker) tea.Cmd {
	sh, row, f := s.Shared, *r, s.workforce
	d := &drill{s: s, title: func() string { return sh.F("worker %s", widget.Clean(row.Name)) }}
	d.text.Indent = 17
	var shown *view.Snapshot
	now := func() *view.Worker {
		if m := sh.Snap.Machines; m != nil && shown != sh.Snap {
			if i := slices.IndexFunc(m.Rows, func(w view.Worker) bool { return w.Name == row.Name }); i >= 0 {
				row = m.Rows[i]
			}
		}
		return &row
	}
	text := &screen.Pane{Title: d.title, Note: d.text.Note, List: &d.text,
		Draw: func(c *widget.Canvas, _ bool) {
			if shown != sh.Snap {
				d.text.Replace(workerDetail(sh, now()))
				shown = sh.Snap
			}
			d.text.Draw(c)
		}, Keys: func() []screen.Binding {
			return append([]screen.Binding{f.key([]*view.Worker{now()})},
				copyKey(&row, func(r *view.Worker) string { return r.Name })...)
		}}
	return s.openDrill(d, whole, text)
}

// workerDetail describes a worker in full.
func workerDetail(sh *screen.Shared, r *view.Worker) []widget.TextLine {
	state, st := workerState(sh, r)
	date := func(at time.Time) string { return screen.If(!at.IsZero(), here(sh, at).Format(time.DateTime)) }
	out := screen.Lines{{widget.Bold.Text(widget.Clean(r.Name))}, {st.Text(state)}, {}}
	out = append(out, factLines(sh, 16, []fact{
		{name: "tags", val: strings.Join(r.Tags, ", ")},
		{name: "in flight", val: sh.F("%s of %s slots", r.Busy, r.Slots)},
		{name: "hosts", val: widget.Count(r.Hosts)},
		{name: "rate", val: sh.F("%s p/s", perSecond(r.Rate))},
		{name: "results", val: widget.Count(r.Done)},
		{name: "CPU", val: cpuOf(r)},
		{name: "memory", val: screen.If(r.Memory > 0, widget.Bytes(r.Memory))},
		{name: "version", val: cmp.Or(widget.Clean(r.Version), "–")},
		{name: "began", val: date(r.Since)},
		{name: "seen", val: date(r.Seen)},
		{name: "dropped", val: screen.If(r.Late > 0, sh.F("%s that came late or twice", sh.N(r.Late, "result")))},
		{name: "malformed", val: screen.If(r.Bad > 0, sh.F("%s that were none", sh.N(r.Bad, "result")))},
	})...)
	if len(r.Failed) > 0 {
		out.Head(sh.T("fetches that brought no page, by kind"))
		for _, k := range r.Failed {
			out = append(out, failedFor(sh, k.Kind, k.N))
		}
	}
	if len(r.Errors) > 0 {
		out.Head(sh.T("errors"))
		for _, e := range r.Errors {
			what := widget.Warn.Text(sh.Says(e.What))
			out = append(out, happened(sh, e.At, e.N, what))
		}
	}
	return out
}

// placeWorkers puts the pane below the hosts if both have room; otherwise tab shows it.
func (s *crawl) placeWorkers(out []widget.Rect, at widget.Rect) {
	const least = 6
	if at.H < 2*least {
		return
	}
	low := at.H / 2
	for i := range out {
		if out[i] == at {
			out[i].H = at.H - low
		}
	}
	out[paneWorkers] = widget.Rect{X: at.X, Y: at.Y + at.H - low, W: at.W, H: low}
}
