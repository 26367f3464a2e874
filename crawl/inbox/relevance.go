package inbox

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/linkorder"
	"angler/crawl/view"
	"angler/topic"
)

// This file learns from one person's verdicts which notices are for that person. A star and y say yes; x, and done
// without opening, say no. What is learned follows from the marks alone: undoing one takes it back, and nothing more is
// stored. Scoring 100,000 notices takes at most 80 ms (BenchmarkForMe). Learner and values are kept until verdicts or
// notices change.

const (
	// MinVerdicts is how many verdicts the learner needs.
	MinVerdicts = 5
	// LikelyForMe is the value from which a notice is likely for a person.
	LikelyForMe = .5

	maxVerdicts = 5000 // the latest are learned from
	minFit      = .75  // a smaller share of verdicts told right means that they contradict each other
)

// Learned counts one person's verdicts and says how well the learner predicts them.
type Learned struct {
	Yes, No   int     // verdicts
	Disagree  int     // notices with equal content, or the same one, that got yes and no; the later verdict counts
	Fit       float64 // share of the verdicts that the learner tells right; 0 before Ready
	Ready     bool    // there are MinVerdicts verdicts, of both classes
	Uncertain bool    // Ready, but the verdicts contradict each other
}

// verdict is one example of a person.
type verdict struct {
	head *NoticeHead
	yes  bool
	at   time.Time
}

// tastes holds what was learned for one person.
type tastes struct {
	mu       sync.Mutex
	verdicts []verdict
	learned  Learned
	learner  *topic.TokenLearner // nil = not ready
	heads    []*NoticeHead       // that scores belong to
	scores   []float32
}

// verdicts returns the verdicts of a person, oldest first, one for equal content, and how many disagreed.
func (in *Inbox) verdicts(name string, read map[uint64]time.Time) (out []verdict, disagree int) {
	if name == "" {
		return nil, 0
	}
	for id, m := range in.Decisions.State().Remarks {
		h := in.heads.get(id)
		if h == nil {
			continue
		}
		v, both := verdictOf(m, name, read[id])
		if v.at.IsZero() {
			continue
		}
		if both {
			disagree++
		}
		v.head = h
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b verdict) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.head.ID, b.head.ID))
	})
	seen := map[uint64]bool{} // content → verdict
	kept := out[:0:0]
	for _, v := range slices.Backward(out) {
		if yes, again := seen[v.head.Same]; again && v.head.Same != 0 {
			if yes != v.yes {
				disagree++
			}
			continue
		}
		seen[v.head.Same] = v.yes
		if kept = append(kept, v); len(kept) == maxVerdicts {
			break
		}
	}
	slices.Reverse(kept)
	return kept, disagree
}

// verdictOf returns what a person's marks say of a notice, opened at a time or never; at is zero if they say nothing.
// The latest of star and verdict counts; both means that they contradict each other. Done counts alone.
func verdictOf(m *decisions.Marks, name string, opened time.Time) (v verdict, both bool) {
	mine := func(r *decisions.Remark) bool { return r != nil && r.By == name }
	if mine(m.Star) {
		v = verdict{yes: true, at: m.Star.At}
	}
	if mine(m.Judged) && (m.Verdict == topic.Yes || m.Verdict == topic.No) {
		yes := m.Verdict == topic.Yes
		both = !v.at.IsZero() && v.yes != yes
		if !m.Judged.At.Before(v.at) {
			v = verdict{yes: yes, at: m.Judged.At}
		}
	}
	if v.at.IsZero() && mine(m.Done) && (opened.IsZero() || opened.After(m.Done.At)) {
		v = verdict{at: m.Done.At}
	}
	return v, both
}

// learn brings what was learned for a person up to date. The caller holds t.mu and has loaded the heads.
func (in *Inbox) learn(t *tastes, name string, read map[uint64]time.Time) {
	verdicts, disagree := in.verdicts(name, read)
	if slices.Equal(verdicts, t.verdicts) && disagree == t.learned.Disagree {
		return
	}
	t.verdicts, t.learned = verdicts, Learned{Disagree: disagree}
	t.train()
}

// train learns from t.verdicts. The caller holds t.mu.
func (t *tastes) train() {
	t.learner, t.heads, t.scores = nil, nil, nil
	l := &t.learned
	*l = Learned{Disagree: l.Disagree}
	examples := make([]topic.TokenExample, len(t.verdicts))
	for i, v := range t.verdicts {
		examples[i] = topic.TokenExample{Tokens: v.head.tokens(), Yes: v.yes}
		if v.yes {
			l.Yes++
		} else {
			l.No++
		}
	}
	if l.Ready = len(examples) >= MinVerdicts && l.Yes > 0 && l.No > 0; !l.Ready {
		return
	}
	t.learner = topic.LearnTokens(examples, numTokens)
	right := 0
	for i := range examples {
		if t.learner.Probability(examples[i].Tokens) >= LikelyForMe == examples[i].Yes {
			right++
		}
	}
	l.Fit = float64(right) / float64(len(examples))
	l.Uncertain = l.Fit < minFit
}

// forMe returns what was learned for a person, and the value of each head, in their order; nil if there is none yet.
// heads must come from in.heads.all.
func (in *Inbox) forMe(name string, read map[uint64]time.Time, heads []*NoticeHead) (Learned, []float32) {
	t := &in.person(name).tastes
	t.mu.Lock()
	defer t.mu.Unlock()
	in.learn(t, name, read)
	if t.learner != nil && !sameList(t.heads, heads) {
		scores := make([]float32, len(heads))
		for i, h := range heads {
			scores[i] = float32(t.learner.Probability(h.words, h.values))
		}
		t.heads, t.scores = heads, scores
	}
	return t.learned, t.scores
}

// learnerOf returns what was learned for a person, nil before Learned.Ready. The heads must be loaded.
func (in *Inbox) learnerOf(name string, read map[uint64]time.Time) *topic.TokenLearner {
	t := &in.person(name).tastes
	t.mu.Lock()
	defer t.mu.Unlock()
	in.learn(t, name, read)
	return t.learner
}

// LikelyToday counts notices for a person.
type LikelyToday struct {
	Learned
	Notices int // likely ones first seen today that nobody has done; copies count once
}

// LikelyToday counts today's notices that are likely for the person. The first call reads all notices.
func (h *Session) LikelyToday(ctx context.Context) (out LikelyToday, err error) {
	read, err := h.readBy(h.Name)
	if err != nil {
		return out, err
	}
	now := h.Now()
	heads, known, err := h.related(ctx)
	if err != nil {
		return out, err
	}
	var scores []float32
	out.Learned, scores = h.forMe(h.Name, read, heads)
	marks, shown, met := h.Decisions.State().Remarks, h.shown(), map[rowKey]bool{}
	for i, score := range scores {
		r := row{NoticeHead: heads[i], Marks: marks[heads[i].ID]}
		if score < LikelyForMe || r.Marks.IsDone() || !view.Today(r.At, now) {
			continue
		}
		known.fill(&r)
		if key := shown(&r); key == (rowKey{}) || !met[key] {
			met[key] = true
			out.Notices++
		}
	}
	return out, nil
}

// WhyForMe tells which of a person's verdicts a notice resembles.
type WhyForMe struct {
	Learned
	Value  float64       // 0 … 1
	Yes    bool          // Value is at least LikelyForMe, and the reasons speak for it; else they speak against it
	Alike  int           // verdicts of that class that share a reason
	Words  []string      // of title and text, the heaviest first
	Fields []fieldReason // values of fields, the heaviest first
}

// fieldReason is a value of a field as a reason; Field is its name.
type fieldReason struct{ Field, Text string }

const maxReasons = 3 // words, and fields, that WhyForMe names

// WhyForMe explains the value of a notice for the person. It is nil if the notice does not exist.
func (h *Session) WhyForMe(ctx context.Context, id uint64) (*WhyForMe, error) {
	read, err := h.readBy(h.Name)
	if err != nil {
		return nil, err
	}
	if _, err := h.Heads(ctx); err != nil {
		return nil, err
	}
	n, err := h.Store.Notice(id)
	head := h.heads.get(id)
	if err != nil || n == nil || head == nil {
		return nil, err
	}
	t := &h.person(h.Name).tastes
	t.mu.Lock()
	defer t.mu.Unlock()
	h.learn(t, h.Name, read)
	x := &WhyForMe{Learned: t.learned}
	if t.learner != nil {
		x.explain(t, head, n.Text)
	}
	return x, nil
}

// reason is a word or a value that speaks for a class.
type reason struct {
	text   string
	field  string // "" = a word
	weight float64
	tokens []uint32
}

func (x *WhyForMe) explain(t *tastes, h *NoticeHead, text string) {
	x.Value = t.learner.Probability(h.words, h.values)
	x.Yes = x.Value >= LikelyForMe
	weight := func(token uint32) float64 {
		if x.Yes {
			return t.learner.Weight(token)
		}
		return -t.learner.Weight(token)
	}
	words := append(runs(h.Title, weight), runs(beginning(text), weight)...)
	var values []reason
	eachValue(h.Facts, h.Title, func(field, text string, token uint32) {
		values = append(values, reason{text, field, weight(token), []uint32{token}})
	})
	named := append(heaviest(words), heaviest(values)...)
	for _, r := range named {
		if r.field == "" {
			x.Words = append(x.Words, r.text)
		} else {
			x.Fields = append(x.Fields, fieldReason{r.field, r.text})
		}
	}
	for _, v := range t.verdicts {
		has := v.head.tokens()
		if v.yes == x.Yes && slices.ContainsFunc(named, func(r reason) bool {
			return !slices.ContainsFunc(r.tokens, func(t uint32) bool { return !slices.Contains(has, t) })
		}) {
			x.Alike++
		}
	}
}

// heaviest returns the heaviest reasons, at most maxReasons: of words that hold each other and of the values of a field
// one, and none that weighs less than a third of the first.
func heaviest(all []reason) []reason {
	slices.SortStableFunc(all, func(a, b reason) int { return cmp.Compare(b.weight, a.weight) })
	var out []reason
	for _, r := range all {
		if r.weight <= 0 || len(out) == maxReasons || len(out) > 0 && r.weight < out[0].weight/3 {
			break
		}
		if !slices.ContainsFunc(out, func(o reason) bool {
			return o.field == r.field && (r.field != "" || strings.Contains(o.text, r.text) ||
				strings.Contains(r.text, o.text))
		}) {
			out = append(out, r)
		}
	}
	return out
}

// maxRun bounds a word of a reason, in tokens.
const maxRun = 5

// runs returns the words of a text whose tokens have a weight above 0. Character pairs that overlap are one word, as
// long as each weighs at least a third of the heaviest token: 显微 and 微镜 are 显微镜.
func runs(text string, weight func(uint32) float64) []reason {
	type token struct {
		from, to int
		number   uint32
		weight   float64
	}
	var all []token
	most := 0.0
	linkorder.Tokens(text, func(hash uint64, from, to int) bool {
		x := token{from, to, tokenOf(ofWord, hash), 0}
		x.weight = weight(x.number)
		most = max(most, x.weight)
		all = append(all, x)
		return len(all) < maxTitleTokens
	})
	var out []reason
	end, size := -1, 0
	for _, x := range all {
		if x.weight <= 0 || x.weight < most/3 {
			continue
		}
		if last := len(out) - 1; x.from < end && size < maxRun {
			out[last].text = text[end-len(out[last].text) : x.to]
			out[last].weight += x.weight
			out[last].tokens = append(out[last].tokens, x.number)
			size++
		} else {
			out = append(out, reason{text[x.from:x.to], "", x.weight, []uint32{x.number}})
			size = 1
		}
		end = x.to
	}
	return out
}
