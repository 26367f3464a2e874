package ui

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/muesli/termenv"

	"angler/tui/lang"
)

// Theme turns roles into escape sequences. It is immutable and safe for
// concurrent use.
type Theme struct {
	Name   string
	Lang   *lang.Lang           // of every text that is drawn; nil is English
	ascii  bool                 // borders and bars in ASCII, see ascii.go
	styles [int(flagEnd)]string // the sequence of every role with every flag
}

// In returns the theme with the texts of another language.
func (t *Theme) In(l *lang.Lang) *Theme {
	c := *t
	c.Lang = l
	return &c
}

// ASCII reports whether signs are drawn in ASCII.
func (t *Theme) ASCII() bool { return t.ascii }

// ThemeNames lists what Pick accepts.
var ThemeNames = []string{"auto", "dark", "light", "16", "mono"}

var errTheme = errors.New("unknown theme")

// palette gives a role's colour: a hex value, or a number of the 16.
type palette struct {
	fg        [roles]string
	sel, soft string // background of the cursor's row; "" inverts, or shows by the cursor's sign alone
	on        string // plain text on either
}

func darkPalette() palette {
	p := palette{sel: "#2f3b54", soft: "#252a33", on: "#e4e8ee"}
	p.fg = [roles]string{Dim: "#8b93a1", Line: "#4b5363", Head: "#9aa7bd", Accent: "#f0b866", Good: "#8ec07c", Warn: "#fabd2f", Bad: "#f2777a", Key: "#7fc8d8", Bar: "#5fb0a5", BarLow: "#566070", Mark: "#ffd75f"}
	return p
}

func lightPalette() palette {
	p := palette{sel: "#d5e3f5", soft: "#eceff3", on: "#1b2027"}
	p.fg = [roles]string{Dim: "#5d6673", Line: "#a5adba", Head: "#44526b", Accent: "#a04d00", Good: "#2c6e1f", Warn: "#8a5a00", Bad: "#b3261e", Key: "#0b6478", Bar: "#1d7a70", BarLow: "#8c96a5", Mark: "#7a4b00"}
	return p
}

func basicPalette() palette {
	var p palette
	p.fg = [roles]string{Dim: "8", Line: "8", Head: "7", Accent: "3", Good: "2", Warn: "11", Bad: "1", Key: "6", Bar: "6", BarLow: "8", Mark: "11"}
	return p
}

// Pick returns the theme called name, drawn with ASCII signs if ascii is set.
// The environment decides the rest, and the terminal is never asked: a
// terminal that does not answer would hold the first frame back. A locale
// without UTF-8 gets ASCII signs, too. "auto" is
// mono under NO_COLOR or TERM=dumb, 16 on a terminal with 16 colours, light
// when COLORFGBG names a light background, else dark. NO_COLOR beats any name.
// An unknown name is an error that lists the known ones.
func Pick(name string, ascii bool, getenv func(string) string) (*Theme, error) {
	if name == "" {
		name = "auto"
	}
	// A term writer that is no file: termenv then trusts the environment.
	out := termenv.NewOutput(io.Discard, termenv.WithEnvironment(environ(getenv)), termenv.WithTTY(true))
	profile := out.EnvColorProfile()
	dumb := getenv("TERM") == "dumb" || !lang.UTF8(getenv)
	if getenv("NO_COLOR") != "" || getenv("TERM") == "dumb" {
		profile = termenv.Ascii
	}
	var p palette
	switch name {
	case "auto", "dark", "light", "16":
		switch {
		case profile == termenv.Ascii:
			name = "mono"
		case name == "16" || name == "auto" && profile == termenv.ANSI:
			name, p = "16", basicPalette()
			profile = termenv.ANSI
		case name == "light" || name == "auto" && lightBackground(getenv("COLORFGBG")):
			name, p = "light", lightPalette()
		default:
			name, p = "dark", darkPalette()
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

// lightBackground reads COLORFGBG ("15;0", "0;default;15"): the last number is
// the background, light from 7 on except 8.
func lightBackground(v string) bool {
	f := strings.Split(v, ";")
	bg := f[len(f)-1]
	return bg == "7" || len(bg) == 1 && bg[0] == '9' || len(bg) == 2 && bg >= "10" && bg <= "15"
}

func (t *Theme) build(profile termenv.Profile, p palette) {
	seq := func(c string, bg bool) string {
		if c == "" || profile == termenv.Ascii {
			return ""
		}
		if s := profile.Color(c); s != nil {
			return s.Sequence(bg)
		}
		return ""
	}
	for st := Style(0); st < flagEnd; st++ {
		role := st & 0xff
		if role >= roles {
			continue
		}
		var a []string
		if st&Bold != 0 {
			a = append(a, "1")
		}
		if profile == termenv.Ascii && (role == Dim || role == Line || role == BarLow) && st&(Sel|Soft) == 0 {
			a = append(a, "2")
		}
		if profile == termenv.Ascii && role == Mark {
			a = append(a, "4")
		}
		fg := p.fg[role]
		if fg == "" && st&(Sel|Soft) != 0 {
			fg = p.on
		}
		colour := seq(fg, false)
		switch {
		case st&Sel != 0 && seq(p.sel, true) != "":
			a = append(a, seq(p.sel, true))
		case st&Sel != 0:
			a, colour = append(a, "7"), "" // one block, whatever stands on it
		case st&Soft != 0 && seq(p.soft, true) != "":
			a = append(a, seq(p.soft, true))
		}
		if colour != "" {
			a = append(a, colour)
		}
		if st&Invert != 0 && st&Sel == 0 {
			a = append(a, "7")
		}
		t.styles[st] = strings.Join(a, ";")
	}
}

// change returns the sequence that leads from one style to another.
func (t *Theme) change(from, to Style) string {
	s := ""
	if int(to) < len(t.styles) {
		s = t.styles[to]
	}
	if s == "" {
		return "\x1b[m"
	}
	if from == Plain {
		return "\x1b[" + s + "m"
	}
	return "\x1b[0;" + s + "m"
}
