package report

import "angler/crawl/view"

// Doing says what the crawl does, and why it does nothing if it waits.
func Doing(s *view.Snapshot) string {
	what := string(s.State)
	if s.Task != "" {
		what = s.Task + " " + what
	}
	if why := s.WhyIdle(); why != "" {
		what += " (" + why + ")"
	}
	return what
}
