package crawl

import (
	"context"
	"errors"
	"fmt"

	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/topic"
)

// ErrNoAggregations means that nothing was found that a harvest could visit.
var ErrNoAggregations = errors.New("no aggregation pages above the threshold; add samples or lower θ, then crawl again")

// ErrNoTopic means that there is no sample to judge pages by.
var ErrNoTopic = errors.New("no samples yet; add some list pages: angler sample DIR add URL…, or space on the Samples screen")

// Harvest visits the aggregation pages, best first, and brings home the
// notices they announce that are not known yet (P0 2.4). A list that did not
// change costs one conditional request, a known notice none (P2). When no
// aggregation page is known, a discovery runs first (P0 2, step 1).
func (e *Engine) Harvest(ctx context.Context, opt RunOptions) (Summary, error) {
	if e.topicless() {
		return Summary{}, ErrNoTopic
	}
	if err := e.Words(ctx); err != nil {
		return Summary{}, err
	}
	if len(e.Aggregations()) == 0 {
		if s, err := e.Discover(ctx, opt); err != nil {
			return s, err
		}
	}
	r, err := e.begin(ctx, view.Harvest, opt)
	if err != nil {
		return Summary{}, err
	}
	return r.harvest()
}

// StartHarvest begins a harvest in the background.
func (e *Engine) StartHarvest() error {
	if e.topicless() {
		return ErrNoTopic
	}
	return e.start(view.Harvest, RunOptions{}, func(r *run) (Summary, error) { return r.harvest() })
}

// topicless reports that there is nothing to judge pages by.
func (e *Engine) topicless() bool {
	e.desk.Lock()
	defer e.desk.Unlock()
	return len(e.samples) == 0 && len(e.labels) == 0
}

// listVisit is one visit to an aggregation page.
type listVisit struct {
	id    uint64
	url   string
	score float64
	page  int           // 1 = the list itself, then its pagination
	want  []page.Record // records to fetch once their URLs are known
	next  []string      // pagination links to follow
}

// announced is a notice that a list has announced and nobody has fetched yet.
type announced struct {
	list   *listVisit
	record page.Record
}

// reaper is the state of one harvest. It is shared by the workers and the
// writer's goroutine.
type reaper struct {
	*run
	tasks *taskMap
}

func (r *run) harvest() (Summary, error) {
	h := &reaper{run: r, tasks: newTaskMap()}
	r.handle, r.committed = h.visit, h.followUp
	r.front.SetDepth(1 << 15) // a list may stand at the depth limit: its notices count all the same
	err := r.e.Words(r.ctx)
	if err == nil {
		err = h.queue()
	}
	if err == nil {
		err = r.crawl()
	}
	return r.end(stopped(r.ctx, err))
}

// queue enters the aggregation pages, the most relevant first.
func (h *reaper) queue() error {
	ids := h.e.Aggregations()
	if len(ids) == 0 {
		return firstErr(h.e.TopicErr(), ErrNoAggregations)
	}
	var err error
	if h.due {
		if ids, err = h.e.due(ids); err != nil {
			return err
		}
	}
	scores := h.e.index.Scores()
	return h.e.ws.EachURL(ids, func(u *store.URL) {
		s, _ := scores.Of(u.ID)
		h.list(&listVisit{id: u.ID, url: u.URL, score: s, page: 1})
	})
}

// list schedules a visit. Lists go before notices: they are where news is.
func (h *reaper) list(v *listVisit) {
	if h.tasks.add(v.id, v) {
		h.front.Push(frontier.Entry{ID: v.id, Host: urls.HostOf(v.url), Priority: 1 + v.score})
	}
}

func (h *reaper) visit(entry frontier.Entry, u *store.URL) visit {
	switch t := h.tasks.get(entry.ID).(type) {
	case *listVisit:
		return h.visitList(entry, u, t)
	case *announced:
		return h.visitNotice(entry, u, t)
	}
	return h.lost(entry, fmt.Errorf("url %d was scheduled without a task", entry.ID))
}

func (h *reaper) visitList(entry frontier.Entry, u *store.URL, v *listVisit) visit {
	e := h.e
	old, req, err := h.request(u)
	if err != nil {
		return h.lost(entry, err)
	}
	resp, c := h.get(entry, u, req)
	if resp == nil {
		return c
	}
	t := c.tag
	var p *page.Page
	if same(resp, old) {
		h.kept(c.Capture, old, resp)
		p, err = e.stored(u.ID, page.Options{})
		if err != nil {
			return h.lost(entry, err)
		}
		t.judge = e.judge.Load()
	} else {
		p = h.understand(c, u, old, resp, page.Options{})
	}
	if p == nil {
		return c
	}
	t.list = v
	v.want = h.wanted(p, v, t.judge)
	if !c.Unchanged {
		h.visited(c.Page, old, len(v.want))
	}
	// Newest first is how lists are kept: where every record was known there
	// is nothing new on the pages behind it.
	if len(v.want) > 0 && v.page < e.Settings().Harvest.Pages {
		for i := range p.Links {
			if l := &p.Links[i]; l.Pager && l.URL != "" && l.URL != u.URL {
				v.next = append(v.next, l.URL)
			}
		}
	}
	return c
}

// pureList is the share of matching records from which a list is taken as
// purely on topic, so that the patterns no longer choose.
const pureList = 0.8

// wanted chooses the records of a list that are not known as notices yet. On a
// mixed list, one that nobody has confirmed and whose titles match the notice
// patterns only in part, only matching records are taken.
func (h *reaper) wanted(p *page.Page, v *listVisit, j *judge) []page.Record {
	matched := 0
	match := make([]bool, len(p.Records))
	for i := range p.Records {
		match[i] = j.patterns == nil || j.patterns.MatchString(p.Records[i].Title)
		if match[i] {
			matched++
		}
	}
	all := h.e.confirmed(v.id) || float64(matched) >= pureList*float64(len(p.Records))
	filter := h.e.filter.Load()
	var want []page.Record
	for i, rec := range p.Records {
		if !all && !match[i] {
			continue
		}
		if filter.Check(rec.URL, urls.ClassOf(rec.URL)) != urls.Accepted {
			h.skipped.Add(1)
			continue
		}
		if id, ok := h.e.ws.Lookup(rec.URL); ok {
			if n, err := h.e.ws.Notice(id); err == nil && n != nil {
				continue
			}
		}
		want = append(want, rec)
	}
	return want
}

// followUp runs after a list was committed, when the URLs of its records are
// known: notices whose page is stored already are extracted from it, the
// others are fetched.
func (h *reaper) followUp(t *tag) {
	v := t.list
	if v == nil {
		return
	}
	for _, rec := range v.want {
		id, ok := h.e.ws.Lookup(rec.URL)
		if !ok {
			h.skipped.Add(1) // e.g. a target that only a script reaches
			continue
		}
		if h.tasks.add(id, &announced{v, rec}) {
			h.front.Push(frontier.Entry{ID: id, Host: urls.HostOf(rec.URL), Priority: v.score})
		}
	}
	for _, next := range v.next {
		if id, ok := h.e.ws.Lookup(next); ok {
			h.list(&listVisit{id: id, url: next, score: v.score, page: v.page + 1})
		}
	}
}

func (h *reaper) visitNotice(entry frontier.Entry, u *store.URL, a *announced) visit {
	opt := page.Options{Main: h.e.Settings().Harvest.Method, ListTitle: a.record.Title, ListDate: a.record.Date}
	if u.State == store.Complete {
		// Fetched by the discovery already: no second request.
		h.front.Release(entry, frontier.Outcome{})
		p, err := h.e.stored(u.ID, opt)
		c := visit{&store.Capture{ID: u.ID, State: store.Complete}, &tag{entry: entry}}
		if err == nil && p != nil {
			c.Notice = h.notice(u, p, a)
		}
		return c
	}
	resp, c := h.get(entry, u, fetch.Request{URL: u.URL})
	if resp == nil {
		return c
	}
	if p := h.understand(c, u, nil, resp, opt); p != nil {
		c.Notice = h.notice(u, p, a)
	}
	return c
}

func (h *reaper) notice(u *store.URL, p *page.Page, a *announced) *store.Notice {
	n := &store.Notice{ID: u.ID, URL: u.URL, Title: firstOf(p.Title, a.record.Title), Date: p.Date.Time, Precision: uint8(p.Date.Precision),
		Text: p.Main, Method: p.MainMethod, Source: a.list.url, SourceID: a.list.id, Score: a.list.score, FirstSeen: h.e.now(),
		Attachments: []store.Attachment{}}
	for _, x := range p.Attachments {
		n.Attachments = append(n.Attachments, store.Attachment{Name: x.Name, URL: x.URL, Class: x.Class.String()})
	}
	return n
}

// stored parses a page again from its stored body.
func (e *Engine) stored(id uint64, opt page.Options) (*page.Page, error) {
	src, err := e.source(id, &opt)
	if err != nil || src == nil {
		return nil, err
	}
	return page.Parse(*src, opt)
}

// source reads the stored bytes of a page and completes the options for
// parsing them; nil when there are none.
func (e *Engine) source(id uint64, opt *page.Options) (*page.Source, error) {
	row, err := e.ws.Page(id)
	if err != nil || row == nil {
		return nil, err
	}
	body, err := e.ws.Body(id, e.Settings().Crawl.MaxBodyMB<<20)
	if err != nil || body == nil {
		return nil, err
	}
	opt.Now, opt.Resolver, opt.Host = e.now(), e.resolver, e.hosts.of(e.ws, urls.HostOf(row.URL))
	return &page.Source{URL: row.URL, ContentType: "text/html; charset=" + row.Charset, Body: body}, nil
}

// confirmed reports whether an analyst has vouched for an aggregation page.
func (e *Engine) confirmed(id uint64) bool {
	e.desk.Lock()
	defer e.desk.Unlock()
	if e.labels[id] == topic.Yes {
		return true
	}
	for i := range e.samples {
		if e.samples[i].id == id {
			return true
		}
	}
	return false
}
