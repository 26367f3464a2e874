package crawl

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"angler/crawl/view"
	"angler/store/records"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file shows the history of the runs and the curves of one of them.

func runTable(sh *screen.Shared) *widget.Table[records.Run] {
	type row = records.Run
	return widget.NewTable(func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Task + " " + r.By + " " + r.End + " " + r.Under },
		[]widget.Column[row]{
			{Title: "began", Width: 11,
				Cell: func(r *row) (string, widget.Style) {
					return here(sh, r.Start).Format("01-02 15:04"), widget.Dim
				},
				Less: func(a, b *row) bool { return a.ID < b.ID }},
			{Title: "run", Width: 9, Flex: 1, Max: 14,
				Cell: func(r *row) (string, widget.Style) { return task(sh, r), widget.Plain },
				Text: func(r *row) string { return r.Task }},
			{Title: "ended", Width: 9, Cell: func(r *row) (string, widget.Style) { return runEnd(sh, r) },
				Text: func(r *row) string { return r.End }},
			{Title: "by", Width: 6, Flex: 1, Max: 12, Drop: 6,
				Cell: func(r *row) (string, widget.Style) { return sh.T(widget.Clean(r.By)), widget.Dim },
				Text: func(r *row) string { return r.By }},
			{Title: "took", Width: 7, Right: true, Drop: 5,
				Cell:   func(r *row) (string, widget.Style) { return widget.Span(seconds(r.Took)), widget.Dim },
				Number: func(r *row) float64 { return r.Took }},
			screen.Found("fetched", 7, 1, widget.Plain, func(r *row) int { return r.Fetched }),
			screen.Found("failed", 6, 4, widget.Warn, func(r *row) int { return r.Failures }),
			screen.Found("lists", 5, 3, widget.Good, func(r *row) int { return r.Lists }),
			screen.Found("notices", 7, 2, widget.Good, func(r *row) int { return r.Notices }),
		}...)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// task names the task of a run in a word.
func task(sh *screen.Shared, r *records.Run) string {
	if r.Under != "" {
		return sh.F("look %s", widget.Clean(r.Under))
	}
	return screen.TaskName(sh.Lang, r.Task)
}

// endStyles are the styles of ends that are no failures.
var endStyles = map[string]widget.Style{
	records.RunFinished: widget.Plain, records.RunStopped: widget.Dim, records.RunOutage: widget.Warn,
}

// runEnd describes how a run ended; success has no colour.
func runEnd(sh *screen.Shared, r *records.Run) (string, widget.Style) {
	if r.End == "" {
		return sh.T("under way"), widget.Good
	}
	st, known := endStyles[r.End]
	return sh.T(r.End), widget.Either(known, st, widget.Bad)
}

// runDetail describes a run in full.
func runDetail(sh *screen.Shared, r *records.Run) []widget.TextLine {
	end, st := runEnd(sh, r)
	if r.Why != "" {
		end = sh.F("%s: %s", end, sh.Says(r.Why))
	}
	some := func(n int) string { return screen.If(n > 0, widget.Count(n)) }
	out := screen.Lines{
		{widget.Bold.Text(brought(sh, r))},
		{st.Text(end)},
		{},
	}
	out = append(out, factLines(sh, 16, []fact{
		{name: "run", val: strconv.FormatUint(r.ID, 10) + " · " + task(sh, r)},
		{name: "began", val: here(sh, r.Start).Format(time.DateTime) + " · " + sh.T(widget.Clean(r.By))},
		{name: "took", val: widget.Span(seconds(r.Took))},
		{name: "fetched", val: widget.Count(r.Fetched) + " · " +
			sh.F("%s unchanged", r.Unchanged) + " · " + sh.F("%s brought none", r.Missed)},
		{name: "failed URLs", val: failedOf(sh, r.Failures+r.Retries, r.Retries)},
		{name: "new pages", val: widget.Count(r.Pages)},
		{name: "new lists", val: widget.Count(r.Lists)},
		{name: "lists visited", val: some(r.Visited)},
		{name: "lists not read whole", val: some(r.Lacking)},
		{name: "new notices", val: widget.Count(r.Notices)},
		{name: "withdrawn", val: some(r.Withdrawn)},
		{name: "not of the patterns", val: some(r.Unmatched)},
		{name: "brought", val: widget.Bytes(r.Bytes)},
		{name: "most memory", val: screen.If(r.Memory > 0, widget.Bytes(r.Memory))},
		{name: "processor", val: screen.If(r.CPU > 0, widget.Span(seconds(r.CPU)))},
	})...)
	if len(r.Kinds) > 0 {
		out.Head(sh.T("failed URLs, by kind"))
		kinds := slices.SortedFunc(maps.Keys(r.Kinds),
			func(a, b string) int { return cmp.Or(cmp.Compare(r.Kinds[b], r.Kinds[a]), strings.Compare(a, b)) })
		for _, k := range kinds {
			out = append(out, failedFor(sh, k, r.Kinds[k]))
		}
	}
	if len(r.Events) > 0 {
		out.Head(sh.T("events"))
		for _, e := range r.Events {
			k := kindOf(e)
			text, st := eventText(sh.Lang, &k.Newest, k.N)
			out = append(out, happened(sh, e.Last, e.N, st.Text(text)))
		}
	}
	return out
}

// failedFor returns a line about n failures of one kind.
func failedFor(sh *screen.Shared, kind string, n int) widget.TextLine {
	return widget.TextLine{widget.Warn.Text(widget.Pad("×"+widget.Count(n), 8)), {Text: reason(sh, kind)}}
}

// happened returns a line of what happened n times, the last time at a moment.
func happened(sh *screen.Shared, at time.Time, n int, what widget.Part) widget.TextLine {
	return widget.TextLine{widget.Dim.Text(moment(at, sh.Snap.At) + " "),
		widget.Bold.Text(widget.Pad("×"+widget.Count(n), 7)), what}
}

// graph is one curve of a run: values over its seconds, the meaning of its top, and a title.
type graph struct {
	name string
	ys   []float64 // 0 … 1
	peak string
	st   widget.Style
}

// graphs are the curves of a run: finds, speed, and failures.
func graphs(sh *screen.Shared, r *records.Run) []graph {
	if len(r.Curve) < 2 || r.Curve[len(r.Curve)-1].At <= 0 {
		return nil
	}
	curve := append([]records.RunPoint{{}}, r.Curve...)
	n := len(curve)
	rate, lists, notices, failed := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	since := 0 // at least a second earlier, if possible
	for i, p := range curve {
		lists[i], notices[i], failed[i] = float64(p.Lists), float64(p.Notices), float64(p.Failures)
		for since < i-1 && p.At-curve[since+1].At >= 1 {
			since++
		}
		if d := p.At - curve[since].At; d > 0 {
			rate[i] = float64(p.Fetched-curve[since].Fetched) / d
		}
	}
	rate[0] = rate[1]
	end := curve[n-1].At
	var out []graph
	for _, x := range []struct {
		name   string
		ys     []float64
		st     widget.Style
		always bool
	}{
		{"new notices", notices, widget.Good, r.Task == view.Harvest},
		{"lists found", lists, widget.Good, r.Task != view.Harvest},
		{"pages a second", rate, widget.Bar, true}, {"failed", failed, widget.Warn, false},
	} {
		if ys, top := overTime(curve, x.ys, end); top > 0 || x.always {
			out = append(out, graph{sh.T(x.name), ys, widget.Count(int(top)), x.st})
		}
	}
	return out
}

// overTime resamples values at even seconds and scales their maximum to 1.
func overTime(curve []records.RunPoint, ys []float64, end float64) (even []float64, top float64) {
	top = max(slices.Max(ys), 0)
	even = make([]float64, 2*records.MaxRunPoints)
	k := 0
	for i := range even {
		t := end * float64(i) / float64(len(even)-1)
		for k < len(curve)-1 && curve[k+1].At <= t {
			k++
		}
		v := ys[k]
		if k < len(curve)-1 {
			if d := curve[k+1].At - curve[k].At; d > 0 && t > curve[k].At {
				v += (ys[k+1] - v) * (t - curve[k].At) / d
			}
		}
		if top > 0 {
			even[i] = v / top
		}
	}
	return even, top
}

// drawRun draws as many curves of a run as fit, one below the other, and a sentence.
func drawRun(c *widget.Canvas, sh *screen.Shared, r *records.Run) {
	w, h := c.Size()
	all := graphs(sh, r)
	if len(all) == 0 {
		widget.DrawNote(c, sh.F("%s. It was too short for a curve.", brought(sh, r)))
		return
	}
	all = all[:max(1, min(len(all), (h-1)/3))] // finds are the most useful curve
	each := (h - 1) / len(all)
	for i, g := range all {
		part := c.Sub(widget.Rect{Y: i * each, W: w, H: each})
		x := part.Text(1, 0, widget.Dim, g.name+" ")
		part.Text(x, 0, g.st, g.peak)
		widget.Curve(part.Sub(widget.Rect{X: 1, Y: 1, W: w - 2, H: each - 1}), g.st, g.ys)
		if each < 2 {
			widget.Curve(part.Sub(widget.Rect{X: x + widget.Width(g.peak) + 1, W: w - x - widget.Width(g.peak) - 2,
				H: 1}), g.st, g.ys)
		}
	}
	c.Text(1, h-1, widget.Dim, widget.Fit(brought(sh, r), w-2))
}

// brought describes the result of a past run in a sentence.
func brought(sh *screen.Shared, r *records.Run) string {
	t := view.TallyOf(r)
	if r.End == records.RunFailed && r.Why != "" {
		return sh.Says(r.Why)
	}
	return screen.Outcome(sh.Lang, &t)
}
