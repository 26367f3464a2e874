package store

import (
	"errors"
	"testing"
)

func TestUndoSurvivesARestart(t *testing.T) {
	w, dir := create(t)
	do := func(key, what string, value any) {
		t.Helper()
		if _, err := w.Do("wang", "label", key, what, value); err != nil {
			t.Fatal(err)
		}
	}
	labels := func() string {
		t.Helper()
		m, err := w.Desk("label")
		must(t, err)
		return string(m["7"]) + " " + string(m["8"])
	}
	do("7", "label 7 yes", "yes")
	do("8", "label 8 no", "no")
	do("7", "label 7 no", "no")
	do("7", "label 7 no", "no") // no change, no event
	if _, err := w.Undo("li"); err != nil {
		t.Fatal(err)
	}
	if got := labels(); got != `"yes" "no"` {
		t.Fatalf("after one undo: %s", got)
	}
	must(t, w.Close())
	w = open(t, dir)
	if _, err := w.Undo("li"); err != nil {
		t.Fatal(err)
	}
	if got := labels(); got != `"yes" ` {
		t.Errorf("after two undos and a restart: %s", got)
	}
	for range 2 {
		if _, err := w.Redo("li"); err != nil {
			t.Fatal(err)
		}
	}
	if got := labels(); got != `"no" "no"` {
		t.Errorf("after redoing both: %s", got)
	}
	if _, err := w.Redo("li"); !errors.Is(err, ErrNothingToRedo) {
		t.Errorf("redo of nothing: %v", err)
	}
	if _, err := w.Undo("li"); err != nil {
		t.Fatal(err)
	}
	do("9", "label 9 yes", "yes")
	if _, err := w.Redo("li"); !errors.Is(err, ErrNothingToRedo) {
		t.Errorf("redo after a new change: %v", err)
	}
	for range 3 {
		if _, err := w.Undo("li"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Undo("li"); !errors.Is(err, ErrNothingToUndo) {
		t.Errorf("undo of nothing: %v", err)
	}
	events, err := w.Events(100)
	must(t, err)
	if e := events[0]; len(events) != 12 || e.By != "wang" || e.What != "label 7 yes" || e.At.IsZero() || e.Seq != 1 {
		t.Errorf("%d events, first %+v", len(events), events[0])
	}
}

func TestSampleMaterialOutlivesItsRemoval(t *testing.T) {
	w, dir := create(t)
	must(t, w.PutSample(&Sample{URL: "http://a.test/list.htm", ContentType: "text/html", Body: Compress([]byte("招标"))}))
	must(t, w.Close())
	w = open(t, dir)
	s, err := w.Sample("http://a.test/list.htm")
	must(t, err)
	body, err := Decompress(s.Body, 1<<20)
	must(t, err)
	if string(body) != "招标" {
		t.Errorf("sample body %q", body)
	}
	if s, err := w.Sample("http://a.test/other.htm"); s != nil || err != nil {
		t.Errorf("unknown sample: %v, %v", s, err)
	}
	if _, err := Decompress(Compress(make([]byte, 8<<20)), 1<<20); err == nil {
		t.Error("a body longer than the limit was decompressed")
	}
}
