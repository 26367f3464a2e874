package alerts

import (
	"strings"
	"testing"
	"time"

	"angler/store/config"
	"angler/store/records"
)

// A digest marks what the model says, and puts a yes first, while [assistant] is on.
func TestDigestTellsWhatTheModelSays(t *testing.T) {
	for _, on := range []bool{false, true} {
		s := newSink(t)
		w := newWorld(t, hookTo(s, nil))
		if on {
			w.set.Assistant = config.Assistant{URL: "http://localhost:1/v1", Model: "small", Question: "bridges?"}
		}
		w.pass(time.Hour)
		for id, x := range map[uint64]struct {
			answer *records.Answer
			stale  bool
		}{
			2: {&records.Answer{Said: records.SaidNo}, false},
			3: {nil, false},
			4: {&records.Answer{Said: records.SaidYes, Quote: "a bridge"}, true},
			5: {&records.Answer{Said: records.SaidYes, Quote: "a bridge\n of <b>steel</b>"}, false},
			6: {&records.Answer{Said: records.SaidUnsure}, false},
		} {
			w.comes(id, string(rune('A'+id)), 1)
			r := &w.rows[len(w.rows)-1]
			r.Answer, r.Stale = x.answer, x.stale
		}
		d, _, err := w.n.compose(t.Context(), &w.set.Notify[0], records.PlaceOf(wayPlace(&w.set.Notify[0])), w.now)
		must(t, err)
		text := d.Text()
		for _, want := range []string{"the model says yes to 1\n", "the model says yes: “a bridge of <b>steel</b>”",
			"the model says no\n", "the model says unsure\n"} {
			if strings.Contains(text, want) != on {
				t.Errorf("[assistant] is on: %v, and %q is told: %v\n%s", on, want, !on, text)
			}
		}
		if n := strings.Count(text, "the model says"); on && n != 4 || !on && n != 0 {
			t.Errorf("[assistant] is on: %v, and the model is named %d times:\n%s", on, n, text)
		}
		items := d.Sections[0].Items
		if first, last := items[0].Title, items[len(items)-1].Title; on && (first != "F" || last != "C") {
			t.Errorf("the first is %s and the last is %s, want F, a yes, and C, a no", first, last)
		}
		if page := d.html(); strings.Contains(page, "<b>steel") {
			t.Errorf("a quote acts: %s", page)
		}
	}
}
