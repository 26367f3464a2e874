package tui

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"angler/crawl/view"
	"angler/tui/lang"
	"angler/tui/role"
	"angler/tui/screen"
	"angler/tui/ui"
)

// body is the height of a screen: all but tab bar, status line and footer,
// which a very low terminal loses from the bottom up.
func (a *app) body() int {
	switch {
	case a.h >= 4:
		return a.h - 3
	case a.h == 3:
		return 1
	}
	return a.h - 1
}

// View implements tea.Model: the whole screen, every cell of it.
func (a *app) View() string {
	c := a.canvas
	c.Clear()
	a.drawTabs(c)
	a.screens[a.at].View(c.Sub(ui.Rect{Y: 1, W: a.w, H: a.body()}))
	if a.h >= 3 {
		a.drawStatus(c, 1+a.body())
	}
	if !a.ready {
		a.opening.draw(c.Sub(ui.Rect{Y: 1, W: a.w, H: a.body()}))
	}
	a.over.draw(c)
	if a.h >= 4 {
		a.drawFooter(c, a.h-1)
	}
	return c.String()
}

// tabs returns where the tabs stand on the first row.
func (a *app) tabs() []ui.Rect {
	out := make([]ui.Rect, len(a.screens))
	x := a.brand()
	for i := range a.screens {
		w := ui.Width(a.tab(i))
		out[i] = ui.Rect{X: x, W: w, H: 1}
		x += w
	}
	return out
}

// tab is the text of one tab: only the open one keeps its name when there is
// no room for all. Home, whose key is like no other, loses its name first.
func (a *app) tab(i int) string {
	n := strconv.Itoa(i)
	switch {
	case i == a.at:
		return "[" + n + " " + a.shared.T(a.screens[i].Name()) + "]"
	case i == 0 && a.w < a.fullTabs(true)+roomOfHome, a.w < a.fullTabs(false):
		return " " + n + " "
	}
	return " " + n + " " + a.shared.T(a.screens[i].Name()) + " "
}

const (
	roomOfBrand = 10 // that the program's name takes before the tabs
	roomOfHome  = 60 // beside all tabs: below it the names of viewers are worth more than Home's
)

// fullTabs is the width of all tabs with their names; that of Home counts while
// it is open, or when it is asked for.
func (a *app) fullTabs(home bool) int {
	n := 0
	for i, s := range a.screens {
		n += len(strconv.Itoa(i)) + 2
		if i > 0 || a.at == 0 || home {
			n += 1 + ui.Width(a.shared.T(s.Name()))
		}
	}
	return n
}

// brand returns how many cells stand before the tabs.
func (a *app) brand() int {
	named := 10 + min(22, ui.Width(nameOf(a.shared.Snap))) + 2
	switch room := a.w - a.fullTabs(a.w >= a.fullTabs(true)+roomOfHome); {
	case room >= max(34, named):
		return named
	case room >= roomOfBrand:
		return roomOfBrand
	case room == 0:
		return 0
	}
	return 1
}

// nameOf is the name of the workspace and its topic.
func nameOf(s *view.Snapshot) string {
	name := s.Workspace
	if s.Topic != "" && s.Topic != name {
		if name != "" {
			name += " · "
		}
		name += s.Topic
	}
	return ui.Clean(name)
}

func (a *app) drawTabs(c *ui.Canvas) {
	if x := a.brand(); x >= 10 {
		c.Text(1, 0, ui.Accent|ui.Bold, "angler")
		if x > 12 {
			c.Text(9, 0, ui.Plain, ui.Fit(nameOf(a.shared.Snap), 22))
		}
	}
	end := 0
	for i, r := range a.tabs() {
		st := ui.Dim
		if i == a.at {
			st = ui.Accent | ui.Bold
		}
		c.Text(r.X, 0, st, a.tab(i))
		if i != a.at {
			c.Text(r.X+1, 0, ui.Key, strconv.Itoa(i))
		}
		end = r.X + r.W
	}
	mark, st := "", ui.Dim
	switch {
	case a.frozen:
		mark, st = a.shared.T(" FROZEN f "), ui.Warn|ui.Invert|ui.Bold
	case !a.mouse:
		mark = a.shared.T("mouse off M")
	default:
		mark = a.present(a.w - end - 3)
	}
	switch x := a.w - ui.Width(mark) - 1; {
	case mark == "":
	case x > end:
		c.Text(x, 0, st, mark)
	case a.brand() >= ui.Width(mark): // in the place of the program's name
		c.Text(0, 0, st, mark)
	}
}

// part is one fact of the status line; a narrow line keeps the small ranks.
type part struct {
	rank int
	st   ui.Style
	text string
}

func (a *app) drawStatus(c *ui.Canvas, y int) {
	if a.asking {
		c.Fill(ui.Rect{Y: y, W: a.w, H: 1}, ui.Warn|ui.Invert, " ")
		c.Say(1, y, ui.Warn|ui.Invert|ui.Bold, "A crawl is running. Quit and stop it? y quits, any other key stays.")
		return
	}
	if a.undoing != nil {
		c.Fill(ui.Rect{Y: y, W: a.w, H: 1}, ui.Warn|ui.Invert, " ")
		c.Text(1, y, ui.Warn|ui.Invert|ui.Bold, undoQuestion(a.undoing, a.shared.Lang, a.o.Now(), a.w-2))
		return
	}
	right, ask := a.shared.T("? help  : palette"), "?"
	if b, ok := screen.Find(a.bindings(), "?"); ok && b.Name() != "help" { // the screen has a use for it
		right, ask = a.shared.T("f1 help  : palette"), "f1"
	}
	room := a.w - 2
	if a.w >= 76 {
		room -= ui.Width(right) + 2
		c.Text(a.w-1-ui.Width(right), y, ui.Dim, right)
		c.Text(a.w-1-ui.Width(right), y, ui.Key, ask)
		c.Text(a.w-1-ui.Width(right[strings.IndexByte(right, ':'):]), y, ui.Key, ":")
	}
	parts := a.facts()
	switch line := a.work.shown(); {
	case a.flash != "": // beside the state, which must never be hidden
		parts = append(parts[:1], part{0, a.flashSt | ui.Bold, a.flash})
	case !a.ready:
		parts = []part{{0, ui.Accent, a.shared.Line(a.opening.line) + " …"}}
	case line != "" && a.shared.Snap.Job.Name != "": // the job tells more than a spinner
		parts = append(parts[:1], part{0, ui.Accent, jobLine(a.shared.Lang, a.shared.Snap.Job) + " · " + a.shared.T("esc cancels")})
	case line != "":
		parts = append(parts[:1], part{0, ui.Accent, line})
	}
	width := func() int {
		n := 0
		for _, p := range parts {
			n += ui.Width(p.text) + 3
		}
		return n - 3
	}
	for len(parts) > 2 && width() > room {
		worst := 0
		for i, p := range parts {
			if p.rank >= parts[worst].rank {
				worst = i
			}
		}
		parts = append(parts[:worst], parts[worst+1:]...)
	}
	x := 1
	for i, p := range parts {
		if i > 0 {
			x = c.Text(x, y, ui.Line, " · ")
		}
		x = c.Text(x, y, p.st, ui.Fit(p.text, room+1-x))
	}
}

// facts are what the status line tells, in the order of reading.
func (a *app) facts() []part {
	s := a.shared.Snap
	task := s.Task
	if task == "" {
		task = "crawl"
	}
	var run part
	switch s.State {
	case view.Running:
		run = part{0, ui.Good | ui.Bold, "▶ " + a.shared.T(task)}
	case view.Paused:
		run = part{0, ui.Warn | ui.Invert | ui.Bold, a.shared.T(" ‖ PAUSED ")}
	case view.Draining:
		run = part{0, ui.Warn, a.shared.F("▶ %s stops", a.shared.T(task))}
	default:
		run = part{0, ui.Dim, a.shared.T("■ idle")}
	}
	out := []part{run}
	if a.o.Role == role.Viewer {
		out = append(out, part{1, ui.Warn, a.shared.T("read only")})
	}
	if news := a.news(); news != "" {
		out = append(out, part{0, ui.Accent | ui.Bold, news})
	}
	if n := s.Terms.New; n > 0 && s.Terms.Proposal > a.shared.TermsSeen {
		out = append(out, part{2, ui.Accent, a.shared.F("%s · 2 T", a.shared.N(n, "new term"))})
	}
	if s.Job.Name != "" {
		out = append(out, part{1, ui.Accent, jobLine(a.shared.Lang, s.Job)})
	}
	if s.Why != "" {
		out = append(out, part{1, ui.Warn, a.shared.Line(ui.Clean(s.Why))})
	}
	if !s.DictReady {
		text, st := a.shared.T("dictionary loads"), ui.Warn
		if s.DictErr != "" {
			text, st = a.shared.F("dictionary: %s", ui.Clean(s.DictErr)), ui.Bad
		}
		out = append(out, part{2, st, text})
	}
	theta := "θ " + ui.Score(s.Theta, 3)
	if s.ThetaAuto {
		theta += a.shared.T(" auto")
	}
	if s.Counts.Samples == 0 { // nothing is judged yet
		theta = "θ –"
	}
	judge := part{5, ui.Plain, theta}
	if s.Learner.InUse {
		judge = part{2, ui.Accent, a.shared.T("learner decides")}
	}
	errs := ui.Plain
	if s.ErrorRate >= .05 {
		errs = ui.Bad
	}
	out = append(out,
		part{3, ui.Plain, a.shared.F("%s p/s", strconv.FormatFloat(s.Rate, 'f', 0, 64))},
		part{6, ui.Plain, a.shared.F("harvest %s", ui.Score(s.HarvestRate, 2))},
		part{4, ui.Plain, a.shared.F("queue %s", ui.Count(s.Counts.Waiting))},
		part{7, errs, a.shared.F("errors %s", ui.Percent(s.ErrorRate))},
		judge,
	)
	// A snapshot of an idle engine does not age, and a young one is young: what
	// says so must not write to the terminal five times a second, and over a line
	// not even every second.
	if age := a.o.Now().Sub(s.At); !s.At.IsZero() && (s.State != view.Idle || a.frozen) && (a.o.Display == nil || a.frozen || age >= 2*time.Second) {
		span := ui.Span(age.Truncate(time.Second))
		if age < time.Second {
			span = "<1 s"
		}
		st, text := ui.Dim, a.shared.F("snapshot %s", span)
		if a.frozen {
			st = ui.Warn
		}
		out = append(out, part{8, st, text})
	}
	return out
}

// jobLine tells how far background work has come.
func jobLine(l *lang.Lang, j view.Job) string {
	share := 0.0
	if j.Total > 0 {
		share = float64(j.Done) / float64(j.Total)
	}
	return l.T(ui.Clean(j.Name)) + " " + ui.Meter(share, 8) + " " + l.F("%s of %s", ui.Count(j.Done), ui.Count(j.Total))
}

func (a *app) drawFooter(c *ui.Canvas, y int) {
	if a.over.prompt != nil {
		a.over.prompt.Draw(c, y)
		return
	}
	if hints := a.over.hints(); hints != nil {
		c.Fill(ui.Rect{Y: y, W: a.w, H: 1}, ui.Plain, " ")
		c.Block(1, y, c.Theme().Hints(hints, a.w-2))
		return
	}
	room := a.w
	if a.w < 76 && a.w > 20 { // where the status line has no room for it
		help, ask := a.shared.T("help"), "?"
		if b, ok := screen.Find(a.bindings(), "?"); ok && b.Name() != "help" {
			ask = "f1"
		}
		room -= ui.Width(help) + len(ask) + 3
		x := c.Text(room+1, y, ui.Key, ask)
		c.Text(x+1, y, ui.Dim, help)
	}
	list := a.bindings()
	slices.SortStableFunc(list, func(a, b screen.Binding) int { return int(a.Foot) - int(b.Foot) })
	x := 1
	for i := 0; i < len(list); i++ {
		b := list[i]
		if b.Foot == 0 || b.Off != "" {
			continue
		}
		keys := []string{b.Printed()}
		for i+1 < len(list) && list[i+1].Name() == b.Name() && list[i+1].Foot == b.Foot {
			i++
			keys = append(keys, list[i].Printed())
		}
		name := a.shared.T(b.Name())
		w := ui.Width(name) + 1
		for _, k := range keys {
			w += ui.Width(k) + 1
		}
		if x+w > room {
			break
		}
		for _, k := range keys {
			x = c.Text(x, y, ui.Key, k) + 1
		}
		x = c.Text(x, y, ui.Dim, name) + 2
	}
}
