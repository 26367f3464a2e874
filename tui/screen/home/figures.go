package home

import (
	"angler/topic"
	"angler/tui/screen"
	"angler/tui/widget"
)

// figures are the numbers of the story.
func (h *Home) figures() []screen.Figure {
	s := h.Snap
	count := func(title string, n int) screen.Figure { return screen.Named("Story", title, widget.Count(n)) }
	out := []screen.Figure{
		count("seeds", s.Story.Seeds), count("sites", s.Story.Sites), count("pages", s.Counts.Pages),
		count("failed URLs", s.Counts.Exception),
		count("samples", s.Counts.Samples), screen.Named("", "θ", h.Score(s.Theta)),
		screen.Named("Story", "lists", h.Lists()), count("notices", s.Counts.Notices-s.Counts.Copies),
		screen.Named("Story", "labels", widget.Count(s.Counts.Labels)+" / "+widget.Count(topic.MinLabels)),
		count("today", s.Story.Today), count("due", s.Story.Due), count("broken lists", s.Story.Broken),
	}
	if s.Seq == 0 { // nothing is known yet
		return nil
	}
	return out
}
