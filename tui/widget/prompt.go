package widget

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Prompter is a one-line question with any type of answer: every Prompt is one.
type Prompter interface {
	// Key handles one key; closed reports whether the question was answered or cancelled.
	Key(k tea.KeyMsg) (closed bool, cmd tea.Cmd)
	// Draw renders the question on row y of c.
	Draw(c *Canvas, y int)
	// Text returns the typed text.
	Text() string
	// Preset and Fill set the text before typing, see Editor.
	Preset(text string)
	Fill(text string)
	// Refuse shows why the answer failed.
	Refuse(why string)
	// Moment returns the visible state.
	Moment() string
}

// Prompt asks for a T. On enter Check parses the trimmed text. An error says why it is invalid and
// keeps the prompt open; otherwise Do gets the parsed value. Both must be set. It is for one
// goroutine.
type Prompt[T any] struct {
	Editor
	Check func(string) (T, error)
	Do    func(T) tea.Cmd
}

// Refusal says why a text is invalid; it is translated.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// AnyText is the Check of a prompt that accepts any text.
func AnyText(s string) (string, error) { return s, nil }

// SomeText returns the Check of a prompt that accepts any non-empty text.
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
