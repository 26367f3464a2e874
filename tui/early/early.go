// Package early keeps the first frame early.
//
// Bubble Tea asks the terminal for its background colour while Go initialises
// packages, before main runs; a terminal that does not answer costs up to five
// seconds. Go initialises independent packages in the order of their import
// paths, so this one, which needs only lipgloss and sorts before
// github.com/…, answers the question first and nothing is asked. The danger:
// rename the module to something after "github.com" and the wait is back;
// TestInitOrder guards it.
package early

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
