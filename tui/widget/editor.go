package widget

import (
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// Editor is a one-line text editor. It replaces bubbles' textinput, which returns a string with
// colours that the grid cannot take, scrolls by characters so that half a Chinese one may be cut
// off, and lets through characters that Clean removes. Live, if set, is called after every change,
// Cancel on esc. It is for one goroutine.
type Editor struct {
	Label  string
	Hint   string
	Live   func(string) tea.Cmd
	Cancel func() tea.Cmd

	Past *[]string // earlier entries, oldest first; ↑ recalls them

	text   []rune
	at     int
	recall int  // how many entries back; 0: the new text
	filled bool // the text is a preset that typing replaces
	wrong  string
}

// maxInput bounds the text, in runes: some thousand URLs.
const maxInput = 256 << 10

// Preset fills the prompt with text, the cursor at its end. The first typed character replaces it;
// any other key starts editing it.
func (e *Editor) Preset(text string) {
	e.text = []rune(Clean(text))
	e.at, e.filled = len(e.text), true
}

// Fill is Preset for a text to edit: typing adds to it.
func (e *Editor) Fill(text string) {
	e.Preset(text)
	e.filled = false
}

// Refuse shows why the text is not accepted, until the next key.
func (e *Editor) Refuse(why string) { e.wrong = why }

// Text returns the typed text.
func (e *Editor) Text() string { return string(e.text) }

// key handles every key but enter; closed reports that esc ended the editing.
func (e *Editor) key(k tea.KeyMsg) (closed bool, cmd tea.Cmd) {
	e.wrong = ""
	filled := e.filled
	e.filled = false
	switch k.String() {
	case "esc", "ctrl+c":
		if e.Cancel != nil {
			cmd = e.Cancel()
		}
		return true, cmd
	case "left", "ctrl+b":
		e.at = max(0, e.at-1)
		return false, nil
	case "right", "ctrl+f":
		e.at = min(len(e.text), e.at+1)
		return false, nil
	case "home", "ctrl+a":
		e.at = 0
		return false, nil
	case "end", "ctrl+e":
		e.at = len(e.text)
		return false, nil
	case "up", "down":
		return false, e.recallEntry(k.String() == "up")
	case "backspace", "ctrl+h":
		if e.at == 0 {
			return false, nil
		}
		e.text = append(e.text[:e.at-1], e.text[e.at:]...)
		e.at--
	case "delete", "ctrl+d":
		if e.at == len(e.text) {
			return false, nil
		}
		e.text = append(e.text[:e.at], e.text[e.at+1:]...)
	case "ctrl+u":
		e.text, e.at = append([]rune(nil), e.text[e.at:]...), 0
	case "ctrl+k":
		e.text = e.text[:e.at]
	case "ctrl+w":
		i := e.at
		for i > 0 && e.text[i-1] == ' ' {
			i--
		}
		for i > 0 && e.text[i-1] != ' ' {
			i--
		}
		e.text = append(e.text[:i], e.text[e.at:]...)
		e.at = i
	default:
		if k.Type == tea.KeySpace || k.Type == tea.KeyRunes && !k.Alt {
			runes := k.Runes
			if k.Type == tea.KeySpace {
				runes = []rune{' '}
			}
			if filled {
				e.text, e.at = nil, 0
			}
			e.insert(string(runes))
		} else {
			return false, nil
		}
	}
	if e.Live != nil {
		cmd = e.Live(e.Text())
	}
	return false, cmd
}

// insert adds typed or pasted text at the cursor: line ends in a row become a space, hostile
// characters are dropped.
func (e *Editor) insert(s string) {
	var add []rune
	ended := false
	for _, r := range s {
		again := ended
		ended = r == '\n' || r == '\r'
		switch {
		case ended && again:
			continue
		case ended || r == '\t':
			r = ' '
		case hostile(r) || r == utf8.RuneError:
			continue
		}
		add = append(add, r)
	}
	if room := max(0, maxInput-len(e.text)); len(add) > room {
		for add = add[:room]; len(add) > 0 && add[len(add)-1] != ' '; { // does not cut a word
			add = add[:len(add)-1]
		}
		e.wrong = "the text is too long: its end is left out"
	}
	e.text = append(e.text[:e.at], append(add, e.text[e.at:]...)...)
	e.at += len(add)
}

func (e *Editor) recallEntry(older bool) tea.Cmd {
	if e.Past == nil {
		return nil
	}
	n := Either(older, e.recall+1, e.recall-1)
	if n < 0 || n > len(*e.Past) {
		return nil
	}
	e.recall = n
	if n == 0 {
		e.Preset("")
	} else {
		e.Preset((*e.Past)[len(*e.Past)-n])
	}
	e.filled = false // an old entry can be edited
	if e.Live != nil {
		return e.Live(e.Text())
	}
	return nil
}

// Draw renders the prompt on row y of c; the text scrolls so that the cursor
// stays visible.
func (e *Editor) Draw(c *Canvas, y int) {
	w, _ := c.Size()
	c.Fill(Rect{0, y, w, 1}, Plain, blank)
	x := 0
	if e.wrong != "" { // first, but the typed text stays visible
		room := max(w/3, w-Width(c.T(e.Label))-Width(string(e.text[:min(len(e.text), w)]))-5)
		x = c.Text(x, y, Bad, Fit(c.T(e.wrong), room)) + 2
	}
	x = c.Text(x, y, Accent|Bold, c.T(e.Label)+" ")
	room := max(1, w-x-1)
	head := string(e.text[max(0, e.at-2*room):e.at]) // the loop below would take seconds on a long paste
	for Width(head) > room {
		_, n := utf8.DecodeRuneInString(head)
		head = head[n:]
	}
	st := Either(e.filled && len(e.text) > 0, Sel, Plain)
	x = c.Text(x, y, st, head)
	under, rest := blank, ""
	if e.at < len(e.text) {
		under, rest = string(e.text[e.at]), string(e.text[e.at+1:min(len(e.text), e.at+1+w)])
	}
	x = c.Text(x, y, Plain|Invert, under)
	x = c.Text(x, y, Plain, rest)
	if e.wrong == "" && e.Hint != "" {
		c.Text(x+2, y, Dim, Fit(c.T(e.Hint), w-x-3))
	}
}
