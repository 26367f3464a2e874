package tui

import (
	"strings"
	"time"

	"angler/crawl/auth"
	"angler/tui/widget"
)

// newsFor is how long the status line shows another person's action.
const newsFor = 30 * time.Second

// news describes the last action of another person: "θ .340 (was .310) by wang, 12 s ago".
func (a *app) news() string {
	if a.o.Who == "" {
		return ""
	}
	events := a.shared.Snap.Events
	now := a.o.Now()
	for i := len(events) - 1; i >= 0; i-- {
		ev := &events[i]
		age := now.Sub(ev.At)
		switch {
		case age > newsFor:
			return ""
		case ev.By != "" && ev.By != a.o.Who:
			return a.shared.F("%s by %s, %s s ago", widget.Fit(widget.Clean(a.shared.Message(ev.What)), 48),
				a.shared.T(widget.Clean(ev.By)), widget.Count(int(age.Seconds())))
		}
	}
	return ""
}

// present lists attached viewers in at most room cells: with roles, by name, or their number. It
// returns "" if there are none, or no room.
func (a *app) present(room int) string {
	v := a.shared.Snap.Viewers
	if len(v) == 0 {
		return ""
	}
	var names, full []string
	for i := range v {
		name := widget.Fit(widget.Clean(v[i].Name), 16)
		names = append(names, name)
		if v[i].Role == string(auth.Viewer) {
			name += " (" + a.shared.T("viewer") + ")"
		}
		full = append(full, name)
	}
	for _, line := range []string{strings.Join(full, " · "), strings.Join(names, " · "),
		a.shared.F("%s attached", widget.Count(len(v)))} {
		if widget.Width(line) <= room {
			return line
		}
	}
	return ""
}
