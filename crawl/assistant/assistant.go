// Package assistant asks an optional model one question about each new notice. It is off unless [assistant] names
// an API, a model and a question.
//
// The API speaks OpenAI's chat completions. It gets the question, and of a notice title, fields and text, nothing
// else. It gets the key of an environment variable, which no log, error or screen shows. A quote counts if the notice
// holds it; a yes without such a quote is unsure. An answer is no verdict: no learner and no label uses it.
//
// A notice with the title, fields and text of another takes its answer: copies at several addresses are asked about once.
//
// Loop asks about one notice after the other, the newest first, within a budget of tokens a day. The workspace keeps
// the tokens of the day. A failure leaves a notice as it was; pauses between failures grow up to an hour.
package assistant

import (
	"context"
	"errors"
	"hash/fnv"
	"strings"
	"sync"
	"time"

	"angler/crawl/facts"
	"angler/crawl/inbox"
	"angler/crawl/jobs"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
)

const (
	newFor     = 30 * 24 * time.Hour // after its last change a notice is too old to ask about
	maxWait    = 3 * time.Minute     // for one answer
	firstPause = time.Minute         // after a failure; doubled with each further one
	maxPause   = time.Hour
)

// Config holds the parts of an Assistant.
type Config struct {
	Store     *store.Workspace
	Settings  func() *config.Settings
	Inbox     *inbox.Inbox
	Facts     *facts.Extractor
	Jobs      *jobs.Jobs
	Events    *view.EventLog
	Changed   func() // called after every answer and failure
	Getenv    func(string) string
	Now       func() time.Time
	AfterFunc func(d time.Duration, fn func()) (stop func() bool)
}

// Assistant holds the answers and asks for more. It is safe for concurrent use; Loop runs once.
type Assistant struct {
	Config
	Wake view.Signal // rings after new notices and settings

	mu      sync.RWMutex // guards the fields below
	answers map[uint64]*records.Answer
	sent    map[uint64]*records.Answer // by Sent, the newest
	use     records.AssistantUse
	set     config.Assistant
	failure string          // "" after an answer
	failed  int             // failures in a row
	again   time.Time       // end of the pause after a failure
	aside   map[uint64]bool // notices that may cause failures; asked about again on the next day
	waiting int
}

// New returns an Assistant with the stored answers.
func New(c Config) (*Assistant, error) {
	list, use, err := records.ReadAnswers(c.Store)
	a := &Assistant{Config: c, Wake: view.NewSignal(), use: use, answers: make(map[uint64]*records.Answer, len(list)),
		sent: make(map[uint64]*records.Answer, len(list)), aside: map[uint64]bool{}}
	for _, x := range list {
		a.keep(x)
	}
	return a, err
}

// keep takes in an answer.
func (a *Assistant) keep(x *records.Answer) {
	a.answers[x.ID] = x
	if old := a.sent[x.Sent]; x.Sent != 0 && (old == nil || !old.At.After(x.At)) {
		a.sent[x.Sent] = x
	}
}

// hash identifies a question, or the text sent of a notice.
func hash(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(strings.TrimSpace(text)))
	return h.Sum64()
}

// Of returns the answer about a notice; nil = none. stale means that the question or the notice has changed since.
func (a *Assistant) Of(h *inbox.NoticeHead) (answer *records.Answer, stale bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	x := a.answers[h.ID]
	if x == nil {
		return nil, false
	}
	question := a.Settings().Assistant.Question
	return x, x.Version != h.Version || question != "" && x.Question != hash(question)
}

// Status returns the figures of today for viewers.
func (a *Assistant) Status() view.Assistant {
	set := a.Settings().Assistant
	a.mu.RLock()
	defer a.mu.RUnlock()
	s := view.Assistant{On: set.On(), Budget: set.Budget, Failure: a.failure}
	if a.use.Day == a.Now().Format(time.DateOnly) {
		s.Answers, s.Tokens, s.Discarded = a.use.Answers, a.use.Tokens, a.use.Discarded
	}
	return s
}

// Loop asks until ctx ends.
func (a *Assistant) Loop(ctx context.Context) {
	for jobs.SleepUntil(ctx, a.Wake, a.round(ctx), a.Now, a.AfterFunc) {
	}
}

// errSpent means that the budget of the day does not suffice for another question.
var errSpent = errors.New("the tokens of today are spent")

// round asks about all notices that wait, and returns when to go on; zero = after a signal.
func (a *Assistant) round(ctx context.Context) time.Time {
	var work *jobs.BackgroundWork
	asking := ctx
	defer func() {
		if work != nil {
			work.End()
		}
	}()
	for ctx.Err() == nil {
		now, set := a.Now(), a.Settings().Assistant
		a.prepare(now, set)
		if !set.On() {
			return time.Time{}
		}
		if left := a.again.Sub(now); left > 0 && left <= maxPause { // else the clock was set back
			return a.again
		}
		id := uint64(0)
		h, err := a.choose(ctx, now)
		if err == nil && h == nil {
			return tomorrow(now)
		}
		if work == nil {
			work, asking = a.Jobs.Background(ctx, "asking the model", a.waiting)
		}
		if err == nil {
			id, err = h.ID, a.ask(asking, set, h)
		}
		switch {
		case ctx.Err() != nil:
		case errors.Is(err, errSpent):
			return tomorrow(now)
		case asking.Err() != nil:
			a.fail(&failure{why: "it was cancelled", after: maxPause}, 0)
		case err != nil:
			a.fail(err, id)
		}
		work.Done.Add(1)
		a.Changed()
	}
	return time.Time{}
}

// tomorrow returns the beginning of the next day.
func tomorrow(now time.Time) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, now.Location())
}

// prepare begins a new day, and ends a pause after other settings.
func (a *Assistant) prepare(now time.Time, set config.Assistant) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if day := now.Format(time.DateOnly); a.use.Day != day {
		a.use = records.AssistantUse{Day: day}
		clear(a.aside)
	}
	if a.set != set {
		a.set, a.failure, a.failed, a.again, a.waiting = set, "", 0, time.Time{}, 0
		clear(a.aside)
	}
}

// choose returns the newest notice that needs an answer; nil = none.
func (a *Assistant) choose(ctx context.Context, now time.Time) (*inbox.NoticeHead, error) {
	heads, err := a.Inbox.Heads(ctx)
	if err != nil {
		return nil, err
	}
	var first *inbox.NoticeHead
	n := 0
	for _, h := range heads {
		if now.Sub(h.Moved()) > newFor {
			continue
		}
		if x, stale := a.Of(h); x != nil && !stale {
			continue
		}
		n++
		if a.aside[h.ID] { // written by this goroutine alone
			continue
		}
		if first == nil || h.Moved().After(first.Moved()) {
			first = h
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.waiting = n
	return first, nil
}

// ask asks about one notice and stores the answer.
func (a *Assistant) ask(ctx context.Context, set config.Assistant, h *inbox.NoticeHead) error {
	n, err := a.Store.Notice(h.ID)
	if err != nil || n == nil {
		return &failure{why: "a notice cannot be read", notice: true}
	}
	said, err := a.Facts.Of(h.ID)
	if err != nil || said == nil {
		return &failure{why: "the fields of a notice cannot be read", notice: true}
	}
	notice := noticeText(n, said)
	sent, question := hash(notice), hash(set.Question)
	if twin := a.sent[sent]; twin != nil && twin.Question == question { // written by this goroutine alone
		x := *twin
		x.ID, x.Version = h.ID, h.Version
		return a.store(&x, a.use, false, nil)
	}
	c := client{url: set.URL, model: set.Model, afterFunc: a.AfterFunc, now: a.Now}
	if set.KeyEnv != "" {
		if c.key = strings.TrimSpace(a.Getenv(set.KeyEnv)); c.key == "" {
			return &failure{why: "the variable that assistant.key_env names is empty; set it and start angler again"}
		}
	}
	use := a.use // written by this goroutine alone
	if use.Tokens+estimate(set.Question, notice)+maxTokens > set.Budget {
		return errSpent
	}
	content, tokens, failed := c.ask(ctx, set.Question, notice)
	use.Tokens += tokens
	var x *records.Answer
	if failed == nil {
		if verdict, quote, ok := parseAnswer(content); ok {
			x = &records.Answer{ID: h.ID, Said: verdict, Quote: checkQuote(quote, notice), Model: set.Model,
				Question: question, Version: h.Version, Sent: sent, At: a.Now()}
			if use.Answers++; x.Quote == "" && strings.TrimSpace(quote) != "" {
				use.Discarded++
			}
			if x.Said == records.SaidYes && x.Quote == "" {
				x.Said = records.SaidUnsure
			}
		} else {
			failed = &failure{why: "the model's answer holds no yes, no or unsure", notice: true}
		}
	}
	return a.store(x, use, true, failed)
}

// store keeps the use of the day, and an answer unless it is nil. answered means that the server gave it now.
func (a *Assistant) store(x *records.Answer, use records.AssistantUse, answered bool, failed error) error {
	err := records.PutAnswer(a.Store, x, use)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.use = use
	if err == nil && x != nil {
		a.keep(x)
		if answered {
			a.failure, a.failed = "", 0
		}
	}
	return errors.Join(failed, err)
}

// fail tells of a failure once, and sets the end of the pause. id is the notice asked about.
func (a *Assistant) fail(err error, id uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	pause := min(maxPause, firstPause<<min(a.failed, 10))
	var f *failure
	if errors.As(err, &f) {
		pause = max(pause, min(f.after, maxPause))
		if f.notice {
			a.aside[id] = true
		}
	}
	a.failed++
	a.again = a.Now().Add(pause)
	if a.failure != err.Error() {
		a.failure = err.Error()
		a.Events.Note("warn", "the model: %s", a.failure)
	}
}
