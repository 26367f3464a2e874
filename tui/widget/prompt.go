package widget

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Prompter is a question in one line, whatever kind of answer it takes: every
// Prompt is one.
type Prompter interface {
	// Key handles one key; closed reports that the question is answered or left.
	Key(k tea.KeyMsg) (closed bool, cmd tea.Cmd)
	// Draw renders the question on row y of c.
	Draw(c *Canvas, y int)
	// Text returns what was typed.
	Text() string
	// Refuse says why what was typed was no answer after all.
	Refuse(why string)
	// Moment is what is shown.
	Moment() Moment
}

// Prompt asks for a T. On enter Check reads the text, without the space around
// it: an error says why it is no answer and keeps the prompt open, otherwise Do
// gets the very value that was checked. Both must be set. A Prompt belongs to
// one goroutine.
type Prompt[T any] struct {
	Editor
	Check func(string) (T, error)
	Do    func(T) tea.Cmd
}

// Refusal is why a text is no answer, in words that the language translates.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// AnyText is the Check of a prompt that takes whatever is typed.
func AnyText(s string) (string, error) { return s, nil }

// SomeText returns the Check of a prompt that takes whatever is typed, but not
// nothing.
func SomeText(none Refusal) func(string) (string, error) {
	return func(s string) (string, error) {
		if s == "" {
			return "", none
		}
		return s, nil
	}
}

// Key implements Prompter.
func (p *Prompt[T]) Key(k tea.KeyMsg) (closed bool, cmd tea.Cmd) {
	if k.String() != "enter" {
		return p.key(k)
	}
	text := strings.TrimSpace(p.Text())
	v, err := p.Check(text)
	if err != nil {
		p.Refuse(err.Error())
		return false, nil
	}
	p.wrong = ""
	if p.Past != nil && text != "" {
		*p.Past = append(*p.Past, text)
	}
	return true, p.Do(v)
}
