package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"angler/store"
)

// logRows are the lines of a command that prints JSON lines.
func logRows[T any](t *testing.T, line string, args ...string) []T {
	t.Helper()
	out, _, err := call(t, line, args...)
	if err != nil {
		t.Fatalf("%v: %v", line, err)
	}
	var rows []T
	for dec := json.NewDecoder(strings.NewReader(out)); dec.More(); {
		var row T
		must(t, dec.Decode(&row))
		rows = append(rows, row)
	}
	return rows
}

// TestLog lists decisions and narrows them by person, text and time.
func TestLog(t *testing.T) {
	dir := stored(t, 300)
	for _, change := range []string{"topic set --theta .2", "topic set --stop 学院", "topic set --theta .9", "history undo"} {
		done(t, change, dir)
	}
	events := logRows[store.Event](t, "history decisions --json", dir)
	if len(events) != 7 || events[0].Seq != 1 || !strings.HasPrefix(events[0].What.String(), "sample ") || len(events[3].Changes) == 0 || events[6].Undoes != events[5].Seq {
		t.Fatalf("the log: %+v", events)
	}
	text, _, err := call(t, "history decisions --grep sample", dir)
	if lines := strings.Split(strings.TrimSpace(text), "\n"); err != nil || strings.Count(text, "http://") != len(lines) {
		t.Errorf("the log of samples lacks addresses: %v\n%s", err, text)
	}
	text, _, err = call(t, "history decisions --grep θ", dir)
	if lines := strings.Split(strings.TrimSpace(text), "\n"); err != nil || len(lines) != 3 || !strings.Contains(lines[1], "θ 0.9  (taken back)") || strings.Contains(lines[0], "taken back") {
		t.Errorf("the log of θ: %v\n%s", err, text)
	}
	for _, c := range []struct {
		args string
		want int
	}{
		{"--last 2", 2}, {"--by nobody", 0}, {"--since 1h", 7}, {"--until 1h", 0},
		{"--since 2020-01-01 --until 2020-01-02T10:00", 0},
	} {
		if got := logRows[store.Event](t, "history decisions --json "+c.args, dir); len(got) != c.want {
			t.Errorf("%v lists %d, want %d", c.args, len(got), c.want)
		}
	}

	for args, says := range map[string]string{"--since yesterday": "is no time", "--last -1": "--last -1 is less than 0"} {
		refused(t, says, "history decisions "+args, dir)
	}
}
