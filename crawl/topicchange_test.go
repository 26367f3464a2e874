package crawl_test

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/message"
	"angler/topic"
)

func to[T any](v T) *T { return &v }

// One Change is one step: logged with who in one line, taken back by one undo.
func TestChangeOfATopicIsOneStep(t *testing.T) {
	now := new(clock)
	b := openDemo(t, "", crawl.Options{By: "wang", Now: now.Now})
	ctx := context.Background()
	sampled(t, b, 3)
	must(t, b.Words(ctx))
	words := b.Topic.Features()
	first, second, third := words[0].Word, words[1].Word, words[2].Word
	before := b.Topic.Row()
	did, err := b.Topic.Change(&decisions.TopicChange{Scheme: to(topic.SchemeTFIDF), Norm: to(topic.NormProjected), M: to(40), MinWeight: to(.05), Gamma: to(.5), Theta: to(.34),
		Expert: []string{"磋商谈判"}, Stop: []string{third}, Off: []string{first}, Weights: map[string]float64{second: 1.5, "磋商谈判": 2}})
	must(t, err)
	must(t, b.Words(ctx))
	want := "topic: scheme tf-idf; norm projected; m 40; minimal weight 0.05; γ 0.5; θ 0.34; expert word 磋商谈判; word " + first + " off; "
	if !strings.HasPrefix(did.String(), want) || !strings.Contains(did.String(), "weight of "+second+" ×1.5") || !strings.HasSuffix(did.String(), "stop word "+third) {
		t.Errorf("logged as %q", did)
	}
	events, err := b.Workspace().Decisions.Events(1)
	if err != nil || len(events) != 1 || events[0].By != "wang" || events[0].What != did {
		t.Errorf("the log ends with %+v, %v", events, err)
	}
	after := b.Topic.Row()
	if after.Scheme != "tf-idf" || after.Norm != "projected" || after.M != 40 || after.MinWeight != .05 || after.Gamma != .5 || after.Theta != .34 || after.ThetaAuto ||
		after.ThetaWhy != string(topic.RuleSet) || !slices.Equal(after.Expert, []string{"磋商谈判"}) || !slices.Equal(after.Off, []string{first}) ||
		!slices.Equal(after.Stop, []string{third}) || after.Weights[second] != 1.5 || after.Features == 0 || after.Features > 41 {
		t.Errorf("the topic is %+v", after)
	}
	for _, f := range b.Topic.Features() {
		if f.Word == third || f.Word == first && f.On || f.Word == "磋商谈判" && (!f.Expert || f.Weight <= 0 || f.Multiplier != 2) {
			t.Errorf("feature %+v", f)
		}
	}
	again := &decisions.TopicChange{Scheme: to(topic.SchemeTFIDF), Theta: to(.34), Expert: []string{"磋商谈判"}, Stop: []string{third}, Off: []string{first}, Weights: map[string]float64{second: 1.5}}
	if did, err := b.Topic.Change(again); did != "" || err != nil {
		t.Errorf("what is so already: %q, %v", did, err)
	}
	if did, err := b.Topic.UndoLate(false); did != message.Of("undo: %s", events[0].What) || err != nil {
		t.Errorf("undo: %q, %v", did, err)
	}
	must(t, b.Words(ctx))
	if got := b.Topic.Row(); got.Theta != before.Theta || got.Features != before.Features || got.Scheme != before.Scheme || len(got.Expert)+len(got.Off)+len(got.Stop)+len(got.Weights) != 0 {
		t.Errorf("after the undo %+v, before %+v", got, before)
	}
	undoneLate(t, b.Engine, now)
}

// undoneLate: a process of one action undoes its user's actions of the last hour,
// others only when told so.
func undoneLate(t *testing.T, b *crawl.Engine, now *clock) {
	t.Helper()
	change := func(e *crawl.Engine, m int) {
		t.Helper()
		if did, err := e.Topic.Change(&decisions.TopicChange{M: &m}); did == "" || err != nil {
			t.Fatalf("%q, %v", did, err)
		}
	}
	refused := func(who string) {
		t.Helper()
		_, err := b.As(auth.Actor{Name: "wang", Role: auth.Owner}).Topic.UndoLate(false)
		if q, ok := errors.AsType[*decisions.UndoQuestion](err); !ok || q.By != who {
			t.Errorf("undone without a question: %v", err)
		}
	}
	change(b, 11)
	if did, err := b.As(auth.Actor{Name: "wang", Role: auth.Owner}).Topic.UndoLate(false); did.String() != "undo: m 11" || err != nil { // of another session
		t.Errorf("%q, %v", did, err)
	}
	change(b, 12)
	now.jump(time.Hour + time.Second)
	refused("wang")
	change(b.As(auth.Actor{Name: "li", Role: auth.Owner}), 13)
	refused("li")
	if did, err := b.As(auth.Actor{Name: "wang", Role: auth.Owner}).Topic.UndoLate(true); did.String() != "undo: m 13" || err != nil || b.Topic.Config().M != 12 {
		t.Errorf("%q, %v, m %d", did, err, b.Topic.Config().M)
	}
}

func TestChangeIsRefusedWhole(t *testing.T) {
	b := openDemo(t, "", crawl.Options{By: "wang"})
	type change = decisions.TopicChange
	refuse := func(name string, c *change, says string, unknown bool) {
		t.Helper()
		log := func() uint64 {
			n, err := b.Workspace().Decisions.Last()
			must(t, err)
			return n
		}
		was, before := b.Topic.Config(), log()
		_, err := b.Topic.Change(c)
		if err == nil || !strings.Contains(err.Error(), says) || errors.Is(err, decisions.ErrUnknownWord) != unknown {
			t.Errorf("%s: %v", name, err)
		}
		now := b.Topic.Config()
		if log() != before || now.M != was.M || !slices.Equal(now.Off, was.Off) || !maps.Equal(now.Weights, was.Weights) {
			t.Errorf("%s: something was changed", name)
		}
	}
	refuse("no samples", &change{M: to(7), Off: []string{"招标"}}, "angler sample", true)
	sampled(t, b, 2)
	must(t, b.Words(context.Background()))
	word := b.Topic.Features()[0].Word
	for name, c := range map[string]*change{
		"off": {M: to(7), Off: []string{word, "没有这个词"}}, "on": {M: to(7), On: []string{"没有这个词"}}, "weight": {M: to(7), Weights: map[string]float64{"没有这个词": 2}},
	} {
		refuse(name, c, "no sample holds the word 没有这个词", true)
	}
	for name, c := range map[string]struct {
		change change
		says   string
	}{
		"scheme":         {change{Scheme: to(topic.Scheme("bm25"))}, "choose from records, tf/idf, tf-idf, tf"},
		"norm":           {change{Norm: to(topic.Norm("l1"))}, "full, projected, inner"},
		"m":              {change{M: to(0)}, "from 1 to"},
		"m too large":    {change{M: to(topic.MaxFeatures + 1)}, "from 1 to"},
		"min weight":     {change{MinWeight: to(1.1)}, "from 0 to 1"},
		"no number":      {change{MinWeight: to(math.NaN())}, "from 0 to 1"},
		"gamma":          {change{Gamma: to(-.1)}, "from 0 to 4"},
		"theta":          {change{Theta: to(1.2)}, "auto"},
		"multiple":       {change{Weights: map[string]float64{word: 11}}, "from 0 to 10"},
		"two words":      {change{Expert: []string{"两 词"}}, "no word"},
		"empty":          {change{Stop: []string{""}}, "no word"},
		"on and off":     {change{On: []string{word}, Off: []string{word}}, "in one step"},
		"stop and count": {change{Stop: []string{word}, Weights: map[string]float64{word: 2}}, "in one step"},
	} {
		c.change.Off = append(c.change.Off, "第三个词")
		refuse(name, &c.change, c.says, false)
	}
	// What the configuration names can be taken back though no sample holds it.
	must(t, errOf(b.Topic.Change(&change{Off: []string{word}, Weights: map[string]float64{word: 3}})))
	for _, s := range b.Topic.Samples() {
		must(t, b.Topic.RemoveSample(s.URL))
	}
	if did, err := b.Topic.Change(&change{On: []string{word}, Weights: map[string]float64{word: 1}}); err != nil || did.String() != "topic: word "+word+" on; weight of "+word+" ×1" {
		t.Errorf("%q, %v", did, err)
	}
}
