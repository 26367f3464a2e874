package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"angler/tui/i18n"
	"angler/tui/widget"
)

// look are the flags of commands that open the workbench.
type look struct {
	theme   string
	lang    string
	ascii   bool
	noMouse bool
}

func (l *look) flags(c *cobra.Command) {
	c.Flags().StringVar(&l.theme, "theme", "", "colours: "+strings.Join(widget.ThemeNames, ", "))
	c.Flags().StringVar(&l.lang, "lang", "",
		"language: "+strings.Join(i18n.Names, ", ")+" (default that of the locale)")
	c.Flags().BoolVar(&l.ascii, "ascii", false, "draw borders and bars in ASCII")
	c.Flags().BoolVar(&l.noMouse, "no-mouse", false, "leave the mouse to the terminal")
}
