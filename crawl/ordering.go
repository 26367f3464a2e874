package crawl

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/frontier"
	"angler/crawl/order"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
)

// ordering is the link order of one run: the strategy in force, what it is told
// of every page, and the ranking of what waits whenever it has learned enough.
// The strategy's knowledge is stored, so a resumed crawl goes on learning; when
// it is missing, or was gained under another topic, it is gained again from the
// stored pages.
type ordering struct {
	e        *Engine
	front    *frontier.Frontier // of the run; nil outside one
	queue    func(url string) uint16
	strategy atomic.Pointer[order.Strategy]

	recalled atomic.Bool // the strategy knows what earlier runs have learned

	topics  atomic.Int64 // changes of the topic since the strategy last learned anew
	ranking atomic.Bool  // the frontier is being ranked
	stale   bool         // it deserves to be; writer's goroutine only
	rest    atomic.Int64 // Unix ns; no ranking before: a tenth of the time at most
	saved   time.Time    // when the knowledge was stored last
}

const (
	// rankShare is how much of one core ranking may take.
	rankShare = .1
	// saveEvery is how often a running crawl stores what its strategy knows.
	saveEvery = 30 * time.Second
	// historyPages bounds how many stored pages a strategy learns again from.
	historyPages = 5_000
	// recheckSlack is how far a value may have sunk before the URL that is
	// about to be fetched stands back for a better one (DESIGN 6).
	recheckSlack = .02
)

// orderState is the name under which the store keeps what the link order of a
// topic has learned.
func orderState(t store.TopicID) string { return fmt.Sprintf("order/%d", t) }

func newOrdering(e *Engine, set *store.Settings) (*ordering, error) {
	s, err := strategyOf(set)
	if err != nil {
		return nil, err
	}
	queue, err := frontier.Assignment(set.Crawl.Queues, set.Crawl.QueueCount)
	if err != nil {
		return nil, err
	}
	o := &ordering{e: e, queue: queue, saved: e.now()}
	o.strategy.Store(&s)
	return o, nil
}

// strategyOf makes the strategy that the settings name, with their constants.
func strategyOf(set *store.Settings) (order.Strategy, error) {
	p, err := constants(set)
	if err != nil {
		return nil, err
	}
	return order.New(set.Crawl.Strategy, p)
}

// constants reads the constants of link orders, each "name = number".
func constants(set *store.Settings) (order.Params, error) {
	p := order.Params{}
	for _, line := range set.Crawl.Constants {
		name, number, ok := strings.Cut(line, "=")
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if !ok || err != nil {
			return nil, fmt.Errorf("crawl.constants: %q is no constant; write for example \"shark.delta = 0.6\"", line)
		}
		p[strings.TrimSpace(name)] = v
	}
	return p, nil
}

// linkOrder is the running discovery's link order, or one with its stored
// knowledge.
func (e *Engine) linkOrder() (*ordering, error) {
	if r := e.current(); r != nil && r.task == view.Discovery {
		return r.order, nil
	}
	set := e.Settings()
	o, err := newOrdering(e, &set)
	if err == nil {
		err = o.recall(o.now())
	}
	return o, err
}

func (o *ordering) now() order.Strategy { return *o.strategy.Load() }

// targets are reused: a crawl asks for a value some ten times a page.
var targets = sync.Pool{New: func() any { return new(order.Target) }}

// value is the priority of a URL, before anybody has steered it.
func (o *ordering) value(u *store.URL) float64 {
	t := targets.Get().(*order.Target)
	o.e.fillTarget(t, u)
	v := o.now().Value(t)
	targets.Put(t)
	return v
}

// score is the priority with its reasons.
func (o *ordering) score(u *store.URL) order.Score { return o.now().Score(o.e.target(u)) }

// entry is a waiting URL as the frontier keeps it; false when it was dropped.
func (o *ordering) entry(u *store.URL) (frontier.Entry, bool) {
	p, keep := o.e.steered(u.URL, o.value(u))
	return frontier.Entry{ID: u.ID, Host: urls.HostOf(u.URL), Priority: p, Depth: u.Depth, Queue: o.queue(u.URL)}, keep
}

// row is a URL that is not complete, with why it stands where it stands.
func (o *ordering) row(u *store.URL) view.URLRow {
	s := o.score(u)
	row := view.URLRow{URL: u.URL, Host: urls.HostOf(u.URL), Depth: u.Depth, State: u.State.String(), Why: firstOf(u.Reason, s.String())}
	p, keep := o.e.steered(u.URL, s.Value)
	_, how := level(p)
	if !keep {
		how = "dropped"
	}
	if how != "" {
		row.Why = how + ", " + row.Why
	}
	row.Priority = view.Round(p)
	return row
}

// recheck looks at a URL once more before it is fetched, when the strategy has
// learned since it was ranked, and reports whether it stood back.
func (o *ordering) recheck(entry frontier.Entry, u *store.URL) bool {
	if _, learns := o.now().(order.Keeper); !learns {
		return false
	}
	e, keep := o.entry(u)
	return keep && e.Priority < entry.Priority-recheckSlack && o.front.Defer(entry, e.Priority)
}

// target is a known URL as the link order sees it.
func (e *Engine) target(u *store.URL) *order.Target {
	t := new(order.Target)
	e.fillTarget(t, u)
	return t
}

func (e *Engine) fillTarget(t *order.Target, u *store.URL) {
	t.ID, t.URL, t.Depth, t.Ways = u.ID, u.URL, u.Depth, t.Ways[:0]
	for w := range u.Inlinks {
		t.Ways = append(t.Ways, e.way(w))
	}
}

func (e *Engine) way(w store.Inlink) order.Way {
	return order.Way{Source: w.Source, SourceURL: e.sources.url(e.ws, w.Source), Anchor: w.Anchor, Block: w.Block, Pager: w.Pager,
		AnchorScore: w.AnchorScore, URLScore: w.URLScore, BlockScore: w.BlockScore, SourceScore: w.SourceScore,
		SourceRelevant: w.Relevant, Inherited: w.Inherited}
}

// observe tells the strategy of stored pages. It runs on the writer's
// goroutine.
func (o *ordering) observe(batch []store.Item[*tag]) {
	s := o.now()
	for _, it := range batch {
		c, t := it.Capture, it.Tag
		if c.Page == nil || c.Unchanged || t.judge == nil || t.known == nil {
			continue
		}
		o.e.sources.put(c.ID, c.Page.URL)
		f := order.Fetch{Target: *o.e.target(t.known), Verdict: order.Verdict{Score: c.Page.Score, Relevant: t.judge.relevant(&t.doc, c.Page.Score)},
			Out: make([]order.Out, len(c.Links))}
		for i := range c.Links {
			l := &c.Links[i]
			f.Out[i] = order.Out{ID: c.Out[i].ID, URL: l.URL, New: c.Out[i].New, Way: o.e.way(store.Inlink{Source: c.ID, Hints: l.Hints})}
		}
		o.stale = s.Observe(&f) || o.stale
	}
	if m, moves := s.(order.Mover); moves {
		o.move(m.Moved())
	}
}

// move ranks single URLs anew.
func (o *ordering) move(ids []uint64) {
	var entries []frontier.Entry
	err := o.e.ws.EachURL(ids, func(u *store.URL) {
		if e, keep := o.entry(u); keep && u.State == store.Waiting && u.Retry.IsZero() {
			entries = append(entries, e)
		}
	})
	if err != nil {
		o.e.note("warn", "link order: %v", err)
	}
	o.front.Push(entries...)
}

// refresh ranks what waits in the background, if the strategy has learned
// enough and the last ranking was long enough ago.
func (o *ordering) refresh() {
	now := o.e.now()
	if now.Sub(o.saved) >= saveEvery {
		o.saved = now
		if err := o.save(); err != nil {
			o.e.note("warn", "link order: %v", err)
		}
	}
	if !o.stale || now.UnixNano() < o.rest.Load() || !o.ranking.CompareAndSwap(false, true) {
		return
	}
	o.stale = false
	o.e.bg.Go(func() {
		start := o.e.now()
		o.rank()
		end := o.e.now()
		o.rest.Store(end.Add(time.Duration(float64(end.Sub(start)) / rankShare)).UnixNano())
		o.ranking.Store(false)
	})
}

// rank scores every waiting URL anew under the strategy and the steering in
// force. It returns how many were dropped.
func (o *ordering) rank() (dropped int) { return o.front.Rescore(o.rescored) }

// rescored is a waiting URL's priority as things stand; false when it was
// dropped.
func (o *ordering) rescored(id uint64, old frontier.Entry) (float64, bool) {
	u, err := o.e.ws.URL(id)
	if err != nil || u == nil || u.State == store.Complete {
		return old.Priority, true // the fetch will say so; a known page to be visited again keeps its place
	}
	e, keep := o.entry(u)
	return e.Priority, keep
}

// use puts another strategy in force: it recalls what it knows and ranks.
func (o *ordering) use(s order.Strategy) error {
	if err := o.recall(s); err != nil {
		return err
	}
	o.strategy.Store(&s)
	o.rank()
	return nil
}

// retopic lets the strategy learn again what it knows under the changed topic,
// in the background. Changes that come meanwhile are one more round.
func (o *ordering) retopic() {
	if o.topics.Add(1) > 1 {
		return // the round under way will see it
	}
	o.e.bg.Go(func() {
		for seen := int64(0); ; {
			n := o.topics.Load()
			if n == seen {
				if o.topics.CompareAndSwap(n, 0) {
					return
				}
				continue
			}
			seen = n
			if err := o.renew(); err != nil {
				o.e.note("warn", "link order: %v", err)
			}
		}
	})
}

// renew replaces the strategy by one that learned everything anew.
func (o *ordering) renew() error {
	set := o.e.Settings()
	s, err := strategyOf(&set)
	if err != nil {
		return err
	}
	if err := o.relearn(s); err != nil {
		return err
	}
	o.strategy.Store(&s)
	o.rank()
	return nil
}

// recall gives a strategy its stored knowledge, or lets it learn again from the
// stored pages.
func (o *ordering) recall(s order.Strategy) error {
	if k, keeps := s.(order.Keeper); keeps {
		state := o.e.ws.State(orderState(store.FirstTopic))
		if rest, ours := bytes.CutPrefix(state, o.stamp(s)); ours && k.Load(rest) == nil {
			o.recalled.Store(true)
			return nil
		}
	}
	err := o.relearn(s)
	if err == nil {
		o.recalled.Store(true)
	}
	return err
}

// save stores what the strategy knows. One that has not recalled anything (a
// harvest ranks no links) would wipe out what is stored, and one that is still
// learning a changed topic would be stored under the wrong stamp.
func (o *ordering) save() error {
	k, keeps := o.now().(order.Keeper)
	if !keeps || !o.recalled.Load() || o.topics.Load() > 0 {
		return nil
	}
	return o.e.ws.PutState(orderState(store.FirstTopic), append(o.stamp(k), k.Save()...))
}

// stamp says which strategy gained its knowledge under which topic.
func (o *ordering) stamp(s order.Strategy) []byte {
	return binary.BigEndian.AppendUint64([]byte(s.Name()+"\n"), o.e.topicPrint.Load())
}

// relearn shows a strategy the stored pages, in the order they were captured,
// with what the topic says of them now.
func (o *ordering) relearn(s order.Strategy) error {
	e := o.e
	relevant := map[uint64]bool{}
	for _, id := range e.Aggregations() {
		relevant[id] = true
	}
	scores := e.index.Scores()
	for _, id := range e.captured.latest(historyPages) {
		u, err := e.ws.URL(id)
		if err != nil {
			return err
		}
		if u == nil {
			continue
		}
		score, _ := scores.Of(id)
		f := order.Fetch{Target: *e.target(u), Verdict: order.Verdict{Score: score, Relevant: relevant[id]}}
		out, err := e.ws.OutLinks(id)
		if err != nil {
			return err
		}
		err = e.ws.EachURL(out, func(t *store.URL) {
			l := order.Out{ID: t.ID, URL: t.URL, New: t.Source == id}
			for w := range t.Inlinks {
				if w.Source == id {
					l.Way = e.way(w)
				}
			}
			f.Out = append(f.Out, l)
		})
		if err != nil {
			return err
		}
		s.Observe(&f)
	}
	return nil
}
