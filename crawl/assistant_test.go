package crawl_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/inbox"
	"angler/store/config"
)

// sleeper is a clock that stands until the model's loop sleeps and the test wakes it.
type sleeper struct {
	ahead atomic.Int64
	slept chan nap
}

type nap struct {
	d  time.Duration
	fn func()
}

func (s *sleeper) Now() time.Time { return inboxStart.Add(time.Duration(s.ahead.Load())) }

// afterFunc keeps naps for the test; the limit of one answer never ends.
func (s *sleeper) afterFunc(d time.Duration, fn func()) func() bool {
	if d != 3*time.Minute {
		s.slept <- nap{d, fn}
	}
	return func() bool { return true }
}

// wake lets the time of a nap pass.
func (s *sleeper) wake(n nap) {
	s.ahead.Add(int64(n.d))
	n.fn()
}

// The model's answers are a column and a filter; they teach nothing. What it makes up is discarded, what fails waits,
// and the tokens of a day last until the next.
func TestModelAnswersAboutNotices(t *testing.T) {
	const key, question = "sk-0123456789abcdef", "空调采购"
	t.Setenv("ANGLER_TEST_MODEL_KEY", key)
	var asked atomic.Int64
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		var x struct {
			Messages []struct{ Role, Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&x); err != nil || len(x.Messages) != 2 || r.Header.Get("Authorization") != "Bearer "+key {
			t.Errorf("%+v, %v", x, err)
			return
		}
		sent := x.Messages[1].Content
		if strings.Contains(sent, "http") || strings.Contains(sent, ".test") || !strings.HasPrefix(sent, "Question: "+question) {
			t.Errorf("it sends %q", sent)
		}
		content := "I am " + key
		switch {
		case strings.Contains(sent, "琴房楼空调"):
			content = `{"answer":"yes","quote":"琴房楼空调 采购项目"}`
		case strings.Contains(sent, "宿舍家具"):
			content = `{"answer":"yes","quote":"预算五百万元"}`
		}
		b, _ := json.Marshal(content)
		fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":%s}}],"usage":{"total_tokens":1000}}`, b)
	}))
	defer api.Close()
	dir := lettered(t, letters()...)
	set := config.Assistant{URL: api.URL, Model: "small", KeyEnv: "ANGLER_TEST_MODEL_KEY", Question: question, Budget: 1_000_000}
	c := &sleeper{slept: make(chan nap, 100)}
	open := func() *crawl.Engine {
		t.Helper()
		e, err := crawl.Open(context.Background(), dir, crawl.Options{By: "wang", Tell: true, Now: c.Now, AfterFunc: c.afterFunc,
			Override: func(s *config.Settings) { s.Assistant = set }})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	e := open()
	n := <-c.slept
	if n.d != time.Minute || asked.Load() != 4 {
		t.Errorf("after %d questions it waits %v", asked.Load(), n.d)
	}
	for query, want := range map[string]string{
		"assistant:yes": "www.ntu.edu.cn/1 ztb.ntu.edu.cn/1", "模型:不确定": "www.ntu.edu.cn/2", "assistant:no": "", "assistant:stale": "",
		"-assistant:yes -assistant:unsure site:hainu age<30d": "www.hainu.edu.cn/1",
	} {
		if got := urlsOf(list(t, e, inbox.Request{Query: query})); got != want {
			t.Errorf("%q lists %q, want %q", query, got, want)
		}
	}
	in := list(t, e, inbox.Request{Query: "assistant:yes"})
	if a := in.Rows[0].Answer; a == nil || a.Quote != "琴房楼空调 采购项目" || a.Model != "small" {
		t.Errorf("the answer is %+v", a)
	}
	if in.ForMe.Yes+in.ForMe.No != 0 || e.Snapshot().Counts.Labels != 0 || in.Rows[0].Marks != nil {
		t.Errorf("answers teach: %+v, %d labels, %+v", in.ForMe, e.Snapshot().Counts.Labels, in.Rows[0].Marks)
	}
	c.wake(n)
	if n = <-c.slept; n.d != 16*time.Hour-time.Minute || asked.Load() != 4 {
		t.Errorf("after %d questions it waits %v", asked.Load(), n.d)
	}
	s := e.Snapshot().Assistant
	if s.Answers != 3 || s.Discarded != 1 || s.Tokens != 4000 || !strings.Contains(s.Failure, "no yes, no or unsure") || !s.On {
		t.Errorf("%+v", s)
	}
	if told := fmt.Sprintf("%+v", e.Snapshot()); strings.Contains(told, key) {
		t.Error("a snapshot tells the key")
	}
	c.wake(n) // the next day
	if n = <-c.slept; asked.Load() != 5 {
		t.Errorf("%d questions on the next day", asked.Load())
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}

	set.Question, set.Budget = question+"?", 1500 // the tokens of the day outlive the process
	e = open()
	defer e.Close()
	n = <-c.slept
	if got := urlsOf(list(t, e, inbox.Request{Query: "assistant:stale"})); len(strings.Fields(got)) != 3 || asked.Load() != 5 {
		t.Errorf("%q are stale after %d questions", got, asked.Load())
	}
	if s := e.Snapshot().Assistant; s.Tokens != 1000 || s.Budget != 1500 {
		t.Errorf("%+v", s)
	}
}
