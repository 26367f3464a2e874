package cli

import (
	"errors"
	"strings"
	"testing"

	"angler/crawl/decisions"
	"angler/store"
	"angler/tui/tuitest"
)

func TestTopicCommand(t *testing.T) {
	t.Setenv("USER", "wang")
	dir := tuitest.Waiting(t)
	run := func(line string) decisions.TopicRow {
		t.Helper()
		return logRows[decisions.TopicRow](t, line+" --json", dir)[0]
	}
	set := func(flags string) decisions.TopicRow { t.Helper(); return run("topic set " + flags) }
	fresh := run("topic show")
	if fresh.Scheme != "records" || fresh.Norm != "full" || fresh.M != 100 || fresh.Gamma != .2 || fresh.Theta != 0 || !fresh.ThetaAuto || fresh.Did != "" || fresh.Judge != "rule" {
		t.Errorf("a fresh topic: %+v", fresh)
	}
	changed := set("--scheme tf/idf --norm inner --m 30 --min-weight .1 --gamma 0 --theta 34% " +
		"--expert 招标 --expert 采购 --weight 招标=2.5 --stop 首页")
	if changed.Scheme != "tf/idf" || changed.Norm != "inner" || changed.M != 30 || changed.MinWeight != .1 || changed.Gamma != 0 || changed.Theta != .34 || changed.ThetaWhy != "set by hand" ||
		strings.Join(changed.Expert, " ") != "招标 采购" || changed.Weights["招标"] != 2.5 || strings.Join(changed.Stop, " ") != "首页" || !strings.HasPrefix(changed.Did, "topic: scheme tf/idf; ") {
		t.Errorf("after a change: %+v", changed)
	}
	if r := set("--similarity mean"); r.Similarity != "mean" || r.Did != "similarity mean" || fresh.Similarity != "centroid" {
		t.Errorf("compared with each sample: %+v", r)
	}
	if r := set("--similarity mean"); r.Did != "" {
		t.Errorf("the same again is a change: %q", r.Did)
	}
	if r := run("history undo"); r.Similarity != "centroid" || r.Did != "undo: similarity mean" {
		t.Errorf("undone: %+v", r)
	}
	if r := set("--similarity centroid"); r.Did != "" {
		t.Errorf("the default is a change: %q", r.Did)
	}
	if r := set("--expert Tender --weight TENDER=3"); r.Weights["tender"] != 3 || r.Expert[0] != "tender" {
		t.Errorf("a word in capitals: %+v", r)
	}
	run("history undo")
	if r := set("--theta auto --off 采购"); !r.ThetaAuto || strings.Join(r.Off, " ") != "采购" {
		t.Errorf("θ automatic: %+v", r)
	}
	text, _, err := call(t, "topic", dir)
	for _, want := range []string{"tf/idf", "0.1 of the heaviest", "招标 ×2.5", "招标, 采购", "首页", "automatic"} {
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("%v, no %q in\n%s", err, want, text)
		}
	}
	if r := run("history undo"); r.Did != "undo: topic: θ automatic; word 采购 off" || r.Theta != .34 || len(r.Off) != 0 {
		t.Errorf("undone: %+v", r)
	}
	t.Setenv("USER", "li")
	if _, _, err := call(t, "history undo", dir); err == nil || !strings.Contains(err.Error(), "wang's") ||
		!strings.Contains(err.Error(), "--yes") {
		t.Errorf("another person's action: %v", err)
	}
	if r := run("history undo --yes"); r.Scheme != "records" || len(r.Expert)+len(r.Stop)+len(r.Weights) != 0 ||
		r.Gamma != .2 {
		t.Errorf("undone with --yes: %+v", r)
	}
	if _, _, err := call(t, "history undo --yes", dir); !errors.Is(err, store.ErrNothingToUndo) {
		t.Errorf("nothing is left to undo: %v", err)
	}
}

func TestTopicMisuse(t *testing.T) {
	dir := tuitest.Waiting(t)
	for _, args := range []string{
		"--scheme bm25", "--scheme=", "--norm l1", "--similarity max", "--m 0", "--m 10001", "--m many",
		"--min-weight -1", "--gamma NaN", "--gamma 4.1", "--theta 0", "--theta 101%", "--theta inf",
		"--weight 招标", "--weight =2", "--weight 招标=10.1", "--expert 招标 --weight 招标=1 --weight 招标=2",
		"--on 招标 --off 招标", "", "--m 7 --off 招标", "--on 招标", "--weight 招标=2", // without samples no word is on or off
	} {
		misused(t, "", "topic set "+args, dir)
	}
	misused(t, "", "topic set", dir, "--expert", "招标 采购")
	if out, _, err := call(t, "history undo", dir); !errors.Is(err, store.ErrNothingToUndo) {
		t.Errorf("something was changed: %q, %v", out, err)
	}
}
