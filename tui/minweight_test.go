package tui

import (
	"testing"

	"angler/message"
	"angler/tui/i18n"
	"angler/tui/tuitest"
)

// TestMinimalWeight sets the least weight of feature words: checked, applied, shown and undone.
func TestMinimalWeight(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 160, 40)
	d.press("2", "l")
	d.shows("minimal weight:")
	d.press("ctrl+u", "2", "enter")
	d.shows("a number from 0 to 1")
	d.lacks("too light", "words are too light without a bound")
	scoring := func() (n int, least, most float64) {
		least = 1
		for _, f := range e.Topic.Features() {
			if f.Weight > 0 {
				n, least, most = n+1, min(least, f.Weight), max(most, f.Weight)
			}
		}
		return n, least, most
	}
	before, _, _ := scoring()
	d.press("ctrl+u", ".5", "enter")
	d.comes("too light")
	if n, least, most := scoring(); n == 0 || n >= before || least < .5*most {
		t.Errorf("%d of %d words score, with %v to %v", n, before, least, most)
	}
	d.press("u")
	if n, _, _ := scoring(); n != before || e.Topic.Config().MinWeight != 0 {
		t.Errorf("undo left %d of %d words at a minimal weight of %v", n, before, e.Topic.Config().MinWeight)
	}
}

// The line of a change of several settings is translated part by part.
func TestLineOfManyChanges(t *testing.T) {
	zh := lang(t, "zh")
	line := message.Of("topic: %s", message.Join([]message.Text{message.Of("scheme %s", "tf-idf"), message.Of("m %d", 40),
		message.Of("word %s off", "采购"), message.Of("stop word %s", "公告")}, "; "))
	if got, want := zh.Message(line), "主题：方案 TF-IDF；m 40；关闭词 采购；停用词 公告"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := (*i18n.Lang)(nil).Message(line), "topic: scheme tf-idf; m 40; word 采购 off; stop word 公告"; got != want {
		t.Errorf("%q", got)
	}
}
