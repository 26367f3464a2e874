package alerts

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"angler/crawl/article"
	"angler/crawl/facts"
	"angler/crawl/fields"
	"angler/crawl/inbox"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
)

// sink is a webhook that answers as it is told and keeps what it got.
type sink struct {
	*httptest.Server
	mu     sync.Mutex
	answer func(w http.ResponseWriter)
	asked  int
	got    []payload
	keys   []string
}

type payload struct {
	Ref      string
	Title    string
	Sections []struct {
		Tells string
		Items []struct {
			Title    string
			New      bool
			Deadline time.Time
		}
		Lists []view.ListAlarm
	}
}

func newSink(t *testing.T) *sink {
	s := new(sink)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked++
		if s.answer != nil {
			s.answer(w)
			return
		}
		var p payload
		if err := json.Unmarshal(b, &p); err != nil {
			t.Errorf("no JSON: %v", err)
		}
		s.got, s.keys = append(s.got, p), append(s.keys, r.Header.Get("Idempotency-Key"))
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *sink) set(answer func(http.ResponseWriter)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

// said is all that arrived: "new:A B|changed:A".
func (s *sink) said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, p := range s.got {
		var parts []string
		for _, x := range p.Sections {
			var titles []string
			for _, it := range x.Items {
				titles = append(titles, it.Title)
			}
			for _, l := range x.Lists {
				titles = append(titles, l.Title)
			}
			parts = append(parts, x.Tells+":"+strings.Join(titles, " "))
		}
		out = append(out, strings.Join(parts, ","))
	}
	return strings.Join(out, "|")
}

// told fails the test unless want is all that arrived.
func (s *sink) told(t *testing.T, want string) {
	t.Helper()
	if got := s.said(); got != want {
		t.Errorf("told %q, want %q", got, want)
	}
}

// world is a workspace with an inbox and a clock of its own.
type world struct {
	t      *testing.T
	dir    string
	ws     *store.Workspace
	set    config.Settings
	now    time.Time
	rows   []inbox.ListedNotice
	alarms []view.ListAlarm
	words  *facts.Words
	n      *Notifier

	reading bool
	settled int // times that a caller waited for the end of the reading
}

var begin = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

func newWorld(t *testing.T, set ...config.Notify) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), now: begin, words: facts.NewWords()}
	w.set = config.Default()
	w.set.Seeds, w.set.Notify = []string{"http://www.x.edu.cn/"}, set
	must(t, w.set.Validate())
	must(t, store.Create(w.dir, w.set))
	w.open()
	t.Cleanup(func() { w.ws.Close() })
	return w
}

// open opens the workspace, again where it was open: whatever was in memory is lost.
func (w *world) open() {
	w.t.Helper()
	if w.ws != nil {
		must(w.t, w.ws.Close())
	}
	var err error
	if w.ws, err = store.Open(w.dir); err != nil {
		w.t.Fatal(err)
	}
	now := func() time.Time { return w.now }
	w.n = NewNotifier(NotifierConfig{Store: w.ws, Workspace: "招标", Settings: func() *config.Settings { return &w.set },
		Inbox: w, Facts: w, Lists: w,
		Events: &view.EventLog{Now: now}, Env: WayEnv{Dir: w.dir, Getenv: os.Getenv, Now: now}, Language: "en", Now: now,
		AfterFunc: func(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }})
}

// List implements Inbox.
func (w *world) List(_ context.Context, ask inbox.Request) (*inbox.Listing, error) {
	if strings.Contains(ask.Query, "buyers:") {
		return nil, fmt.Errorf("no field buyers")
	}
	b := &inbox.Listing{}
	for _, r := range w.rows {
		if strings.Contains(r.Title, ask.Query) {
			b.Rows = append(b.Rows, r)
		}
	}
	return b, nil
}

// Kindred implements Inbox: no notice has an earlier version.
func (w *world) Kindred(context.Context, uint64) (*inbox.Relations, error) { return nil, nil }

// Busy implements Facts.
func (w *world) Busy() bool { return w.reading }

// Idle implements Facts.
func (w *world) Idle(ctx context.Context) error {
	w.settled, w.reading = w.settled+1, false
	return ctx.Err()
}

// Alarms implements listChecker.
func (w *world) Alarms(context.Context) ([]view.ListAlarm, error) { return w.alarms, nil }

// says gives a notice that came home the values of its fields.
func (w *world) says(id uint64, values ...fields.Value) {
	w.t.Helper()
	set, err := fields.Preset(fields.Tenders)
	must(w.t, err)
	for _, r := range w.rows {
		if r.ID == id {
			r.Facts = w.words.Pack(&facts.NoticeFacts{ID: id, Set: set, Result: &fields.Result{Values: values}}, r.Title)
		}
	}
}

// wonBy are the values of a notice that announces who has won.
func wonBy(winner string) []fields.Value {
	return []fields.Value{{Field: "kind", Norm: "中标"}, {Field: "winner", Norm: winner}}
}

// dueAt is a deadline.
func dueAt(t time.Time) fields.Value {
	return fields.Value{Field: "deadline", Norm: t.Format("2006-01-02T15:04Z07:00"), Clock: true}
}

// comes brings a notice home, or another version of it.
func (w *world) comes(id uint64, title string, version uint64) {
	row := inbox.ListedNotice{NoticeHead: &inbox.NoticeHead{ID: id, Title: title, URL: fmt.Sprintf("http://www.x.edu.cn/%d", id), At: w.now, Date: article.Date{Time: w.now}, Version: version}, Site: "x", Cut: len(title)}
	for i := range w.rows {
		if w.rows[i].ID == id {
			w.rows[i] = row
			w.n.Noticed()
			return
		}
	}
	w.rows = append(w.rows, row)
	w.n.Noticed()
}

// step is one turn of the loop.
func (w *world) step() (next time.Time) {
	w.t.Helper()
	next, err := w.n.step(w.t.Context(), w.t.Context())
	must(w.t, err)
	return next
}

// pass lets time pass in steps, as the loop would wake.
func (w *world) pass(d time.Duration) {
	w.t.Helper()
	end := w.now.Add(d)
	for range 10_000 {
		next := w.step()
		w.n.inFlight.Wait()
		select {
		case <-w.n.Wake:
			continue
		default:
		}
		if next.IsZero() || next.After(end) {
			w.now = end
			return
		}
		if next.After(w.now) {
			w.now = next
		}
	}
	w.t.Fatal("the loop does not come to rest")
}

func hookTo(s *sink, change func(*config.Notify)) config.Notify {
	n := config.Notify{Name: "a", Way: config.WayWebhook, URL: s.URL + "/in?token=topsecret"}
	if change != nil {
		change(&n)
	}
	return n
}

func TestAtOnceIsToldOnceForEachVersion(t *testing.T) {
	s := newSink(t)
	w := newWorld(t, hookTo(s, nil))
	w.comes(1, "old", 1)
	w.pass(time.Hour) // what is there already is not news
	w.comes(2, "A", 1)
	w.comes(3, "B", 1)
	w.pass(time.Hour)
	w.pass(24 * time.Hour)
	w.open() // kill -9
	w.n.Noticed()
	w.pass(time.Hour)
	w.comes(2, "A", 2)
	w.comes(1, "old", 2)
	w.pass(time.Hour)
	w.set.Notify[0].Name = "renamed"
	w.open()
	w.n.Noticed()
	w.pass(time.Hour)
	s.told(t, "new:A B|changed:old A")
}

// What was under way when the process was killed arrives under the same reference,
// with what came meanwhile in a message of its own.
func TestKilledWhileSending(t *testing.T) {
	s := newSink(t)
	w := newWorld(t, hookTo(s, nil))
	w.pass(time.Hour)
	w.comes(2, "A", 1)
	w.now = w.now.Add(time.Minute)
	ctx, kill := context.WithCancel(t.Context())
	over := make(chan struct{})
	s.set(func(http.ResponseWriter) {
		kill()
		<-over // the answer must not overtake the end
	})
	if _, err := w.n.step(t.Context(), ctx); err != nil {
		t.Fatal(err)
	}
	w.n.inFlight.Wait()
	close(over)
	ref := w.n.pending("a").Ref
	s.set(nil)
	w.open()
	w.comes(3, "B", 1)
	w.pass(time.Hour)
	if got := s.said(); got != "new:A|new:B" || s.keys[0] != ref {
		t.Errorf("told %q under %q, want A under %q and then B", got, s.keys, ref)
	}
}

// A webhook that answers 500 for a day is asked with growing pauses and gets
// everything once, as soon as it is well again.
func TestADayOf500(t *testing.T) {
	s := newSink(t)
	w := newWorld(t, hookTo(s, nil))
	w.pass(time.Hour)
	s.set(func(w http.ResponseWriter) {
		w.WriteHeader(http.StatusInternalServerError)
		io.WriteString(w, "topsecret down")
	})
	w.comes(2, "A", 1)
	w.pass(time.Hour)
	w.comes(3, "B", 1)
	w.pass(23 * time.Hour)
	if s.asked < 5 || s.asked > 12 {
		t.Errorf("asked %d times in a day", s.asked)
	}
	rows, err := w.n.Status()
	if err != nil || len(rows) != 1 || rows[0].Tries != s.asked || rows[0].Waiting != 1 || !strings.Contains(rows[0].Why, "500") || rows[0].Again.IsZero() {
		t.Errorf("the status does not tell it: %+v, %v", rows, err)
	}
	if text := fmt.Sprintf("%+v %+v", rows, w.n.Events.Tail()); strings.Contains(text, "topsecret") {
		t.Errorf("the secret is shown: %s", text)
	}
	s.set(nil)
	w.open()
	w.pass(25 * time.Hour)
	w.n.Noticed()
	w.pass(time.Hour)
	s.told(t, "new:A|new:B")
	if rows, _ := w.n.Status(); rows[0].Tries != 0 || rows[0].Why != "" || rows[0].Waiting != 0 {
		t.Errorf("the failure is still told: %+v", rows)
	}
}

func TestRetryAfterIsKept(t *testing.T) {
	s := newSink(t)
	w := newWorld(t, hookTo(s, nil))
	w.pass(time.Hour)
	s.set(func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", "7200")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	w.comes(2, "A", 1)
	w.pass(119 * time.Minute)
	if s.asked != 1 {
		t.Errorf("asked %d times before the time that was named", s.asked)
	}
	s.set(nil)
	w.pass(10 * time.Minute)
	s.told(t, "new:A")
	s.set(func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", "99999999999")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	w.comes(3, "B", 1)
	w.pass(time.Minute)
	s.set(nil)
	w.pass(25 * time.Hour) // no retry waits longer than a day
	s.told(t, "new:A|new:B")
}

// A digest whose hour passed while nothing ran goes out once at the next opening.
func TestDigestMissed(t *testing.T) {
	s := newSink(t)
	w := newWorld(t, hookTo(s, func(n *config.Notify) { n.Rhythm, n.At, n.Zone = config.Daily, "08:30", "Asia/Shanghai" }))
	w.pass(time.Minute) // 18:00 in Shanghai
	w.comes(2, "A", 1)
	w.pass(14 * time.Hour) // 08:01
	if s.asked != 0 {
		t.Fatalf("told %q before its hour", s.said())
	}
	w.now = w.now.Add(50 * time.Hour) // off meanwhile: two digests are missed
	w.comes(3, "B", 1)
	w.open()
	w.pass(time.Minute)
	s.told(t, "new:A B")
	w.comes(4, "C", 1)
	w.pass(22 * time.Hour)
	s.told(t, "new:A B")
	w.pass(2 * time.Hour)
	w.pass(72 * time.Hour) // nothing new, nothing told
	s.told(t, "new:A B|new:C")
}

// A clock that was a year ahead, or that lost all, neither repeats anything nor
// keeps the next digest back for a year.
func TestWrongClock(t *testing.T) {
	s := newSink(t)
	w := newWorld(t, hookTo(s, func(n *config.Notify) { n.Rhythm, n.Zone = config.Daily, "UTC" }))
	w.pass(time.Minute)
	right := w.now
	w.now = right.AddDate(1, 0, 0)
	w.comes(2, "A", 1)
	w.open()
	w.pass(time.Hour)
	w.now = right
	w.open()
	w.comes(3, "B", 1)
	w.pass(24 * time.Hour)
	w.now = time.Unix(0, 0)
	w.open()
	w.comes(4, "C", 1)
	w.pass(time.Hour)
	s.told(t, "new:A|new:B")
	w.now = right.Add(48 * time.Hour)
	w.open()
	w.pass(24 * time.Hour)
	s.told(t, "new:A|new:B|new:C")
}

func TestDigestSections(t *testing.T) {
	s := newSink(t)
	w := newWorld(t, hookTo(s, func(n *config.Notify) { n.Rhythm, n.At, n.Zone = config.Daily, "12:00", "UTC" }))
	w.comes(1, "open", 1)
	w.pass(time.Minute)
	w.comes(2, "fresh", 1)
	w.comes(3, "award", 1)
	w.comes(5, "soon", 1)
	w.says(1, dueAt(begin.Add(30*time.Hour)))
	w.says(5, dueAt(begin.Add(40*time.Hour)))
	w.says(3, wonBy("某公司")...)
	w.alarms = []view.ListAlarm{{ID: 9, Title: "list", Kind: view.ListEmpty}, {ID: 8, Title: "quiet", Kind: view.ListStale, Muted: true}}
	w.pass(24 * time.Hour)
	w.pass(48 * time.Hour)
	s.told(t, "due:open soon,new:fresh,won:award,lists:list")
	if due, fresh := s.got[0].Sections[0].Items, s.got[0].Sections[1].Items[0]; due[0].New || !due[1].New || !due[1].Deadline.Equal(begin.Add(40*time.Hour)) || fresh.New {
		t.Errorf("what is due, the second of it new: %+v; what is new: %+v", due, fresh)
	}
	w.alarms = nil // mended
	w.comes(4, "next", 1)
	w.pass(24 * time.Hour)
	w.alarms = []view.ListAlarm{{ID: 9, Title: "list", Kind: view.ListEmpty}}
	w.says(4, dueAt(begin.Add(30*24*time.Hour)))
	w.pass(24 * time.Hour)
	s.told(t, "due:open soon,new:fresh,won:award,lists:list|new:next|lists:list")
}

// One place that hangs holds up no other.
func TestAPlaceThatHangs(t *testing.T) {
	well, sick := newSink(t), newSink(t)
	hold, held := make(chan struct{}), make(chan struct{})
	w := newWorld(t, hookTo(sick, func(n *config.Notify) { n.Name = "sick" }), hookTo(well, func(n *config.Notify) { n.Name = "well" }))
	w.pass(time.Hour)
	sick.set(func(http.ResponseWriter) { close(held); <-hold })
	w.comes(2, "A", 1)
	w.now = w.now.Add(quietTime)
	w.step()
	<-held
	for { // the end of a message, which is known by then, rouses the loop
		rows, err := w.n.Status()
		must(t, err)
		if rows[1].Told == 1 {
			if rows[0].Waiting != 1 || well.said() == "" {
				t.Errorf("%+v", rows)
			}
			break
		}
		<-w.n.Wake
	}
	close(hold)
	w.n.inFlight.Wait()
}

func TestAnotherPlaceGoesOnWhereTheFirstWas(t *testing.T) {
	first, second := newSink(t), newSink(t)
	w := newWorld(t, hookTo(first, nil))
	w.pass(time.Hour)
	w.comes(2, "A", 1)
	w.pass(time.Hour)
	first.set(func(w http.ResponseWriter) { w.WriteHeader(http.StatusGone) })
	w.comes(3, "B", 1)
	w.pass(time.Hour)
	w.set.Notify[0].URL = second.URL
	w.pass(time.Hour)
	w.n.Noticed()
	w.pass(time.Hour)
	if first.said() != "new:A" || second.said() != "new:B" {
		t.Errorf("the first was told %q, the second %q", first.said(), second.said())
	}
}

func TestFilterOffAndTypos(t *testing.T) {
	s := newSink(t)
	w := newWorld(t, hookTo(s, func(n *config.Notify) { n.Filter = "设备" }))
	w.pass(time.Hour)
	w.comes(2, "设备采购", 1)
	w.comes(3, "培训通知", 1)
	w.pass(time.Hour)
	w.set.Notify[0].Off = true
	w.comes(4, "设备招标", 1)
	w.pass(time.Hour)
	s.told(t, "new:设备采购")
	w.set.Notify[0].Off, w.set.Notify[0].Filter = false, "buyers:大学"
	w.n.Noticed()
	w.step()
	w.now = w.now.Add(time.Hour)
	w.step()
	if rows, _ := w.n.Status(); !strings.Contains(rows[0].Why, "no field buyers") {
		t.Errorf("a typo is not told: %+v", rows)
	}
}

func TestFlushAndTestAndPreview(t *testing.T) {
	s := newSink(t)
	w := newWorld(t, hookTo(s, func(n *config.Notify) { n.Rhythm, n.Zone = config.Daily, "UTC" }), hookTo(s, func(n *config.Notify) { n.Name, n.URL = "once", s.URL+"/once" }))
	must(t, w.n.Flush(t.Context()))
	w.comes(2, "A", 1)
	if list, err := w.n.Preview(t.Context(), "once"); err != nil || len(list) != 1 || !strings.Contains(list[0].Text(), "A") && s.asked > 0 {
		t.Errorf("preview: %v, %v; asked %d times", list, err, s.asked)
	}
	must(t, w.n.Flush(t.Context()))
	s.told(t, "new:A")
	if err := w.n.Test(t.Context(), "once"); err != nil || !strings.HasPrefix(s.got[1].Title, "[test]") {
		t.Errorf("test: %v, %+v", err, s.got)
	}
	if err := w.n.Test(t.Context(), "nobody"); err == nil || !strings.Contains(err.Error(), `"a" "once"`) {
		t.Errorf("an unknown name: %v", err)
	}
}

// A message waits until what the notices say has been read, but not for ever: at once,
// in the morning, and when a command ends.
func TestMessagesWaitForWhatIsBeingRead(t *testing.T) {
	s := newSink(t)
	w := newWorld(t, hookTo(s, func(n *config.Notify) { n.Tell = []string{config.TellNew, config.TellWon} }),
		hookTo(s, func(n *config.Notify) {
			n.Name, n.URL, n.Rhythm, n.At, n.Zone = "daily", s.URL+"/daily", config.Daily, "11:00", "UTC"
		}))
	w.pass(time.Minute)
	w.reading = true
	w.comes(2, "A", 1)
	w.pass(time.Minute)
	if s.asked != 0 {
		t.Errorf("told before it was read: %q", s.said())
	}
	w.says(2, wonBy("某公司")...)
	w.reading = false
	w.n.Noticed()
	w.pass(time.Minute)
	s.told(t, "won:A")
	w.pass(time.Hour) // the morning's
	s.told(t, "won:A|won:A")
	w.reading = true // and never ends
	w.comes(3, "B", 1)
	w.pass(patience - time.Second)
	if s.asked != 2 {
		t.Errorf("told while it is read: %q", s.said())
	}
	w.pass(time.Minute)
	s.told(t, "won:A|won:A|new:B")
	w.settled = 0
	w.comes(4, "C", 1)
	if err := w.n.Flush(t.Context()); err != nil || w.settled != 1 || s.said() != "won:A|won:A|new:B|new:C" {
		t.Errorf("at the end of a command: %q, %v, waited %d times", s.said(), err, w.settled)
	}
}

func TestLoopEndsWithItsContext(t *testing.T) {
	s := newSink(t)
	w := newWorld(t, hookTo(s, nil))
	ctx, end := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { w.n.Loop(ctx); close(done) }()
	w.n.Wake.Ring()
	end()
	<-done
	if rows, err := records.ReadOutbox(w.ws); err != nil || len(rows.Deliveries) != 0 {
		t.Errorf("%+v, %v", rows, err)
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
