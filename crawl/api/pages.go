package api

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/crawl/inbox"
	"angler/crawl/listpage"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/topic"
)

// maxWords bounds the words, terms and reasons of an explanation.
const maxWords = 20

// ExplainPage requests the explanation of an address.
type ExplainPage struct {
	URL string `json:"url" jsonschema:"the address of a page"`
}

// PageExplanation explains state, score and priority of an address.
type PageExplanation struct {
	AsOf      time.Time     `json:"as_of"`
	URL       string        `json:"url" jsonschema:"in its canonical form"`
	State     string        `json:"state" jsonschema:"waiting, complete …, or unknown"`
	Reason    string        `json:"reason,omitempty" jsonschema:"of a failure"`
	Filter    string        `json:"filter" jsonschema:"the verdict of scope and filters"`
	Depth     int           `json:"depth,omitempty" jsonschema:"links from a seed"`
	Source    string        `json:"source,omitempty" jsonschema:"the page that led here"`
	Anchor    string        `json:"anchor,omitempty"`
	Priority  float64       `json:"priority,omitempty"`
	Order     string        `json:"order,omitempty" jsonschema:"the link order that gives the priority"`
	Terms     string        `json:"terms,omitempty" jsonschema:"the priority by term"`
	Link      string        `json:"link,omitempty"`
	PageType  string        `json:"page_type,omitempty"`
	Records   int           `json:"records,omitempty" jsonschema:"entries of the list"`
	Fetched   string        `json:"fetched,omitempty"`
	Mark      string        `json:"mark,omitempty" jsonschema:"sample or negative sample"`
	Label     string        `json:"label,omitempty" jsonschema:"what a person said: yes, no or unsure"`
	Score     *PageScore    `json:"score,omitempty" jsonschema:"missing without a stored page or a topic"`
	Learner   *LearnerScore `json:"learner,omitempty"`
	Quality   string        `json:"quality,omitempty"`
	List      string        `json:"list,omitempty" jsonschema:"of a notice: the list that announced it"`
	Notices   int           `json:"notices,omitempty" jsonschema:"of a list: how many it has brought"`
	Trouble   string        `json:"trouble,omitempty" jsonschema:"of a list: what is wrong with it"`
	Missing   []string      `json:"missing,omitempty" jsonschema:"what the page shows and nothing follows"`
	SamePages []string      `json:"same_pages,omitempty" jsonschema:"other addresses of the same page"`
}

// PageScore is a score with the shares of its words.
type PageScore struct {
	Score     float64     `json:"score"`
	Threshold float64     `json:"threshold"`
	Above     bool        `json:"above" jsonschema:"the score reaches the threshold: the page is a list"`
	Gate      string      `json:"gate,omitempty" jsonschema:"why the page cannot be a list, whatever its words"`
	Words     []WordShare `json:"words" jsonschema:"the words that made the score, largest share first"`
}

// WordShare is the share of one word in a score.
type WordShare struct {
	Word  string  `json:"word"`
	Count int     `json:"count,omitempty"`
	Share float64 `json:"share"`
}

// LearnerScore is the learner's probability of a page.
type LearnerScore struct {
	Probability float64     `json:"probability"`
	Decides     bool        `json:"decides"`
	Terms       []WordShare `json:"terms"`
}

// ExplainPage explains an address from stored rows; it sends no request.
func (s *Service) ExplainPage(ctx context.Context, ask ExplainPage) (out PageExplanation, err error) {
	err = s.worded(ctx, func(e *crawl.Engine, at time.Time) error {
		x, err := e.Pages.ExplainStored(ctx, ask.URL)
		if err != nil {
			return err
		}
		out = PageExplanation{AsOf: at, URL: x.URL, State: x.State, Reason: x.Reason, Filter: x.Filter,
			Depth: x.Depth, Source: x.Source,
			Anchor: line(x.Anchor), PageType: x.PageType, Records: x.Records, Fetched: x.FetchedAt, Mark: x.Mark,
			Label: string(x.Label),
			List:  x.List, SamePages: x.Others[:min(len(x.Others), maxWords)]}
		if x.State != "unknown" {
			out.Priority, out.Order, out.Terms = view.Round(x.Priority), x.Strategy, x.Why
		}
		if x.Link != nil {
			out.Link = x.Link.String()
		}
		if x.Quality != nil {
			out.Quality = x.Quality.String()
		}
		if x.Score != nil {
			out.Score = scoreOf(x.Score, x.TopicErr)
		}
		if l := x.Learner; l != nil {
			out.Learner = &LearnerScore{Probability: view.Round(l.Probability), Decides: l.InUse, Terms: []WordShare{}}
			for _, t := range l.Terms[:min(len(l.Terms), maxWords)] {
				out.Learner.Terms = append(out.Learner.Terms, WordShare{Word: line(t.Name), Share: view.Round(t.Share)})
			}
		}
		for i := range x.Missing[:min(len(x.Missing), maxWords)] {
			m := &x.Missing[i]
			out.Missing = append(out.Missing, line(view.UnfollowedSays(m.Kind, m.Text, m.Why)))
		}
		if out.Notices, err = e.Lists.Notices(ctx, x.URL); err != nil {
			return err
		}
		alarms, err := e.Lists.Alarms(ctx)
		for i := range alarms {
			if alarms[i].URL == x.URL {
				out.Trouble = line(alarms[i].Says())
			}
		}
		return err
	})
	return out, err
}

func scoreOf(x *topic.Explanation, topicErr string) *PageScore {
	out := &PageScore{Score: view.Round(x.Score), Threshold: view.Round(x.Theta), Above: x.Above, Gate: topicErr,
		Words: []WordShare{}}
	if !x.Gate {
		out.Gate = fmt.Sprintf("%.4f before the gate: a list needs 3 dated records, half of them dated, and is no "+
			"front page", x.Raw)
	}
	for _, w := range x.Words[:min(len(x.Words), maxWords)] {
		out.Words = append(out.Words, WordShare{line(w.Word), w.Count, view.Round(w.Share)})
	}
	return out
}

// ListLists asks for aggregation pages.
type ListLists struct {
	Host   string `json:"host,omitempty" jsonschema:"a part of the host's name"`
	Broken bool   `json:"broken,omitempty" jsonschema:"only those with something wrong"`
	Paging
}

// Lists are aggregation pages, broken ones first, then those with most notices.
type Lists struct {
	Page
	Lists []ListLine `json:"lists"`
}

// ListLine is one aggregation page and its health.
type ListLine struct {
	ID       uint64    `json:"id"`
	Title    string    `json:"title"`
	URL      string    `json:"url"`
	Host     string    `json:"host"`
	Score    float64   `json:"score,omitempty"`
	Entries  int       `json:"entries" jsonschema:"that it showed at the last visit"`
	Notices  int       `json:"notices" jsonschema:"that it has brought"`
	NewToday int       `json:"new_today,omitempty"`
	Visited  time.Time `json:"visited,omitzero"`
	Health   string    `json:"health" jsonschema:"ok, login, moved, empty, fails, stale, pager or unfollowed"`
	Trouble  string    `json:"trouble,omitempty"`
	Help     string    `json:"help,omitempty" jsonschema:"remedy"`
	Muted    bool      `json:"muted,omitempty" jsonschema:"a person does not want to hear of it"`
}

// healthy is the health of a list without an alarm.
const healthy = "ok"

// listsOf returns all lists of a workspace.
func listsOf(ctx context.Context, e *crawl.Engine) ([]ListLine, error) {
	alarms, err := e.Lists.Alarms(ctx)
	if err != nil {
		return nil, err
	}
	yields, err := e.Inbox.Yields(ctx)
	if err != nil {
		return nil, err
	}
	at := map[uint64]int{} // of the alarms, by list
	ids := slices.Clone(e.Topic.Aggregations())
	for i := range alarms {
		at[alarms[i].ID] = i
		ids = append(ids, alarms[i].ID)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	scores, pages := e.Topic.Scores(), map[uint64]*store.Page{}
	if err := e.Workspace().EachPage(ids, func(p *store.Page) { pages[p.ID] = p }); err != nil {
		return nil, err
	}
	out := []ListLine{}
	for _, id := range ids {
		x := ListLine{ID: id, Health: healthy, Notices: yields[id].Notices, NewToday: yields[id].New}
		if p := pages[id]; p != nil {
			x.Title, x.URL, x.Host = cmp.Or(line(p.Head), line(p.Title)), p.URL, urls.HostOf(p.URL)
			x.Entries, x.Visited = p.Records, second(p.Fetched)
		}
		if i, broken := at[id]; broken {
			a := &alarms[i]
			x.Title, x.URL, x.Host, x.Health = cmp.Or(x.Title, line(a.Name())), a.URL, a.Host, a.Kind
			x.Trouble, x.Muted = line(a.Says()), a.Muted
			if a.Help() != "" {
				x.Help = listpage.PlainHelp(a.Help())
			}
		}
		if score, known := scores.Of(id); known {
			x.Score = view.Round(score)
		}
		if x.URL != "" {
			out = append(out, x)
		}
	}
	place := func(x *ListLine) int {
		if i, broken := at[x.ID]; broken {
			return i
		}
		return len(alarms)
	}
	slices.SortStableFunc(out, func(a, b ListLine) int {
		return cmp.Or(cmp.Compare(place(&a), place(&b)), cmp.Compare(b.Notices, a.Notices), strings.Compare(a.URL,
			b.URL))
	})
	return out, nil
}

// ListLists lists the aggregation pages with their health.
func (s *Service) ListLists(ctx context.Context, ask ListLists) (out Lists, err error) {
	p, err := s.part(ask.Paging, "list_lists", ask.Host, ask.Broken)
	if err != nil {
		return out, err
	}
	err = s.worded(ctx, func(e *crawl.Engine, at time.Time) error {
		all, err := listsOf(ctx, e)
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(x ListLine) bool {
			return !holds(x.Host, ask.Host) || ask.Broken &&
				x.Health == healthy
		})
		out.Lists, out.Page = rowsOf(&p, at, all)
		return nil
	})
	return out, err
}

// ListHosts asks for hosts.
type ListHosts struct {
	Host    string `json:"host,omitempty" jsonschema:"a part of the host's name"`
	Blocked bool   `json:"blocked,omitempty" jsonschema:"only those that refuse access"`
	Paging
}

// Hosts are hosts, those with most known addresses first.
type Hosts struct {
	Page
	Hosts []HostLine `json:"hosts"`
}

// HostLine is one row of the list of hosts.
type HostLine struct {
	Host    string `json:"host"`
	URLs    int    `json:"urls" jsonschema:"known addresses"`
	Pages   int    `json:"pages" jsonschema:"stored pages"`
	Waiting int    `json:"waiting,omitempty"`
	Failed  int    `json:"failed,omitempty" jsonschema:"addresses that gave no page"`
	Lists   int    `json:"lists,omitempty" jsonschema:"aggregation pages"`
	Notices int    `json:"notices,omitempty"`
	Rule    string `json:"rule,omitempty" jsonschema:"what a rule of the analysts does with it"`
	Blocked string `json:"blocked,omitempty" jsonschema:"how it refuses access, and the remedy"`
}

// ListHosts lists the hosts. It reads each known URL once.
func (s *Service) ListHosts(ctx context.Context, ask ListHosts) (out Hosts, err error) {
	p, err := s.part(ask.Paging, "list_hosts", ask.Host, ask.Blocked)
	if err != nil {
		return out, err
	}
	err = s.worded(ctx, func(e *crawl.Engine, at time.Time) error {
		land, err := e.Survey.Land(ctx)
		if err != nil {
			return err
		}
		blocked := map[string]string{}
		for _, h := range e.Snapshot().Doors {
			blocked[h.Host] = line(h.Says())
		}
		var all []HostLine
		for _, b := range land.Hosts {
			x := HostLine{b.Name, b.URLs, b.Pages, b.Waiting, b.Dead, b.Lists, b.Notices, b.Rule, blocked[b.Name]}
			if holds(x.Host, ask.Host) && (!ask.Blocked || x.Blocked != "") {
				all = append(all, x)
			}
		}
		out.Hosts, out.Page = rowsOf(&p, at, all)
		return nil
	})
	return out, err
}

// TopicWords asks for the feature words of the topic.
type TopicWords struct {
	Paging
}

// FeatureWords are the words that score pages, in the order of their weight.
type FeatureWords struct {
	Page
	Words []FeatureWord `json:"words"`
}

// FeatureWord is one word of the topic.
type FeatureWord struct {
	Word       string  `json:"word"`
	Weight     float64 `json:"weight" jsonschema:"in the score; 0 when it is off"`
	Samples    string  `json:"samples" jsonschema:"how many samples hold it"`
	Background float64 `json:"background" jsonschema:"share of all pages that hold it"`
	Taken      float64 `json:"taken,omitempty" jsonschema:"part of its weight that the negative samples took"`
	Off        bool    `json:"off,omitempty" jsonschema:"an analyst switched it off"`
	Expert     bool    `json:"expert,omitempty" jsonschema:"an analyst added it"`
}

// TopicWords lists the feature words; an error says that there is no topic yet.
func (s *Service) TopicWords(ctx context.Context, ask TopicWords) (out FeatureWords, err error) {
	p, err := s.part(ask.Paging, "topic_words")
	if err != nil {
		return out, err
	}
	err = s.worded(ctx, func(e *crawl.Engine, at time.Time) error {
		list := e.Topic.Features()
		if list == nil {
			return decisions.ErrNoModel
		}
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b topic.Feature) int { return cmp.Compare(b.Weight, a.Weight) })
		var rows []topic.Feature
		rows, out.Page = rowsOf(&p, at, list)
		out.Words = make([]FeatureWord, len(rows))
		for i, f := range rows {
			out.Words[i] = FeatureWord{f.Word, view.Round(f.Weight), fmt.Sprintf("%d of %d", f.DF, f.Samples),
				view.Round(f.Background), view.Round(f.Taken), !f.On, f.Expert}
		}
		return nil
	})
	return out, err
}

// WorkspaceStatus asks for figures of the workspace; it has no arguments.
type WorkspaceStatus struct{}

// Status holds figures of the workspace and its open problems.
type Status struct {
	AsOf       time.Time      `json:"as_of"`
	Problem    string         `json:"problem,omitempty" jsonschema:"why newer data is missing, or damaged rows"`
	Workspace  string         `json:"workspace"`
	Topic      string         `json:"topic,omitempty"`
	TopicError string         `json:"topic_error,omitempty"`
	Open       bool           `json:"open" jsonschema:"a workbench or a server has the workspace open"`
	Served     string         `json:"served,omitempty" jsonschema:"the address of the server that has it open"`
	Pages      int            `json:"pages"`
	Waiting    int            `json:"waiting" jsonschema:"addresses that wait to be fetched"`
	Failed     int            `json:"failed" jsonschema:"addresses that gave no page"`
	Lists      int            `json:"lists" jsonschema:"aggregation pages"`
	Broken     map[string]int `json:"broken_lists" jsonschema:"unmuted lists with something wrong, by kind"`
	Notices    int            `json:"notices"`
	Unread     int            `json:"unread" jsonschema:"by the person who asks"`
	Doubtful   int            `json:"doubtful,omitempty"`
	Samples    int            `json:"samples"`
	Labels     int            `json:"labels"`
	Threshold  float64        `json:"threshold"`
	Advice     string         `json:"advice,omitempty" jsonschema:"what is wrong with the samples"`
	Search     string         `json:"search" jsonschema:"ready, or why words are searched without the index"`
	Fields     []string       `json:"fields" jsonschema:"fields of notices: name (title)"`
	Runs       []RunLine      `json:"runs" jsonschema:"the newest runs, the newest first"`
}

// RunLine is one discovery or harvest.
type RunLine struct {
	Task    string    `json:"task"`
	By      string    `json:"by,omitempty"`
	Start   time.Time `json:"start"`
	End     string    `json:"end" jsonschema:"how it ended; open = under way at the time of the copy, or killed"`
	Seconds float64   `json:"seconds,omitempty"`
	Fetched int       `json:"fetched"`
	Notices int       `json:"new_notices"`
	Changed int       `json:"changed,omitempty"`
}

// maxRuns are in a Status.
const maxRuns = 5

// Status returns figures of the workspace.
func (s *Service) Status(ctx context.Context, _ WorkspaceStatus) (out Status, err error) {
	err = s.worded(ctx, func(e *crawl.Engine, at time.Time) error {
		list, err := e.Inbox.List(ctx, inbox.Request{})
		if err != nil {
			return err
		}
		alarms, err := e.Lists.Alarms(ctx)
		if err != nil {
			return err
		}
		runs, err := e.Survey.Runs(maxRuns)
		if err != nil {
			return err
		}
		snap := e.Snapshot()
		n := snap.Counts
		out = Status{AsOf: at, Workspace: filepath.Base(s.dir), Topic: snap.Topic, TopicError: snap.TopicErr,
			Open: store.Held(s.dir), Served: store.Served(s.dir),
			Pages: n.Pages, Waiting: n.Waiting, Failed: n.Exception, Lists: len(e.Topic.Aggregations()),
			Broken:  map[string]int{},
			Notices: list.All, Unread: list.Unread, Doubtful: list.Kin.Doubtful, Samples: n.Samples, Labels: n.Labels,
			Threshold: view.Round(snap.Theta), Advice: snap.Advice, Search: "ready", Fields: []string{},
			Runs: runLines(runs)}
		out.Problem = e.Workspace().Damage.String()
		if s.problem != nil {
			out.Problem = s.problem.Error()
		}
		if index := s.searchReady(ctx, e); !index.Ready {
			out.Search = cmp.Or(index.Why, "the index is being read")
		}
		for i := range alarms {
			if !alarms[i].Muted {
				out.Broken[alarms[i].Kind]++
			}
		}
		for _, f := range list.Fields {
			out.Fields = append(out.Fields, f.Name+" ("+f.Title+")")
		}
		return nil
	})
	return out, err
}
