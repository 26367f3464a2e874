package workers

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWordsTravelAsDelta(t *testing.T) {
	many := strings.Repeat("招标公告\n", 10_000)
	for name, c := range map[string]struct{ from, to sharedWords }{
		"one more at the end":   {sharedWords{User: many}, sharedWords{User: many + "采购意向\n"}},
		"one more in between":   {sharedWords{User: "a\n" + many}, sharedWords{User: "a\n采购意向\n" + many}},
		"one less":              {sharedWords{User: many + "采购意向\n" + many}, sharedWords{User: many + many}},
		"letters that begin so": {sharedWords{User: many + "招标"}, sharedWords{User: many + "拜标"}},
		"a stop word":           {sharedWords{User: many, Stop: "的"}, sharedWords{User: many, Stop: "的\n了"}},
		"nothing":               {sharedWords{User: many}, sharedWords{User: many}},
		"all":                   {sharedWords{User: "a"}, sharedWords{}},
	} {
		b, err := json.Marshal(c.from.to(c.to))
		if err != nil {
			t.Fatal(err)
		}
		var d wordsDelta
		if err := json.Unmarshal(b, &d); err != nil {
			t.Fatal(err)
		}
		if got, err := c.from.with(d); err != nil || got != c.to {
			t.Errorf("%s: other words come of it, %v", name, err)
		}
		if d.size() > 40 {
			t.Errorf("%s: %d bytes travel", name, d.size())
		}
		if _, err := (sharedWords{User: "others"}).with(d); err == nil {
			t.Errorf("%s: it was applied to other words", name)
		}
	}
}

func FuzzDelta(f *testing.F) {
	f.Add("招标\n公告", "招标\n采购\n公告", 3, 4, "x")
	f.Fuzz(func(t *testing.T, from, to string, head, tail int, mid string) {
		a, b := sharedWords{User: from}, sharedWords{User: to}
		if got, err := a.with(a.to(b)); err != nil || got != b {
			t.Errorf("%q to %q is %q, %v", from, to, got.User, err)
		}
		if m := a.to(b).User.Mid; utf8.ValidString(from) && utf8.ValidString(to) && !utf8.ValidString(m) {
			t.Errorf("%q to %q: %q travels", from, to, m)
		}
		_, _ = a.with(wordsDelta{Of: a.mark(), User: textSplice{Head: head, Tail: tail, Mid: mid}}) // must not panic
	})
}
