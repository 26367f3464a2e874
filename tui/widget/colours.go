package widget

import "github.com/charmbracelet/lipgloss"

// palette gives each role a colour for terminals of 16 million, 256 and 16 colours. The 256 are
// chosen by hand: the arithmetically nearest ones turn greys into purple and navy.
type palette struct {
	fg        [roles]lipgloss.CompleteColor
	sel, soft lipgloss.CompleteColor // background of the cursor's row; not used with 16 colours
	on        lipgloss.CompleteColor // plain text on either
}

// none leaves the colour to the terminal.
var none lipgloss.CompleteColor

func colour(full, of256, of16 string) lipgloss.CompleteColor {
	return lipgloss.CompleteColor{TrueColor: full, ANSI256: of256, ANSI: of16}
}

var darkColours = palette{
	sel: colour("#2f3b54", "238", ""), soft: colour("#252a33", "235", ""), on: colour("#e4e8ee", "255", "15"),
	fg: [roles]lipgloss.CompleteColor{
		Dim:    colour("#8b93a1", "246", "8"),
		Line:   colour("#4b5363", "240", "8"),
		Head:   colour("#9aa7bd", "250", "7"),
		Accent: colour("#f0b866", "215", "3"),
		Good:   colour("#8ec07c", "114", "2"),
		Warn:   colour("#fabd2f", "220", "11"),
		Bad:    colour("#f2777a", "210", "1"),
		Key:    colour("#7fc8d8", "117", "6"),
		Bar:    colour("#5fb0a5", "73", "6"),
		barLow: colour("#566070", "241", "8"),
		Mark:   colour("#ffd75f", "222", "11"),
	},
}

var lightColours = palette{
	sel: colour("#d5e3f5", "153", ""), soft: colour("#eceff3", "255", ""), on: colour("#1b2027", "234", "0"),
	fg: [roles]lipgloss.CompleteColor{
		Dim:    colour("#5d6673", "242", "8"),
		Line:   colour("#a5adba", "248", "7"),
		Head:   colour("#44526b", "238", "8"),
		Accent: colour("#a04d00", "130", "1"),
		Good:   colour("#2c6e1f", "28", "2"),
		Warn:   colour("#8a5a00", "94", "3"),
		Bad:    colour("#b3261e", "160", "9"),
		Key:    colour("#0b6478", "24", "6"),
		Bar:    colour("#1d7a70", "30", "6"),
		barLow: colour("#8c96a5", "246", "7"),
		Mark:   colour("#7a4b00", "94", "5"),
	},
}
