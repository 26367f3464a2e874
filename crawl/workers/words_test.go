package workers_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"angler/crawl/workers"
)

func TestWordsTravelAsDelta(t *testing.T) {
	many := strings.Repeat("招标公告\n", 10_000)
	for name, c := range map[string]struct{ from, to workers.SharedWords }{
		"one more at the end":   {workers.SharedWords{User: many}, workers.SharedWords{User: many + "采购意向\n"}},
		"one more in between":   {workers.SharedWords{User: "a\n" + many}, workers.SharedWords{User: "a\n采购意向\n" + many}},
		"one less":              {workers.SharedWords{User: many + "采购意向\n" + many}, workers.SharedWords{User: many + many}},
		"letters that begin so": {workers.SharedWords{User: many + "招标"}, workers.SharedWords{User: many + "拜标"}},
		"a stop word":           {workers.SharedWords{User: many, Stop: "的"}, workers.SharedWords{User: many, Stop: "的\n了"}},
		"nothing":               {workers.SharedWords{User: many}, workers.SharedWords{User: many}},
		"all":                   {workers.SharedWords{User: "a"}, workers.SharedWords{}},
	} {
		b, err := json.Marshal(c.from.To(c.to))
		if err != nil {
			t.Fatal(err)
		}
		var d workers.WordsDelta
		if err := json.Unmarshal(b, &d); err != nil {
			t.Fatal(err)
		}
		if got, err := c.from.With(d); err != nil || got != c.to {
			t.Errorf("%s: other words come of it, %v", name, err)
		}
		if d.Size() > 40 {
			t.Errorf("%s: %d bytes travel", name, d.Size())
		}
		if _, err := (workers.SharedWords{User: "others"}).With(d); err == nil {
			t.Errorf("%s: it was applied to other words", name)
		}
	}
}

func FuzzDelta(f *testing.F) {
	f.Add("招标\n公告", "招标\n采购\n公告", 3, 4, "x")
	f.Fuzz(func(t *testing.T, from, to string, head, tail int, mid string) {
		a, b := workers.SharedWords{User: from}, workers.SharedWords{User: to}
		if got, err := a.With(a.To(b)); err != nil || got != b {
			t.Errorf("%q to %q is %q, %v", from, to, got.User, err)
		}
		if m := a.To(b).User.Mid; utf8.ValidString(from) && utf8.ValidString(to) && !utf8.ValidString(m) {
			t.Errorf("%q to %q: %q travels", from, to, m)
		}
		_, _ = a.With(workers.WordsDelta{Of: a.Mark(), User: workers.TextSplice{Head: head, Tail: tail, Mid: mid}}) // must not panic
	})
}
