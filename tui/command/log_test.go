package command

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"angler/store"
	"angler/tui/command/upkeep"
)

// logRows are the lines of a command that prints JSON lines.
func logRows[T any](t *testing.T, args ...string) []T {
	t.Helper()
	out, _, err := call(t, args...)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	var rows []T
	for dec := json.NewDecoder(strings.NewReader(out)); dec.More(); {
		var row T
		if err := dec.Decode(&row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// TestLogIsToldAndRepeated: what log lists, replay-log repeats on a copy, which ends
// as the workspace stands, and the workspace stays as it is.
func TestLogIsToldAndRepeated(t *testing.T) {
	dir := stored(t, 300)
	for _, change := range [][]string{{"--theta", ".2"}, {"--stop", "学院"}, {"--theta", ".9"}, {"--undo"}} {
		if _, _, err := call(t, append([]string{"topic", dir}, change...)...); err != nil {
			t.Fatal(err)
		}
	}
	events := logRows[store.Event](t, "log", dir, "--json")
	if len(events) != 7 || events[0].Seq != 1 || !strings.HasPrefix(events[0].What, "sample ") || len(events[3].Changes) == 0 || events[6].Undoes != events[5].Seq {
		t.Fatalf("the log: %+v", events)
	}
	text, _, err := call(t, "log", dir, "--grep", "sample")
	if lines := strings.Split(strings.TrimSpace(text), "\n"); err != nil || strings.Count(text, "http://") != len(lines) {
		t.Errorf("the log of samples lacks addresses: %v\n%s", err, text)
	}
	text, _, err = call(t, "log", dir, "--grep", "θ")
	if lines := strings.Split(strings.TrimSpace(text), "\n"); err != nil || len(lines) != 3 || !strings.Contains(lines[1], "θ 0.9  (taken back)") || strings.Contains(lines[0], "taken back") {
		t.Errorf("the log of θ: %v\n%s", err, text)
	}
	for _, c := range []struct {
		args []string
		want int
	}{{[]string{"--last", "2"}, 2}, {[]string{"--by", "nobody"}, 0}, {[]string{"--since", "1h"}, 7}, {[]string{"--until", "1h"}, 0}, {[]string{"--since", "2020-01-01", "--until", "2020-01-02T10:00"}, 0}} {
		if got := logRows[store.Event](t, append([]string{"log", dir, "--json"}, c.args...)...); len(got) != c.want {
			t.Errorf("%v lists %d, want %d", c.args, len(got), c.want)
		}
	}

	before := topicRow(t, dir)
	copied := filepath.Join(t.TempDir(), "copy")
	told := logRows[upkeep.Replayed](t, "replay-log", dir, copied, "--json")
	if len(told) != len(events) {
		t.Fatalf("%d of %d actions were repeated", len(told), len(events))
	}
	for i, r := range told {
		if r.What != events[i].What || r.By != events[i].By || !r.At.Equal(events[i].At) {
			t.Errorf("repeated %+v, decided %+v", r, events[i])
		}
	}
	if told[3].Theta != .2 || told[5].Theta != .9 || told[6].Theta != .2 || told[2].Aggregations == 0 || told[5].Lost == 0 || told[6].Gained != told[5].Lost {
		t.Errorf("told %+v", told)
	}
	if got := topicRow(t, copied); got != before {
		t.Errorf("the copy judges by %s, the workspace by %s", got, before)
	}
	if got := topicRow(t, dir); got != before {
		t.Errorf("the workspace judged by %s and now by %s", before, got)
	}
	if n := len(logRows[store.Event](t, "log", copied, "--json")); n != 2*len(events)+1 {
		t.Errorf("the copy's log has %d actions", n)
	}
	// A part of the log: before it stands what stood then.
	part := filepath.Join(t.TempDir(), "part")
	if told := logRows[upkeep.Replayed](t, "replay-log", dir, part, "--json", "--grep", "stop word"); len(told) != 1 || told[0].Theta != .2 {
		t.Errorf("the stop word alone: %+v", told)
	}
	if got := topicRow(t, part); !strings.Contains(got, "学院") {
		t.Errorf("the part's topic: %s", got)
	}

	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"log", dir, "--since", "yesterday"}, "is no time"},
		{[]string{"log", dir, "--last", "-1"}, "--last -1 is less than 0"},
		{[]string{"replay-log", dir, copied}, "there already"},
		{[]string{"replay-log", dir, filepath.Join(t.TempDir(), "none"), "--by", "nobody"}, "angler log"},
	} {
		if _, _, err := call(t, c.args...); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v, want %s", c.args, err, strconv.Quote(c.says))
		}
	}
}

// topicRow is how a workspace judges, as one line.
func topicRow(t *testing.T, dir string) string {
	t.Helper()
	out, _, err := call(t, "topic", dir, "--json")
	if err != nil {
		t.Fatal(err)
	}
	return out
}
