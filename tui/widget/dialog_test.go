package widget

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
)

// ofColours returns the dark theme on a terminal of 16 million, 256, 16 or no colours.
func ofColours(t *testing.T, env map[string]string) *Theme {
	t.Helper()
	th, err := Pick("auto", false, func(k string) string { return env[k] })
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// A lipgloss style of a theme gives the same cells as the role, on every terminal.
func TestBlockIsWhatTheRolesDraw(t *testing.T) {
	for name, env := range map[string]map[string]string{
		"truecolor": {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"},
		"256":       {"TERM": "screen-256color", "LANG": "C.UTF-8"},
		"16":        {"TERM": "xterm", "LANG": "C.UTF-8"},
		"none":      {"TERM": "xterm", "NO_COLOR": "1", "LANG": "C.UTF-8"},
	} {
		th := ofColours(t, env)
		for role := Plain; role < roles; role++ {
			for _, flags := range []Style{0, Bold, Sel, soft, Invert, Bold | Sel} {
				drawn, laid := NewCanvas(th, 12, 2), NewCanvas(th, 12, 2)
				drawn.Text(1, 1, role|flags, "招标a")
				laid.Block(1, 0, "\n"+th.Style(role|flags).Render("招标a"))
				if drawn.String() != laid.String() {
					t.Errorf("%s: role %d with %#x is %q, laid out %q", name, role, flags, drawn.String(), laid.String())
				}
			}
		}
		if th.Style(Bad|Bold).Render("x") == "x" {
			t.Errorf("%s: an error looks like plain text", name)
		}
	}
	// 256 colours are those chosen by hand.
	th := ofColours(t, map[string]string{"TERM": "screen-256color", "LANG": "C.UTF-8"})
	if got := th.Style(Line).Render("x"); !strings.Contains(got, "38;5;240") {
		t.Errorf("a border is drawn as %q", got)
	}
}

func TestBlockLetsNothingHostileThrough(t *testing.T) {
	c := NewCanvas(ofColours(t, map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}), 30, 1)
	c.Block(0, 0, "a\x1b[2Jb\x1b]0;title\x07c\x1b[31mred\x1b[38;5")
	if got := c.String(); strings.Contains(got, "\x1b") || strings.Contains(got, "\x07") {
		t.Errorf("drawn as %q", got)
	}
}

func TestDialogDimsWhatIsBehind(t *testing.T) {
	th := ofColours(t, map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"})
	c := NewCanvas(th, 40, 10)
	c.Text(0, 9, Bad|Bold, "behind")
	in := Dialog(c, 20, 5, "标题")
	in.Text(0, 0, Plain, "inside")
	lines := strings.Split(c.String(), "\n")
	if strings.Contains(lines[9], th.styles[Bad|Bold]) || !strings.Contains(lines[9], th.styles[Line]+"mbehind") {
		t.Errorf("behind it: %q", lines[9])
	}
	for _, want := range []string{"╭─", " 标题 ", "╯"} {
		if !strings.Contains(c.String(), want) {
			t.Errorf("no %q in\n%s", want, c.String())
		}
	}
	for i, l := range lines {
		if w := lipgloss.Width(l); w != 40 {
			t.Errorf("line %d is %d wide", i, w)
		}
	}
	for w := range 12 {
		for h := range 6 {
			Dialog(NewCanvas(th, w, h), w, h, "标题").Text(0, 0, Plain, "x") // no size is too small
		}
	}
}

func TestPresetIsReplacedByTyping(t *testing.T) {
	for name, c := range map[string]struct {
		keys []string
		want string
	}{
		"typed over":       {[]string{"2"}, "2"},
		"edited":           {[]string{"left", "2"}, "121"},
		"shortened":        {[]string{"backspace"}, "1"},
		"only the first":   {[]string{"2", "3"}, "23"},
		"pasted over":      {[]string{"34"}, "34"},
		"moved, then more": {[]string{"end", "5"}, "115"},
	} {
		var p Prompt[string]
		p.Preset("11")
		for _, k := range c.keys {
			if k == "end" {
				k = "ctrl+e"
			}
			p.Key(key(k))
		}
		if p.Text() != c.want {
			t.Errorf("%s: %q, want %q", name, p.Text(), c.want)
		}
	}
}

// A paste beyond the bound is cut between words, and the prompt says so.
func TestALongPasteLosesWholeWords(t *testing.T) {
	var p Prompt[string]
	p.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(strings.Repeat("http://a.test/ ", maxInput/10)), Paste: true})
	words := strings.Fields(p.Text())
	if len(p.Text()) > maxInput || len(words) < maxInput/15-1 || words[len(words)-1] != "http://a.test/" || p.wrong == "" {
		t.Errorf("%d characters and %d words, the last %q, refused %q", len(p.Text()), len(words), words[len(words)-1], p.wrong)
	}
}

func TestListShowsWhatWasTypedAndWhatWasUsed(t *testing.T) {
	c := NewChooser("actions", []Item{{Name: "first"}, {Name: "second", Used: 1}, {Name: "third", Used: 2}})
	names := func() (out []string) {
		for _, i := range c.found {
			out = append(out, c.items[i].Name)
		}
		return out
	}
	if got := strings.Join(names(), " "); got != "third second first" {
		t.Errorf("in the order of use: %s", got)
	}
	c.Key(key("fst"))
	if got := strings.Join(names(), " "); got != "first" {
		t.Errorf("fst finds %s", got)
	}
}

// In a numbered list a digit chooses at once, unless text was typed before.
func TestADigitChoosesInANumberedList(t *testing.T) {
	chosen := ""
	var items []Item
	for _, name := range []string{"1 a", "2 b", "3 b2"} {
		items = append(items, Item{Name: name, Raw: true, Do: func() tea.Cmd { chosen = name; return nil }})
	}
	for _, c := range []struct{ typed, want string }{{"2", "2 b"}, {"9", ""}, {"0", ""}, {"b2", ""}} {
		l := NewChooser("attachments", items)
		l.Numbered, chosen = true, ""
		closed := false
		for _, r := range c.typed {
			closed, _ = l.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		}
		if chosen != c.want || closed != (c.want != "") {
			t.Errorf("%s chose %q, closed %v", c.typed, chosen, closed)
		}
	}
}

// The notes of a list are aligned, except after a name that is too wide; a note that would be cut
// is closer to its name.
func TestNotesStandBelowEachOther(t *testing.T) {
	long := strings.Repeat("x", mostAligned+4)
	drawn := func(more ...Item) map[string]int {
		c := NewChooser("pick", append([]Item{{Name: "a", Raw: true, Note: "first"}, {Name: "标题", Raw: true, Note: "second"}, {Name: long, Raw: true, Note: "third"}}, more...))
		th := mono(t)
		cv := NewCanvas(th, 90, 20)
		c.In(th.Lang).Draw(cv)
		at := map[string]int{}
		for _, l := range strings.Split(ansi.Strip(cv.String()), "\n") {
			for _, note := range []string{"first", "second", "third", "yyy"} {
				if i := strings.Index(l, note); i >= 0 {
					at[note] = ansi.StringWidth(l[:i])
				}
			}
		}
		return at
	}
	at := drawn(Item{Name: "b", Raw: true, Note: strings.Repeat("y", 74)}, Item{Name: "no note at all", Raw: true})
	if at["first"] != at["second"] || at["third"] <= at["second"] || at["yyy"] >= at["first"]+2 {
		t.Errorf("the notes begin at %v", at)
	}
	if at := drawn(); at["first"] != at["third"] || at["second"] != at["third"] || at["third"] == 0 {
		t.Errorf("where there is room for all of them, the notes begin at %v", at)
	}
}

// An item without an action closes the list, like the answer that changes nothing.
func TestAnItemThatDoesNothingClosesItsList(t *testing.T) {
	did := false
	ask := func() *Chooser {
		return NewChooser("stop it?", []Item{{Name: "keep it"}, {Name: "stop it", Do: func() tea.Cmd { did = true; return nil }}})
	}
	if closed, cmd := ask().Key(tea.KeyMsg{Type: tea.KeyEnter}); !closed || cmd != nil || did {
		t.Errorf("closed %v, did %v", closed, did)
	}
	c := ask()
	c.Key(tea.KeyMsg{Type: tea.KeyDown})
	if closed, _ := c.Key(tea.KeyMsg{Type: tea.KeyEnter}); !closed || !did {
		t.Errorf("closed %v, did %v", closed, did)
	}
}
