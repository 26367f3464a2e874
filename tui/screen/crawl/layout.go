package crawl

import "angler/tui/screen"

// PanesOf returns the panes of a screen of this package, nil for every other.
func PanesOf(s screen.Screen) *screen.Panes {
	switch s := s.(type) {
	case *crawl:
		return &s.panes
	case *labScreen:
		return &s.panes
	}
	return nil
}
