package store

import (
	"errors"
	"math"
	"strconv"
	"testing"

	"angler/message"
)

func TestUndoSurvivesARestart(t *testing.T) {
	w, dir := create(t)
	do := func(key, what string, value any) {
		t.Helper()
		c := Set(FirstTopic, "label", key, value)
		if _, err := w.Decisions.Do("wang", message.Plain(what), c); err != nil {
			t.Fatal(err)
		}
	}
	labels := func() string {
		t.Helper()
		m, err := w.Decisions.Values(FirstTopic, "label")
		must(t, err)
		return string(m["7"]) + " " + string(m["8"])
	}
	do("7", "label 7 yes", "yes")
	do("8", "label 8 no", "no")
	do("7", "label 7 no", "no")
	do("7", "label 7 no", "no") // no change, no event
	if _, err := w.Decisions.Undo("li", nil); err != nil {
		t.Fatal(err)
	}
	if got := labels(); got != `"yes" "no"` {
		t.Fatalf("after one undo: %s", got)
	}
	must(t, w.Close())
	w = open(t, dir)
	if _, err := w.Decisions.Undo("li", nil); err != nil {
		t.Fatal(err)
	}
	if got := labels(); got != `"yes" ` {
		t.Errorf("after two undos and a restart: %s", got)
	}
	for range 2 {
		if _, err := w.Decisions.Redo("li", nil); err != nil {
			t.Fatal(err)
		}
	}
	if got := labels(); got != `"no" "no"` {
		t.Errorf("after redoing both: %s", got)
	}
	if _, err := w.Decisions.Redo("li", nil); !errors.Is(err, ErrNothingToRedo) {
		t.Errorf("redo of nothing: %v", err)
	}
	if _, err := w.Decisions.Undo("li", nil); err != nil {
		t.Fatal(err)
	}
	do("9", "label 9 yes", "yes")
	if _, err := w.Decisions.Redo("li", nil); !errors.Is(err, ErrNothingToRedo) {
		t.Errorf("redo after a new change: %v", err)
	}
	for range 3 {
		if _, err := w.Decisions.Undo("li", nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Decisions.Undo("li", nil); !errors.Is(err, ErrNothingToUndo) {
		t.Errorf("undo of nothing: %v", err)
	}
	events, err := w.Decisions.Events(100)
	must(t, err)
	if e := events[0]; len(events) != 12 || e.By != "wang" || e.What != "label 7 yes" || e.At.IsZero() || e.Seq != 1 {
		t.Errorf("%d events, first %+v", len(events), events[0])
	}
}

func TestManyChangesAreOneStep(t *testing.T) {
	w, _ := create(t)
	var changes []Change
	for _, key := range []string{"1", "2", "1"} {
		c := Set(FirstTopic, "label", key, "yes "+key+" "+strconv.Itoa(len(changes)))
		changes = append(changes, c)
	}
	e, err := w.Decisions.Do("wang", "3 labels imported", changes...)
	must(t, err)
	if len(e.Changes) != 3 {
		t.Errorf("%d changes logged", len(e.Changes))
	}
	if again, err := w.Decisions.Do("wang", "nothing", changes[2]); err != nil || again != nil {
		t.Errorf("a change that changes nothing was logged: %+v, %v", again, err)
	}
	_, err = w.Decisions.Undo("wang", nil)
	must(t, err)
	m, err := w.Decisions.Values(FirstTopic, "label")
	must(t, err)
	if len(m) != 0 {
		t.Errorf("one undo left %v", m)
	}
	_, err = w.Decisions.Redo("wang", nil)
	must(t, err)
	if m, err = w.Decisions.Values(FirstTopic, "label"); err != nil || string(m["1"]) != `"yes 1 2"` || len(m) != 2 {
		t.Errorf("redo gave %v, %v", m, err)
	}
}

func TestTopicsAreApart(t *testing.T) {
	w, _ := create(t)
	seed(t, w, "http://a.test/")
	for topic, value := range map[TopicID]string{FirstTopic: "yes", 2: "no", 11: "unsure"} {
		c := Set(topic, "label", "1", value)
		_, err := w.Decisions.Do("wang", message.Plain(value), c)
		must(t, err)
	}
	if _, err := w.Decisions.Do("wang", "no JSON", Set(FirstTopic, "label", "1", math.NaN())); err == nil {
		t.Error("a value that is no JSON was logged")
	}
	for topic, want := range map[TopicID]string{FirstTopic: `"yes"`, 2: `"no"`, 11: `"unsure"`, 3: ""} {
		m, err := w.Decisions.Values(topic, "label")
		must(t, err)
		if string(m["1"]) != want {
			t.Errorf("topic %d: %s, want %s", topic, m, want)
		}
	}
	e, err := w.Decisions.Undo("li", nil)
	must(t, err)
	if m, err := w.Decisions.Values(e.Changes[0].Topic, "label"); err != nil || len(m) != 0 {
		t.Errorf("topic %d after the undo: %s, %v", e.Changes[0].Topic, m, err)
	}
	check(t, w)
	if e, err := w.Decisions.Do("wang", "of no topic", Change{Kind: "label", Key: "1", After: []byte("1")}); !errors.Is(err, errNoTopic) || e != nil {
		t.Errorf("a change of no topic: %+v, %v", e, err)
	}
	if m, err := w.Decisions.Values(0, "label"); err != nil || len(m) != 0 {
		t.Errorf("no topic has %s, %v", m, err)
	}
}

func TestDecisionKeysComeApart(t *testing.T) {
	for _, c := range []struct {
		key       string
		topic     TopicID
		kind, own string
		ok        bool
	}{
		{"1/label/7", 1, "label", "7", true},
		{"4294967295/sample/http://a.test/x/", 1<<32 - 1, "sample", "http://a.test/x/", true},
		{"2/topic/", 2, "topic", "", true},
		{key: "label/7"}, {key: "sample/http://a.test/"}, {key: "0/label/7"}, {key: "01/label/7"}, {key: "+1/label/7"},
		{key: "4294967296/label/7"}, {key: "1/label"}, {key: "1"}, {key: ""},
	} {
		topic, kind, own, ok := splitDecision([]byte(c.key))
		if ok != c.ok || ok && (topic != c.topic || kind != c.kind || own != c.own) {
			t.Errorf("%q: %d, %q, %q, %v", c.key, topic, kind, own, ok)
		}
	}
}

func TestSampleMaterialOutlivesItsRemoval(t *testing.T) {
	w, dir := create(t)
	must(t, w.Decisions.PutSample(&Sample{URL: "http://a.test/list.htm", ContentType: "text/html", Body: Compress([]byte("招标"))}))
	must(t, w.Close())
	w = open(t, dir)
	s, err := w.Decisions.Sample("http://a.test/list.htm")
	must(t, err)
	body, err := Decompress(s.Body, 1<<20)
	must(t, err)
	if string(body) != "招标" {
		t.Errorf("sample body %q", body)
	}
	if s, err := w.Decisions.Sample("http://a.test/other.htm"); s != nil || err != nil {
		t.Errorf("unknown sample: %v, %v", s, err)
	}
	if _, err := Decompress(Compress(make([]byte, 8<<20)), 1<<20); err == nil {
		t.Error("a body longer than the limit was decompressed")
	}
}
