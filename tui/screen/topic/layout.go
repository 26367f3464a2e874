package topic

import "angler/tui/screen"

// PanesOf returns the panes of a screen of this package, nil for every other.
func PanesOf(s screen.Screen) *screen.Panes {
	switch s := s.(type) {
	case *Samples:
		return &s.panes
	case *features:
		return &s.panes
	case *threshold:
		return &s.panes
	case *label:
		return &s.panes
	}
	return nil
}
