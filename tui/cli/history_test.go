package cli

import (
	"strings"
	"testing"
	"time"

	"angler/store"
	"angler/store/records"
	"angler/tui/tuitest"
)

func TestRunsAreListedNewestFirst(t *testing.T) {
	dir := tuitest.Waiting(t)
	out, _, err := call(t, "history runs", dir)
	if err != nil || !strings.Contains(out, "no run yet; start one") {
		t.Errorf("without a run: %v\n%s", err, out)
	}
	ws, err := store.Open(dir)
	must(t, err)
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.Local)
	for _, r := range []records.Run{
		{Task: "discovery", By: "王", Start: at, Seen: at.Add(time.Minute), End: records.RunFinished, Took: 60, Fetched: 900, Failures: 47, Pages: 853, Lists: 41, Bytes: 9_500_000, Memory: 145_000_000, CPU: 12,
			Kinds: map[string]int{"HTTP status 404": 28, "robots": 17, "dns": 1, "timeout": 1}},
		{Task: "discovery", By: "li\x1b[31m", Under: "a.test/xw/", Start: at.Add(time.Hour), Seen: at.Add(time.Hour + 3*time.Second), Fetched: 1},
	} {
		if _, err := records.BeginRun(ws, &r); err != nil {
			t.Fatal(err)
		}
	}
	must(t, ws.Close())
	out, _, err = call(t, "history runs", dir)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err != nil || len(lines) != 3 || !strings.HasPrefix(lines[0], "run") {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, want := range [][]string{{"2", "2026-11-20 10:00", "li ", "discovery of a.test/xw/", "killed", "3.0 s"}, {"1", "2026-11-20 09:00", "王", "finished", "60 s", "900", "853", "41", "9.5", "145 MB", "12 s", "HTTP status 404 ×28, robots ×17, dns ×1, …"}} {
		for _, w := range want {
			if !strings.Contains(lines[i+1], w) {
				t.Errorf("line %d does not tell %q: %s", i+1, w, lines[i+1])
			}
		}
	}
	if strings.Contains(out, "\x1b") {
		t.Errorf("an escape sequence is printed: %q", out)
	}
	if rows := logRows[records.Run](t, "history runs --json -n 1", dir); len(rows) != 1 || rows[0].ID != 2 ||
		rows[0].End != records.RunKilled {
		t.Errorf("the last as JSON: %+v", rows)
	}
	if _, _, err := call(t, "history runs -n 0", dir); err == nil {
		t.Error("-n 0 was taken")
	}
}

func TestRetryIsNarrowed(t *testing.T) {
	for _, c := range []struct {
		args, want string
	}{
		{"all", "4 failed"}, {"all --host a.example.test", "3 failed"},
		{"all --reason DNS", "2 failed"},
		{"all --host *.example.test --reason 'status 403'", "2 failed"},
		{"dns --host b.example.test", "1 failed"},
		{"http://b.example.test/list1.htm", "1 failed"},
		{"http://b.example.test/list", "0 failed URLs match"},
		{"dns --host c.test", `match "dns, host c.test"`},
	} {
		dir := tuitest.Waiting(t)
		ws, err := store.Open(dir)
		must(t, err)
		for u, why := range map[string]string{"http://a.example.test/info/1000.htm": "dns: no such host", "http://a.example.test/info/1007.htm": "HTTP status 403",
			"http://a.example.test/info/1014.htm": "HTTP status 403", "http://b.example.test/list1.htm": "dns: no such host"} {
			id, ok := ws.Lookup(u)
			if !ok {
				t.Fatal(u)
			}
			if _, err := ws.Commit(nil, []*store.Capture{{ID: id, State: store.Exception, Fails: 3, Failure: store.ReadFailure(why)}}); err != nil {
				t.Fatal(err)
			}
		}
		must(t, ws.Close())
		holds(t, done(t, "frontier retry "+dir, split(c.args)...), c.want)
	}
	refused(t, "usage: angler frontier retry DIR all|REASON|HOST|URL", "frontier retry --host a.example.test", tuitest.Waiting(t))
}
