package crawl_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/inbox"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
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
	t.Cleanup(api.Close)
	dir := lettered(t, letters()...)
	set := config.Assistant{URL: api.URL, Model: "small", KeyEnv: "ANGLER_TEST_MODEL_KEY", Question: question, Budget: 1_000_000}
	c := &sleeper{slept: make(chan nap, 100)}
	open := func() *crawl.Engine {
		t.Helper()
		return opened(t, dir, crawl.Options{By: "wang", Tell: true, Now: c.Now, AfterFunc: c.afterFunc,
			Override: func(s *config.Settings) { s.Assistant = set }})
	}
	e := open()
	n := <-c.slept
	if n.d != time.Minute || asked.Load() != 3 { // the copy at ztb.ntu takes the answer of www.ntu
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
	if n = <-c.slept; n.d != 16*time.Hour-time.Minute || asked.Load() != 3 {
		t.Errorf("after %d questions it waits %v", asked.Load(), n.d)
	}
	s := e.Snapshot().Assistant
	if s.Answers != 2 || s.Discarded != 1 || s.Tokens != 3000 || !strings.Contains(s.Failure, "no yes, no or unsure") || !s.On {
		t.Errorf("%+v", s)
	}
	if told := fmt.Sprintf("%+v", e.Snapshot()); strings.Contains(told, key) {
		t.Error("a snapshot tells the key")
	}
	c.wake(n) // the next day
	if n = <-c.slept; asked.Load() != 4 {
		t.Errorf("%d questions on the next day", asked.Load())
	}
	must(t, e.Close())

	set.Question, set.Budget = question+"?", 1500 // the tokens of the day outlive the process
	e = open()
	defer e.Close()
	n = <-c.slept
	if got := urlsOf(list(t, e, inbox.Request{Query: "assistant:stale"})); len(strings.Fields(got)) != 3 || asked.Load() != 4 {
		t.Errorf("%q are stale after %d questions", got, asked.Load())
	}
	if s := e.Snapshot().Assistant; s.Tokens != 1000 || s.Budget != 1500 {
		t.Errorf("%+v", s)
	}
}

// Copies are asked about once, also by a later process. Another question is asked again, and an answer goes with its
// notice.
func TestCopiesAreAskedAboutOnce(t *testing.T) {
	var asked, failing atomic.Int64
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		if failing.Load() != 0 {
			http.Error(w, "down", http.StatusBadGateway)
			return
		}
		fmt.Fprint(w, `{"choices":[{"message":{"content":"{\"answer\":\"yes\",\"quote\":\"空调采购项目\"}"}}],"usage":{"total_tokens":1000}}`)
	}))
	t.Cleanup(api.Close)
	first, others := letters()[0], []store.Notice{}
	for i := range 3 {
		n := letters()[1] // another address and date
		n.URL = fmt.Sprintf("http://copy%d.test/1", i)
		others = append(others, n)
	}
	dir := lettered(t, first)
	set := config.Assistant{URL: api.URL, Model: "small", Question: "空调采购", Budget: 1_000_000}
	c := &sleeper{slept: make(chan nap, 100)}
	open := func() *crawl.Engine {
		t.Helper()
		c.slept = make(chan nap, 100) // without naps of the process before
		return opened(t, dir, crawl.Options{By: "wang", Tell: true, Now: c.Now, AfterFunc: c.afterFunc,
			Override: func(s *config.Settings) { s.Assistant = set }})
	}
	check := func(e *crawl.Engine, what string, notices, questions int) {
		t.Helper()
		in := list(t, e, inbox.Request{Query: "assistant:yes"})
		for i := range in.Rows {
			if a := in.Rows[i].Answer; a == nil || a.Quote != "空调采购项目" || a.ID != in.Rows[i].ID {
				t.Errorf("%s: %s has %+v", what, in.Rows[i].URL, a)
			}
		}
		if len(in.Rows) != notices || int(asked.Load()) != questions {
			t.Errorf("%s: %d notices after %d questions", what, len(in.Rows), asked.Load())
		}
	}
	e := open()
	<-c.slept
	check(e, "one", 1, 1)
	must(t, e.Close())
	failing.Store(1)
	addLetters(t, dir, others...)
	e = open()
	<-c.slept
	check(e, "copies", 4, 1)
	if s := e.Snapshot().Assistant; s.Tokens != 1000 || s.Answers != 1 || s.Failure != "" {
		t.Errorf("copies cost %+v", s)
	}
	id, _ := e.Workspace().Lookup(first.URL)
	must(t, e.Close())
	ws, err := store.Open(dir)
	must(t, err)
	must(t, store.TakeBack(ws, []uint64{id}))
	if rows, _, err := records.ReadAnswers(ws); len(rows) != 3 || err != nil {
		t.Errorf("%d answers are left, %v", len(rows), err)
	}
	must(t, ws.Close())
	failing.Store(0)
	set.Question += "?"
	e = open()
	defer e.Close()
	<-c.slept
	check(e, "another question", 3, 2)
}

// An alert with the filter assistant:yes sends the new notices that the model says yes to, and no other.
func TestAlertsFollowTheModel(t *testing.T) {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		content := `{\"answer\":\"no\",\"quote\":\"\"}`
		if strings.Contains(string(sent), "琴房楼空调") {
			content = `{\"answer\":\"yes\",\"quote\":\"琴房楼空调采购项目\"}`
		}
		fmt.Fprintf(w, `{"choices":[{"message":{"content":"%s"}}],"usage":{"total_tokens":1000}}`, content)
	}))
	t.Cleanup(api.Close)
	var mu sync.Mutex
	var told []string
	sink := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var m struct {
			Sections []struct{ Items []struct{ URL string } }
		}
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, s := range m.Sections {
			for _, item := range s.Items {
				told = append(told, item.URL)
			}
		}
	}))
	t.Cleanup(sink.Close)
	all := letters()
	dir := lettered(t, all[4])
	open := func(answers int) *crawl.Engine {
		t.Helper()
		e := opened(t, dir, crawl.Options{By: "wang", Tell: true, Now: func() time.Time { return inboxStart }, Override: func(s *config.Settings) {
			s.Assistant = config.Assistant{URL: api.URL, Model: "small", Question: "空调采购", Budget: 1_000_000}
			s.Notify = []config.Notify{{Name: "liked", Filter: "assistant:yes", Way: config.WayWebhook, URL: sink.URL}}
		}})
		waitFor(t, fmt.Sprintf("%d answers", answers), func() bool { return e.Snapshot().Assistant.Answers == answers })
		must(t, e.Notify.Flush(t.Context()))
		return e
	}
	if err := open(1).Close(); err != nil { // the alert begins
		t.Fatal(err)
	}
	addLetters(t, dir, all[0], all[2])
	must(t, open(3).Close())
	if want := []string{all[0].URL}; !slices.Equal(told, want) {
		t.Errorf("the alert tells of %q, want %q", told, want)
	}
}
