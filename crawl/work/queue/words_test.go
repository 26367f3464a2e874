package queue_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"angler/crawl/work/queue"
)

func TestWordsTravelAsDelta(t *testing.T) {
	many := strings.Repeat("招标公告\n", 10_000)
	for name, c := range map[string]struct{ from, to queue.Words }{
		"one more at the end":   {queue.Words{User: many}, queue.Words{User: many + "采购意向\n"}},
		"one more in between":   {queue.Words{User: "a\n" + many}, queue.Words{User: "a\n采购意向\n" + many}},
		"one less":              {queue.Words{User: many + "采购意向\n" + many}, queue.Words{User: many + many}},
		"letters that begin so": {queue.Words{User: many + "招标"}, queue.Words{User: many + "拜标"}},
		"a stop word":           {queue.Words{User: many, Stop: "的"}, queue.Words{User: many, Stop: "的\n了"}},
		"nothing":               {queue.Words{User: many}, queue.Words{User: many}},
		"all":                   {queue.Words{User: "a"}, queue.Words{}},
	} {
		b, err := json.Marshal(c.from.To(c.to))
		if err != nil {
			t.Fatal(err)
		}
		var d queue.Delta
		if err := json.Unmarshal(b, &d); err != nil {
			t.Fatal(err)
		}
		if got, err := c.from.With(d); err != nil || got != c.to {
			t.Errorf("%s: other words come of it, %v", name, err)
		}
		if d.Size() > 40 {
			t.Errorf("%s: %d bytes travel", name, d.Size())
		}
		if _, err := (queue.Words{User: "others"}).With(d); err == nil {
			t.Errorf("%s: it was applied to other words", name)
		}
	}
}

func FuzzDelta(f *testing.F) {
	f.Add("招标\n公告", "招标\n采购\n公告", 3, 4, "x")
	f.Fuzz(func(t *testing.T, from, to string, head, tail int, mid string) {
		a, b := queue.Words{User: from}, queue.Words{User: to}
		if got, err := a.With(a.To(b)); err != nil || got != b {
			t.Errorf("%q to %q is %q, %v", from, to, got.User, err)
		}
		if m := a.To(b).User.Mid; utf8.ValidString(from) && utf8.ValidString(to) && !utf8.ValidString(m) {
			t.Errorf("%q to %q: %q travels", from, to, m)
		}
		_, _ = a.With(queue.Delta{Of: a.Mark(), User: queue.Splice{Head: head, Tail: tail, Mid: mid}}) // must not panic
	})
}
