package widget

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"angler/tui/i18n"
)

// Theme turns roles into lipgloss styles of one renderer a session, and these into escape
// sequences. It is immutable and safe for concurrent use.
type Theme struct {
	Name   string
	Lang   *i18n.Lang           // language of drawn texts; nil is English
	ascii  bool                 // borders and bars in ASCII, see ascii.go
	mono   bool                 // without colours
	styles [int(flagEnd)]string // the sequence of every role with every flag
	opened map[string]Style     // the style of a sequence

	renderer *lipgloss.Renderer
	palette  *palette
	border   lipgloss.Border
}

// In returns the theme with another language.
func (t *Theme) In(l *i18n.Lang) *Theme {
	c := *t
	c.Lang = l
	return &c
}

// ASCII reports whether signs are drawn in ASCII.
func (t *Theme) ASCII() bool { return t.ascii }

// ThemeNames lists the names that Pick accepts.
var ThemeNames = []string{"auto", "dark", "light", "16", "mono"}

var errTheme = errors.New("unknown theme")

// Pick returns the theme called name, drawn with ASCII signs if ascii is set. Only the environment
// decides the rest: a query to a terminal that does not answer would delay the first frame. A
// locale without UTF-8 gets ASCII signs, too. "auto" is mono under NO_COLOR or TERM=dumb, 16 on a
// terminal with 16 colours, light if COLORFGBG names a light background, otherwise dark. NO_COLOR
// overrides any name. The error for an unknown name lists the known ones.
func Pick(name string, ascii bool, getenv func(string) string) (*Theme, error) {
	if name == "" {
		name = "auto"
	}
	// The writer is no file, so termenv trusts the environment.
	out := termenv.NewOutput(io.Discard, termenv.WithEnvironment(environ(getenv)), termenv.WithTTY(true))
	profile := out.EnvColorProfile()
	dumb := getenv("TERM") == "dumb" || !i18n.UTF8(getenv)
	if getenv("NO_COLOR") != "" || getenv("TERM") == "dumb" {
		profile = termenv.Ascii
	}
	p := &darkColours
	switch name {
	case "auto", "dark", "light", "16":
		switch {
		case profile == termenv.Ascii:
			name = "mono"
		case name == "16" || name == "auto" && profile == termenv.ANSI:
			name, profile = "16", termenv.ANSI
		case name == "light" || name == "auto" && lightBackground(getenv("COLORFGBG")):
			name, p = "light", &lightColours
		default:
			name = "dark"
		}
	case "mono":
		profile = termenv.Ascii
	default:
		return nil, fmt.Errorf("%w %q: use one of %s", errTheme, name, strings.Join(ThemeNames, ", "))
	}
	t := &Theme{Name: name, ascii: ascii || dumb}
	t.build(profile, p)
	return t, nil
}

type environ func(string) string

func (e environ) Getenv(k string) string { return e(k) }
func (e environ) Environ() []string      { return nil }

// lightBackground parses COLORFGBG ("15;0", "0;default;15"): the last number is the background,
// light from 7 on except 8.
func lightBackground(v string) bool {
	f := strings.Split(v, ";")
	bg := f[len(f)-1]
	return bg == "7" || len(bg) == 1 && bg[0] == '9' || len(bg) == 2 && bg >= "10" && bg <= "15"
}

// build derives every role with every flag as a lipgloss style of one renderer. It stores the
// escape sequence of each, so that a frame renders no style.
func (t *Theme) build(profile termenv.Profile, p *palette) {
	t.renderer, t.palette, t.border = lipgloss.NewRenderer(io.Discard), p, lipgloss.RoundedBorder()
	if t.ascii {
		t.border = lipgloss.ASCIIBorder()
	}
	if t.mono = profile == termenv.Ascii; t.mono {
		profile = termenv.ANSI // bold and reverse are not colours
	}
	t.renderer.SetColorProfile(profile)
	t.renderer.SetHasDarkBackground(t.Name != "light")
	t.opened = map[string]Style{}
	for st := range flagEnd {
		if st&0xff >= roles {
			continue
		}
		if seq, ok := strings.CutPrefix(t.Style(st).Render("x"), "\x1b["); ok {
			t.styles[st], _, _ = strings.Cut(seq, "mx")
		}
		if _, known := t.opened[t.styles[st]]; !known {
			t.opened[t.styles[st]] = st
		}
	}
}

// Style returns a role with its flags as a lipgloss style, for text that is laid out with lipgloss
// and drawn with Canvas.Block.
func (t *Theme) Style(st Style) lipgloss.Style {
	s, role := t.renderer.NewStyle(), st&0xff
	if st&Bold != 0 {
		s = s.Bold(true)
	}
	if t.mono {
		if (role == Dim || role == Line || role == barLow) && st&(Sel|soft) == 0 {
			s = s.Faint(true)
		}
		if role == Mark {
			s = s.Underline(true)
		}
		return s.Reverse(st&(Sel|Invert) != 0)
	}
	fg := t.palette.fg[role]
	if fg == none && st&(Sel|soft) != 0 || role == Dim && st&Sel != 0 { // dim text would be hard to read there
		fg = t.palette.on
	}
	// Without a colour for it, the cursor's row is one reversed block.
	flat := t.renderer.ColorProfile() == termenv.ANSI
	switch {
	case st&Sel != 0 && flat:
		return s.Reverse(true)
	case st&Sel != 0:
		s = s.Background(t.palette.sel)
	case st&soft != 0 && !flat:
		s = s.Background(t.palette.soft)
	}
	if fg != none {
		s = s.Foreground(fg)
	}
	return s.Reverse(st&Invert != 0 && st&Sel == 0)
}

// change appends the sequence between two styles to out.
func (t *Theme) change(out []byte, from, to Style) []byte {
	s := ""
	if int(to) < len(t.styles) {
		s = t.styles[to]
	}
	switch {
	case s == "":
		return append(out, "\x1b[m"...)
	case from == Plain:
		out = append(out, "\x1b["...)
	default:
		out = append(out, "\x1b[0;"...)
	}
	return append(append(out, s...), 'm')
}
