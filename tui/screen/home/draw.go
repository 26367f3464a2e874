package home

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"angler/crawl/view"
	"angler/store/records"
	"angler/tui/screen"
	"angler/tui/widget"
)

// drawn is the story as it was laid out last.
type drawn struct {
	of    *view.Snapshot
	seen  int // looks for seeds
	theme *widget.Theme
	keys  string // that the text names
	text  string
	title string
	note  string
}

// View implements Screen.
func (h *Home) View(c *widget.Canvas) {
	if h.drawn.of != h.Snap || h.drawn.seen != h.SeedsSeen || h.drawn.theme != c.Theme() ||
		h.drawn.keys != h.keys() {
		h.fit(c.Theme())
		h.lay(c.Theme())
	}
	box := c.Sub(h.box)
	in := widget.Frame(box, h.drawn.title, "", true)
	w, height := in.Size()
	if room := w - 4; h.drawn.note != "" && height > 0 && room > 0 {
		note := widget.Fit(" "+h.drawn.note+" ", room)
		box.Text(w-1-widget.Width(note), height+1, widget.Key|widget.Bold, note)
	}
	top := widget.Either(height > len(steps)+6, 1, 0)
	h.rows = widget.Rect{X: h.box.X + 1, Y: h.box.Y + 1 + top, W: w, H: min(len(steps), max(0, height-top))}
	in.Sub(widget.Rect{X: 1, W: w - 2, H: height}).Block(0, top, h.drawn.text)
}

// lay lays the story out for the present width.
func (h *Home) lay(t *widget.Theme) {
	s, sh, w := h.Snap, h.Shared, h.box.W-4
	h.drawn = drawn{of: s, seen: sh.SeedsSeen, theme: t, keys: h.keys(), title: h.title()}
	if w < 1 {
		return
	}
	next, known := follow(s, sh.SeedsSeen), s.Seq > 0
	if !known {
		next.step = -1
	}
	names := 0
	for _, st := range steps {
		names = max(names, widget.Width(sh.T(st.name)))
	}
	lines := make([]string, 0, len(steps)+6)
	for i, st := range steps {
		told := "–"
		if known {
			told = st.tell(sh, s)
		}
		sign, style := "○", widget.Dim
		switch {
		case i == next.step:
			sign, style = "▶", widget.Accent|widget.Bold
		case known && st.done(s):
			sign, style = "✓", widget.Plain
		}
		lines = append(lines, line(t, w, sign, style, widget.Pad(sh.T(st.name), names), told, h.key(i)))
	}
	if known {
		lines = append(lines, "", h.day(t, w, next.step == dayLine), "")
		for _, out := range []string{h.model(), h.unmatched(), h.recall()} {
			if out == "" {
				continue
			}
			for i, l := range widget.Wrap(out, w-3, 2) {
				lines = append(lines, t.Style(widget.Dim).Render(widget.Pad(widget.Either(i == 0, " · ", "   ")+l, w)))
			}
			lines = append(lines, "")
		}
		lines = append(lines, h.warnings(t, w)...)
		why := sh.T(next.why)
		if next.lists > 0 {
			why = sh.F(next.why, sh.N(next.lists, "list"))
		}
		if (next.kind == reading || next.kind == nearing || next.kind == harvesting) && s.Story.Next.IsZero() {
			why = sh.F(unscheduled, why)
		}
		for _, l := range widget.Wrap(why, w, 4) {
			lines = append(lines, t.Style(widget.Dim).Render(l))
		}
		h.drawn.note = sh.F("{next_step}: %s", sh.T(next.does))
		if why := h.denied(next); why != "" {
			h.drawn.note = sh.F("{next_step}: %s", sh.T(next.does)) + " · " + sh.Line(why)
		}
	}
	h.drawn.text = strings.Join(lines, "\n")
}

// keys are those that the story names.
func (h *Home) keys() string {
	return h.T(
		"{screen_samples} · {screen_threshold} · {screen_crawl} · {screen_harvest} · {screen_label} · {harvest} · " +
			"{next_step} · {seeds} · {told} · {recipes}")
}

// screenKeys name the keys of the screens that steps lead to.
var screenKeys = map[int]string{samples: "{screen_samples}", threshold: "{screen_threshold}", crawl: "{screen_crawl}",
	harvest: "{screen_harvest}", label: "{screen_label}"}

// key is the key that a step's line names: that of its screen, or of its run.
func (h *Home) key(i int) string {
	if i == harvestStep {
		return h.T("{harvest}")
	}
	return h.T(screenKeys[steps[i].at])
}

// line lays out one step: its sign, its name, what it holds, and its key at the
// right. The next one is one bar.
func line(t *widget.Theme, w int, sign string, st widget.Style, name, told, key string) string {
	flag, signed, keyed := widget.Plain, widget.Good, widget.Key
	switch {
	case st&widget.Bold != 0:
		flag, signed = widget.Sel, widget.Accent|widget.Bold
	case sign != "✓":
		signed = widget.Dim
	}
	part := func(st widget.Style, s string) string { return t.Style(st | flag).Render(s) }
	head, tail := " "+name+"   ", widget.Either(key == "", "", " ["+key+"] ") // no key: the reader's role has none
	room := max(0, w-2-widget.Width(head)-widget.Width(tail))
	return lipgloss.JoinHorizontal(lipgloss.Top, part(signed, " "+sign), part(st, head),
		part(st&^widget.Bold, widget.Pad(told, room)), part(keyed, widget.Fit(tail, max(0, w-2-widget.Width(head)))))
}

// day lays out what is new today.
func (h *Home) day(t *widget.Theme, w int, next bool) string {
	s, sh := h.Snap, h.Shared
	fresh, withdrawn := sh.T("no new notices"), 0
	if !s.Run.Earlier {
		withdrawn = s.Run.Withdrawn
	}
	if n := s.Story.Today; n+withdrawn > 0 {
		fresh = screen.NewNotices(sh.Lang, n, 0, withdrawn)
	}
	text := sh.F("today: %s", fresh)
	if h.likely.Ready && s.Story.Today > 0 {
		text += " · " + sh.F("%s likely for you", h.likely.Notices)
	}
	if n := s.Story.Due; n > 0 {
		text += " · " + sh.F("%s due within 3 days", n)
	}
	if next {
		tail := " [" + sh.T(screenKeys[harvest]) + "] "
		bar := func(st widget.Style, s string) string { return t.Style(st | widget.Sel).Render(s) }
		text += broken(h, " · ")
		return bar(widget.Accent|widget.Bold, " ▶ ") +
			bar(widget.Accent, widget.Pad(text, max(0, w-3-widget.Width(tail)))) +
			bar(widget.Key, widget.Fit(tail, max(0, w-3)))
	}
	out := t.Style(widget.Plain).Render(widget.Fit("   "+text, w))
	if b := broken(h, " · "); b != "" {
		out += t.Style(widget.Warn).Render(widget.Fit(b, max(0, w-widget.Width(text)-3)))
	}
	return out
}

// model tells what the optional model has done today, and why it does not answer; "" = it is off.
func (h *Home) model() (text string) {
	sh, a := h.Shared, &h.Snap.Assistant
	if !a.On {
		return ""
	}
	text = sh.F("model: %s of %s tokens, %s", a.Tokens, a.Budget, sh.N(a.Answers, "answer"))
	if a.Discarded > 0 {
		text += " · " + sh.F("%s made up", sh.N(a.Discarded, "quote"))
	}
	if a.Failure != "" {
		text += " · " + widget.Clean(a.Failure)
	}
	return text
}

// mostWarnings are shown; the rest is counted.
const mostWarnings = 3

// brokenOf are the lists that broke, without those that show more than could be
// followed, which come last and are told of in one line.
func brokenOf(s *view.Snapshot) []view.ListAlarm {
	for i := range s.Alarms {
		if s.Alarms[i].Kind == view.ListUnfollowed {
			return s.Alarms[:i]
		}
	}
	return s.Alarms
}

// broke tells why the last run stopped, where it did not come to its end.
func (h *Home) broke() []string {
	s := h.Snap
	if s.State != view.Idle || s.Err == "" {
		return nil
	}
	return widget.Wrap(h.F("the run stopped: %s", h.Says(s.Err)), max(1, h.box.W-8), 3)
}

// warnings lay out the hosts that do not let us in, the lists that broke and a row of [[notify]] whose messages do
// not arrive.
func (h *Home) warnings(t *widget.Theme, w int) (out []string) {
	s, sh := h.Snap, h.Shared
	key := "{told}"
	warn := func(text string) {
		tail := " [" + sh.T(key) + "] "
		out = append(out,
			t.Style(widget.Warn).Render(widget.Pad(widget.Fit(" ⚠ "+text, max(0, w-widget.Width(tail))),
				max(0, w-widget.Width(tail))))+t.Style(widget.Key).Render(tail))
	}
	for i := range s.Doors[:min(len(s.Doors), mostWarnings)] {
		warn(sh.Says(s.Doors[i].Says()))
	}
	if n := len(s.Doors) - mostWarnings; n > 0 {
		warn(sh.N(n, "more closed host"))
	}
	for i, l := range h.broke() {
		sign := widget.Either(i == 0, " ✗ ", "   ")
		out = append(out, t.Style(widget.Bad).Render(sign+l))
	}
	all := brokenOf(s)
	for i := range all[:min(len(all), mostWarnings)] {
		a := &all[i]
		warn(widget.Clean(a.Host) + " " + widget.Fit(widget.Clean(a.Name()), 24) + " · " +
			sh.Says(a.Says()))
	}
	if n := len(all) - mostWarnings; n > 0 {
		warn(sh.N(n, "more broken list"))
	}
	key = "{recipes}"
	switch n := s.Unfollowed; {
	case n == 1 && len(s.Alarms) == len(all)+1:
		a := &s.Alarms[len(all)]
		warn(sh.F("1 list shows more than is read: %s",
			widget.Clean(a.Host)+" "+widget.Fit(widget.Clean(a.Name()), 24)+" · "+sh.Says(a.Says())))
	case n > 0:
		warn(sh.F("%s lists show more than is read: pages or entries that no link leads to", n))
	}
	switch n := s.Recipes.Waiting; {
	case n == 1:
		warn(sh.F("1 recipe is proposed: %s", widget.Clean(s.Recipes.Name)))
	case n > 0:
		warn(sh.F("%s recipes are proposed for lists that a browser has filled", n))
	}
	key = "{told}"
	if x := s.Telling; x.Failing != "" {
		warn(sh.F("notify %s fails since %s: %s", widget.Clean(x.Failing), sh.When(x.Since),
			sh.Says(x.Why)))
	}
	if len(out) > 0 {
		out = append(out, "")
	}
	return out
}

// unmatched tells what the title patterns leave out, and where to change that.
func (h *Home) unmatched() string {
	s := &h.Snap.Story
	if s.Unmatched == 0 {
		return ""
	}
	return screen.Unmatched(h.Lang, s.Unmatched, s.Patterns) + " · " +
		h.F("%s: {screen_harvest}", h.N(s.Unlike, "list"))
}

// recall tells which share of the lists the present discovery has found, else the last one; "" = no discovery had a
// topic.
func (h *Home) recall() string {
	sh, s := h.Shared, h.Snap
	switch x, past := &s.Run.Recall, s.Estimated; {
	case s.Run.Blind:
		return ""
	case x.Pages > 0:
		return estimate(sh, x, x.Through || s.Run.End == view.Through, s.Counts.Aggregations)
	case past != nil:
		x = past.Recall
		return sh.F("last discovery, %s: %s", sh.When(x.At), estimate(sh, x, x.Through, x.Lists))
	}
	return ""
}

// estimate words an estimate. A discovery that went through has lists.
func estimate(sh *screen.Shared, x *records.RunRecall, through bool, lists int) string {
	switch pages := sh.N(x.Pages, "page"); {
	case through:
		return sh.F("every address within reach is fetched: %s", sh.N(lists, "list"))
	case !x.Enough() && x.Lists+x.Near == 0:
		return sh.F("no list among %s yet: not enough evidence of how many there are", pages)
	case !x.Enough():
		return sh.F("not enough evidence yet of how many lists there are: %s in %s", sh.N(x.Lists+x.Near, "list"),
			pages)
	default:
		return sh.F("about %s of lists found: %s, %s just below θ; %s URLs wait", x.Percent(),
			sh.N(x.Lists, "list"), x.Near, x.Waiting)
	}
}

// broken tells of lists that could not be visited; "" when there are none.
func broken(h *Home, before string) string {
	n := h.Snap.Story.Broken
	if n == 0 {
		return ""
	}
	return before + h.N(n, "broken list")
}

// title names the topic, its sites and the newest notice.
func (h *Home) title() string {
	s, sh := h.Snap, h.Shared
	parts := []string{widget.Clean(cmp.Or(s.Topic, s.Workspace, "angler"))}
	if n := s.Story.Sites; n > 0 {
		parts = append(parts, sh.N(n, "seed host"))
	}
	if n := len(s.Notices); n > 0 {
		parts = append(parts, sh.F("last notice %s", sh.When(s.Notices[n-1].At)))
	}
	return joined(parts...)
}
