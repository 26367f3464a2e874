package widget

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

func mono(t testing.TB) *Theme {
	t.Helper()
	th, err := Pick("mono", false, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	return th
}

func TestClean(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain":          {"招标公告", "招标公告"},
		"spaces fold":    {"  招标\u3000 公告\n第2页 ", "招标 公告 第2页"},
		"colour":         {"\x1b[31m红\x1b[0m色", "红色"},
		"title sequence": {"a\x1b]0;evil\x07b", "ab"},
		"clipboard":      {"a\x1b]52;c;ZXZpbA==\x1b\\b", "ab"},
		"open sequence":  {"a\x1b]0;never ends", "a0;never ends"},
		"C1 sequence":    {"a\u009b31mb", "ab"},
		"bidi override":  {"a\u202etxt.exe", "atxt.exe"},
		"joiner":         {"👩\u200d🔧", "👩🔧"},
		"invalid UTF-8":  {"a\xffb", "a\ufffdb"},
		"korean apart":   {"\u1112\u1161\u11ab", "한"},
		"bell and del":   {"a\x07\x7fb", "ab"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Clean(c.in); got != c.want {
				t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
	if got := cleanText("项目\t金额\n甲\x1b[2J\t1"); got != "项目 │ 金额\n甲 │ 1" {
		t.Errorf("CleanText keeps no rows: %q", got)
	}
}

func FuzzClean(f *testing.F) {
	f.Add("招标\x1b[31m公告\u202e")
	f.Add("\u009d0;x\x1b\\ \xff")
	f.Fuzz(func(t *testing.T, s string) {
		c := Clean(s)
		if strings.ContainsAny(c, "\x1b\n\t\r\u009b\u202e\u200d") {
			t.Fatalf("hostile text passed: %q → %q", s, c)
		}
		if again := Clean(c); again != c {
			t.Fatalf("not stable: %q → %q → %q", s, c, again)
		}
	})
}

// Every line is as wide as the canvas and holds only the theme's sequences: Bubble Tea measures and
// cuts lines in the same way.
func FuzzCanvas(f *testing.F) {
	f.Add("招标公告 … │ █ ●", 7)
	f.Add("e\u0301\u0301\u0301\u0301\u0301\u0301 กำ 한글 \u1112\u1161\u11ab", 5)
	f.Add("👩\u200d🔧🇨🇳👍🏽", 9)
	f.Add("\x1b[2Jx\u009b1m", 4)
	f.Fuzz(func(t *testing.T, s string, x int) {
		if len(s) > 200 || x < -20 || x > 40 {
			t.Skip("beyond what a row shows")
		}
		c := NewCanvas(mono(t), 20, 3)
		c.Text(x, 1, Plain, s)
		c.Text(3, 1, Plain, "中")
		c.Text(4, 1, Plain, "|") // cuts a wide cell in half
		c.Sub(Rect{x % 7, 1, 5, 1}).Clear()
		c.Fitted(0, 2, 13, Plain, s, x%2 == 0)
		for _, l := range strings.Split(c.String(), "\n") {
			if w := ansi.StringWidth(l); w != 20 {
				t.Fatalf("%q: width %d of %q", s, w, l)
			}
			if strings.ContainsAny(l, "\x1b\u009b\u202e\u200d\r") {
				t.Fatalf("%q: hostile line %q", s, l)
			}
		}
	})
}

func TestFitAndWrap(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		w    int
		want string
	}{
		"fits":               {"a.test/b/list2.htm", 18, "a.test/b/list2.htm"},
		"loses its middle":   {"zbcg.beiling.test/zbgg/list2.htm", 16, "zbcg.bei…st2.htm"},
		"cut in wide cells":  {"招标采购公告结果", 9, "招标…结果"},
		"too narrow for two": {"abcdefgh", 4, "abc…"},
	} {
		if got := fitEnds(c.in, c.w); got != c.want || Width(got) > c.w {
			t.Errorf("%s: FitEnds(%q, %d) = %q, want %q", name, c.in, c.w, got, c.want)
		}
	}
	for name, c := range map[string]struct {
		in   string
		w    int
		want string
	}{
		"fits":               {"招标公告", 8, "招标公告"},
		"cut in a wide cell": {"招标公告", 6, "招标…"},
		"one cell":           {"招标", 1, "…"},
		"nothing":            {"招标", 0, ""},
		"latin":              {"abcdef", 4, "abc…"},
	} {
		if got := Fit(c.in, c.w); got != c.want {
			t.Errorf("%s: Fit(%q, %d) = %q, want %q", name, c.in, c.w, got, c.want)
		}
		if got := Width(Pad(c.in, c.w)); got != c.w {
			t.Errorf("%s: Pad(%q, %d) is %d wide", name, c.in, c.w, got)
		}
	}
	for name, c := range map[string]struct {
		in   string
		w    int
		want string
	}{
		"chinese by cell":         {"关于实验室设备招标公告", 8, "关于实验/室设备招/标公告"},
		"latin words whole":       {"open tender notice", 8, "open/tender/notice"},
		"mark not at line start":  {"一二三四，五六", 8, "一二三/四，五六"},
		"mark not at line end":    {"一二三（四五）", 8, "一二三/（四五）"},
		"marks alone":             {"（（（（（", 4, "（（/（（/（"},
		"long word broken":        {"abcdefghij", 4, "abcd/efgh/ij"},
		"paragraphs":              {"甲\n\n乙", 8, "甲//乙"},
		"narrower than one glyph": {"招标", 1, "招/标"},
	} {
		if got := strings.Join(Wrap(c.in, c.w, 100), "/"); got != c.want {
			t.Errorf("%s: Wrap = %q, want %q", name, got, c.want)
		}
	}
	if got := len(Wrap(strings.Repeat("字", 1000), 2, 7)); got != 7 {
		t.Errorf("Wrap ignored its bound: %d lines", got)
	}
}

func TestThemes(t *testing.T) {
	env := func(kv ...string) func(string) string {
		return func(k string) string {
			for i := 0; i < len(kv); i += 2 {
				if kv[i] == k {
					return kv[i+1]
				}
			}
			return ""
		}
	}
	for name, c := range map[string]struct {
		pick, want string
		env        func(string) string
	}{
		"truecolor":          {"auto", "dark", env("TERM", "xterm-256color", "COLORTERM", "truecolor")},
		"light by COLORFGBG": {"auto", "light", env("TERM", "xterm-256color", "COLORFGBG", "0;15")},
		"dark by COLORFGBG":  {"auto", "dark", env("TERM", "xterm-256color", "COLORFGBG", "15;0")},
		"16 colours":         {"auto", "16", env("TERM", "xterm")},
		"NO_COLOR wins":      {"dark", "mono", env("TERM", "xterm-256color", "NO_COLOR", "1")},
		"dumb":               {"auto", "mono", env("TERM", "dumb")},
		"by name":            {"light", "light", env("TERM", "xterm-256color")},
	} {
		t.Run(name, func(t *testing.T) {
			th, err := Pick(c.pick, false, c.env)
			if err != nil || th.Name != c.want {
				t.Fatalf("theme %v, %v; want %s", th, err, c.want)
			}
			cv := NewCanvas(th, 4, 1)
			cv.Text(0, 0, Bad|Bold, "no")
			coloured := strings.Contains(cv.String(), "38;") || strings.Contains(cv.String(), "1;31m")
			if coloured == (c.want == "mono") {
				t.Errorf("colours: %v in %q", coloured, cv.String())
			}
		})
	}
	if _, err := Pick("pink", false, env()); err == nil || !strings.Contains(err.Error(), "dark, light") {
		t.Errorf("an unknown theme must name the known ones: %v", err)
	}
	th, _ := Pick("mono", true, env())
	c := NewCanvas(th, 12, 3)
	Frame(c, "招标 ● …", "", true)
	for _, r := range c.String() {
		if r > 0x7f && !strings.ContainsRune("招标", r) {
			t.Errorf("%q is not ASCII", r)
		}
	}
}

func key(s string) tea.KeyMsg {
	switch s {
	case "enter":
		return tea.KeyMsg{Type: tea.KeyEnter}
	case "up":
		return tea.KeyMsg{Type: tea.KeyUp}
	case "left":
		return tea.KeyMsg{Type: tea.KeyLeft}
	case "backspace":
		return tea.KeyMsg{Type: tea.KeyBackspace}
	case "ctrl+w":
		return tea.KeyMsg{Type: tea.KeyCtrlW}
	case "ctrl+e":
		return tea.KeyMsg{Type: tea.KeyCtrlE}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)}
}

func TestPrompt(t *testing.T) {
	var got string
	past := []string{"旧的", "招标"}
	for name, c := range map[string]struct {
		keys []string
		want string
	}{
		"typed chinese":  {[]string{"招", "标", "enter"}, "招标"},
		"edit in middle": {[]string{"a", "c", "left", "b", "enter"}, "abc"},
		"backspace":      {[]string{"招标", "backspace", "enter"}, "招"},
		"word":           {[]string{"ab cd", "ctrl+w", "enter"}, "ab"},
		"recall":         {[]string{"up", "up", "enter"}, "旧的"},
		"hostile paste":  {[]string{"a\x1b[31m\nb", "enter"}, "a[31m b"},
		"refused first":  {[]string{"bad", "enter", "backspace", "backspace", "backspace", "ok", "enter"}, "ok"},
	} {
		t.Run(name, func(t *testing.T) {
			mine := append([]string(nil), past...)
			p := Prompt[string]{Editor: Editor{Past: &mine}, Do: func(s string) tea.Cmd { got = s; return nil }, Check: func(s string) (string, error) {
				if s == "bad" {
					return "", Refusal("no")
				}
				return s, nil
			}}
			closed := false
			for _, k := range c.keys {
				closed, _ = p.Key(key(k))
			}
			if !closed || got != c.want {
				t.Errorf("got %q closed %v, want %q", got, closed, c.want)
			}
		})
	}
}

// A prompt passes on the value that its check parsed, for any text.
func TestPromptDoesWhatItChecked(t *testing.T) {
	var got time.Duration
	p := Prompt[time.Duration]{Check: func(s string) (time.Duration, error) {
		if s == "" {
			return 0, Refusal("nothing is typed")
		}
		d, err := time.ParseDuration(s)
		if err != nil {
			d, err = time.ParseDuration(s + "s")
		}
		return d, err
	}, Do: func(d time.Duration) tea.Cmd { got = d; return nil }}
	for _, k := range []string{"enter", "x", "enter", "backspace", " ", "2", " "} {
		if closed, _ := p.Key(key(k)); closed {
			t.Fatalf("%q closed the prompt", k)
		}
	}
	if closed, _ := p.Key(key("enter")); !closed || got != 2*time.Second {
		t.Errorf("got %v, closed %v", got, closed)
	}
}

func TestHistogram(t *testing.T) {
	c := NewCanvas(mono(t), 4, 2)
	Histogram(c, []int{16, 8, 1, 0}, 1, false)
	if got := c.String(); ansi.Strip(got) != "░   \n░█▁ " { // without colours a sign marks values below
		t.Errorf("linear histogram:\n%s", got)
	}
	if !NeedsLog([]int{40000, 3, 5, 2, 9}) || NeedsLog([]int{40, 30, 50, 20}) {
		t.Error("a log scale is for histograms that one bin flattens")
	}
	for _, log := range []bool{true, false} {
		if got := Unscale(1, 4000, log); got != 4000 {
			t.Errorf("the top of the axis is %d", got)
		}
	}
}

func TestCurveFallsAndStaysInside(t *testing.T) {
	c := NewCanvas(mono(t), 10, 3)
	Curve(c, Bar, []float64{1, .5, 0, 7, -3})
	lines := strings.Split(ansi.Strip(c.String()), "\n")
	if !strings.ContainsAny(lines[0][:6], "⠁⠉⠑⠢⡀⠈⡇") || strings.TrimSpace(lines[2]) == "" {
		t.Errorf("curve does not run from top to bottom:\n%s", strings.Join(lines, "\n"))
	}
}

func TestWhen(t *testing.T) {
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.Local)
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{time.Time{}, "–"},
		{now.Add(-2 * time.Hour), "08:00"},
		{now.Add(-11 * time.Hour), "03-01"},
		{now.AddDate(0, -3, 0), "2025"},
	} {
		if got := When(c.at, now); got != c.want {
			t.Errorf("%v: %q, want %q", c.at, got, c.want)
		}
	}
}
