package ui

import (
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// Prompt is a one-line editor. Live, if set, is called after every change;
// Done with the text on enter; Cancel on esc. Check, if set, must return "" for
// enter to be accepted; else it says what is wrong. A Prompt belongs to one
// goroutine.
type Prompt struct {
	Label  string
	Hint   string
	Live   func(string) tea.Cmd
	Done   func(string) tea.Cmd
	Cancel func() tea.Cmd
	Check  func(string) string

	Past *[]string // earlier entries, oldest first; ↑ recalls them

	text   []rune
	at     int
	recall int // how many entries back; 0 = the text being typed
	wrong  string
}

// maxInput bounds what a paste can bring in, in runes: some hundred URLs.
const maxInput = 16 << 10

// Preset fills the prompt with text, the cursor at its end.
func (p *Prompt) Preset(text string) { p.text = []rune(Clean(text)); p.at = len(p.text) }

// Text returns what was typed.
func (p *Prompt) Text() string { return string(p.text) }

// Key handles one key; closed reports that the prompt is finished.
func (p *Prompt) Key(k tea.KeyMsg) (closed bool, cmd tea.Cmd) {
	p.wrong = ""
	switch k.String() {
	case "esc", "ctrl+c":
		if p.Cancel != nil {
			cmd = p.Cancel()
		}
		return true, cmd
	case "enter":
		text := strings.TrimSpace(p.Text())
		if p.Check != nil {
			if p.wrong = p.Check(text); p.wrong != "" {
				return false, nil
			}
		}
		if p.Past != nil && text != "" {
			*p.Past = append(*p.Past, text)
		}
		return true, p.Done(text)
	case "left", "ctrl+b":
		p.at = max(0, p.at-1)
		return false, nil
	case "right", "ctrl+f":
		p.at = min(len(p.text), p.at+1)
		return false, nil
	case "home", "ctrl+a":
		p.at = 0
		return false, nil
	case "end", "ctrl+e":
		p.at = len(p.text)
		return false, nil
	case "up", "down":
		return false, p.recallEntry(k.String() == "up")
	case "backspace", "ctrl+h":
		if p.at == 0 {
			return false, nil
		}
		p.text = append(p.text[:p.at-1], p.text[p.at:]...)
		p.at--
	case "delete", "ctrl+d":
		if p.at == len(p.text) {
			return false, nil
		}
		p.text = append(p.text[:p.at], p.text[p.at+1:]...)
	case "ctrl+u":
		p.text, p.at = append([]rune(nil), p.text[p.at:]...), 0
	case "ctrl+k":
		p.text = p.text[:p.at]
	case "ctrl+w":
		i := p.at
		for i > 0 && p.text[i-1] == ' ' {
			i--
		}
		for i > 0 && p.text[i-1] != ' ' {
			i--
		}
		p.text = append(p.text[:i], p.text[p.at:]...)
		p.at = i
	default:
		if k.Type == tea.KeySpace || k.Type == tea.KeyRunes && !k.Alt {
			runes := k.Runes
			if k.Type == tea.KeySpace {
				runes = []rune{' '}
			}
			p.insert(string(runes))
		} else {
			return false, nil
		}
	}
	if p.Live != nil {
		cmd = p.Live(p.Text())
	}
	return false, cmd
}

// insert adds typed or pasted text at the cursor: line ends become spaces,
// what is hostile is dropped.
func (p *Prompt) insert(s string) {
	var add []rune
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			r = ' '
		case hostile(r) || r == utf8.RuneError:
			continue
		}
		add = append(add, r)
	}
	add = add[:min(len(add), max(0, maxInput-len(p.text)))]
	p.text = append(p.text[:p.at], append(add, p.text[p.at:]...)...)
	p.at += len(add)
}

func (p *Prompt) recallEntry(older bool) tea.Cmd {
	if p.Past == nil {
		return nil
	}
	n := p.recall - 1
	if older {
		n = p.recall + 1
	}
	if n < 0 || n > len(*p.Past) {
		return nil
	}
	p.recall = n
	if n == 0 {
		p.Preset("")
	} else {
		p.Preset((*p.Past)[len(*p.Past)-n])
	}
	if p.Live != nil {
		return p.Live(p.Text())
	}
	return nil
}

// Draw renders the prompt on row y of c; the text scrolls so that the cursor
// stays visible.
func (p *Prompt) Draw(c *Canvas, y int) {
	w, _ := c.Size()
	c.Fill(Rect{0, y, w, 1}, Plain, blank)
	x := c.Text(0, y, Accent|Bold, c.T(p.Label)+" ")
	room := max(1, w-x-1)
	head := string(p.text[:p.at])
	for Width(head) > room {
		_, n := utf8.DecodeRuneInString(head)
		head = head[n:]
	}
	x = c.Text(x, y, Plain, head)
	under, rest := blank, ""
	if p.at < len(p.text) {
		under, rest = string(p.text[p.at]), string(p.text[p.at+1:])
	}
	x = c.Text(x, y, Plain|Invert, under)
	x = c.Text(x, y, Plain, rest)
	switch {
	case p.wrong != "":
		c.Say(x+2, y, Bad, p.wrong)
	case p.Hint != "":
		c.Say(x+2, y, Dim, p.Hint)
	}
}
