package cli

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"angler/crawl/decisions"
	"angler/store"
	"angler/tui/tuitest"
)

func TestTopicCommand(t *testing.T) {
	t.Setenv("USER", "wang")
	dir := tuitest.Waiting(t)
	row := func(args ...string) decisions.TopicRow {
		t.Helper()
		verb := []string{"topic", "show"}
		if len(args) > 0 && args[0] == "undo" {
			verb, args = []string{"history", "undo"}, args[1:]
		} else if len(args) > 0 {
			verb[1] = "set"
		}
		out, _, err := call(t, slices.Concat(verb, []string{dir, "--json"}, args)...)
		must(t, err)
		var r decisions.TopicRow
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatalf("%v in %q", err, out)
		}
		return r
	}
	fresh := row()
	if fresh.Scheme != "records" || fresh.Norm != "full" || fresh.M != 100 || fresh.Gamma != .2 || fresh.Theta != 0 || !fresh.ThetaAuto || fresh.Did != "" || fresh.Judge != "rule" {
		t.Errorf("a fresh topic: %+v", fresh)
	}
	changed := row("--scheme", "tf/idf", "--norm", "inner", "--m", "30", "--min-weight", ".1", "--gamma", "0", "--theta", "34%",
		"--expert", "招标", "--expert", "采购", "--weight", "招标=2.5", "--stop", "首页")
	if changed.Scheme != "tf/idf" || changed.Norm != "inner" || changed.M != 30 || changed.MinWeight != .1 || changed.Gamma != 0 || changed.Theta != .34 || changed.ThetaWhy != "set by hand" ||
		strings.Join(changed.Expert, " ") != "招标 采购" || changed.Weights["招标"] != 2.5 || strings.Join(changed.Stop, " ") != "首页" || !strings.HasPrefix(changed.Did, "topic: scheme tf/idf; ") {
		t.Errorf("after a change: %+v", changed)
	}
	if r := row("--similarity", "mean"); r.Similarity != "mean" || r.Did != "similarity mean" || fresh.Similarity != "centroid" {
		t.Errorf("compared with each sample: %+v", r)
	}
	if r := row("--similarity", "mean"); r.Did != "" {
		t.Errorf("the same again is a change: %q", r.Did)
	}
	if r := row("undo"); r.Similarity != "centroid" || r.Did != "undo: similarity mean" {
		t.Errorf("undone: %+v", r)
	}
	if r := row("--similarity", "centroid"); r.Did != "" {
		t.Errorf("the default is a change: %q", r.Did)
	}
	if r := row("--expert", "Tender", "--weight", "TENDER=3"); r.Weights["tender"] != 3 || r.Expert[0] != "tender" {
		t.Errorf("a word in capitals: %+v", r)
	}
	row("undo")
	if r := row("--theta", "auto", "--off", "采购"); !r.ThetaAuto || strings.Join(r.Off, " ") != "采购" {
		t.Errorf("θ automatic: %+v", r)
	}
	text, _, err := call(t, "topic", dir)
	for _, want := range []string{"tf/idf", "0.1 of the heaviest", "招标 ×2.5", "招标, 采购", "首页", "automatic"} {
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("%v, no %q in\n%s", err, want, text)
		}
	}
	if r := row("undo"); r.Did != "undo: topic: θ automatic; word 采购 off" || r.Theta != .34 || len(r.Off) != 0 {
		t.Errorf("undone: %+v", r)
	}
	t.Setenv("USER", "li")
	if _, _, err := call(t, "history", "undo", dir); err == nil || !strings.Contains(err.Error(), "wang's") ||
		!strings.Contains(err.Error(), "--yes") {
		t.Errorf("another person's action: %v", err)
	}
	if r := row("undo", "--yes"); r.Scheme != "records" || len(r.Expert)+len(r.Stop)+len(r.Weights) != 0 ||
		r.Gamma != .2 {
		t.Errorf("undone with --yes: %+v", r)
	}
	if _, _, err := call(t, "history", "undo", dir, "--yes"); !errors.Is(err, store.ErrNothingToUndo) {
		t.Errorf("nothing is left to undo: %v", err)
	}
}

func TestTopicMisuse(t *testing.T) {
	dir := tuitest.Waiting(t)
	for name, args := range map[string][]string{
		"unknown scheme": {"--scheme", "bm25"}, "empty scheme": {"--scheme", ""}, "unknown norm": {"--norm", "l1"}, "unknown similarity": {"--similarity", "max"}, "m": {"--m", "0"}, "large m": {"--m", "10001"}, "no number": {"--m", "many"},
		"minimal weight": {"--min-weight", "-1"}, "NaN": {"--gamma", "NaN"}, "gamma": {"--gamma", "4.1"}, "theta": {"--theta", "0"}, "large theta": {"--theta", "101%"}, "infinite theta": {"--theta", "inf"},
		"no weight": {"--weight", "招标"}, "weight without a word": {"--weight", "=2"}, "heavy": {"--weight", "招标=10.1"}, "two weights": {"--expert", "招标", "--weight", "招标=1", "--weight", "招标=2"},
		"a word of two": {"--expert", "招标 采购"}, "on and off": {"--on", "招标", "--off", "招标"}, "nothing": {},
		"off without samples": {"--m", "7", "--off", "招标"}, "on without samples": {"--on", "招标"}, "weight without samples": {"--weight", "招标=2"},
	} {
		_, _, err := call(t, append([]string{"topic", "set", dir}, args...)...)
		var wrong *misuseError
		if !errors.As(err, &wrong) {
			t.Errorf("%s: %v is no misuse", name, err)
		}
	}
	if out, _, err := call(t, "history", "undo", dir); !errors.Is(err, store.ErrNothingToUndo) {
		t.Errorf("something was changed: %q, %v", out, err)
	}
}
