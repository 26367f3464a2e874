package soak

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net"
	"slices"
	"strings"

	"angler/crawl"
	"angler/store"
)

// Sizes are what a crawl has brought home and kept.
type Sizes struct {
	Pages        int
	Aggregations int
	Notices      int
	Labels       int
	Samples      int
	Settings     int
}

func (s Sizes) String() string {
	return fmt.Sprintf("%d pages, %d aggregation pages, %d notices, %d labels, %d samples, %d settings", s.Pages, s.Aggregations, s.Notices, s.Labels, s.Samples, s.Settings)
}

// outcome is what stands in a workspace, by URL or key.
type outcome struct {
	pages        map[string]string      // URL → why it is not complete; "" = it is
	aggregations map[string]aggregation // by URL
	notices      map[string]notice      // that columns with an aggregation page announce
	labels       map[string]string
	samples      map[string]string
	settings     map[string]string
}

type aggregation struct {
	title   string
	records int
	score   float64
}

type notice struct{ title, text string }

func (o *outcome) sizes() Sizes {
	return Sizes{len(o.pages), len(o.aggregations), len(o.notices), len(o.labels), len(o.samples), len(o.settings)}
}

// outcomeOf reads a workspace as its next opening sees it.
func outcomeOf(ctx context.Context, dir string) (o *outcome, err error) {
	e, err := crawl.Open(ctx, dir, crawl.Options{By: "soak", Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("nothing is fetched to compare crawls")
	}})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	if err := e.Words(ctx); err != nil {
		return nil, err
	}
	o = &outcome{pages: map[string]string{}, aggregations: map[string]aggregation{}, notices: map[string]notice{}, labels: map[string]string{},
		samples: map[string]string{}, settings: map[string]string{}}
	rows := map[uint64]*store.Page{}
	for p, err := range e.Workspace().Pages() {
		if err != nil {
			return nil, err
		}
		o.pages[p.URL] = ""
		rows[p.ID] = p
	}
	scores, judged := e.Topic.Scores(), map[string]bool{}
	for _, id := range e.Topic.Aggregations() {
		p := rows[id]
		if p == nil {
			return nil, fmt.Errorf("aggregation page %d is not stored", id)
		}
		score, _ := scores.Of(id)
		o.aggregations[p.URL] = aggregation{p.Title, p.Records, score}
		judged[column(p.URL)] = true
	}
	for n, err := range e.Workspace().Notices() {
		if err != nil {
			return nil, err
		}
		// A notice stays for good when its list was one only until a label or a sample
		// came: that depends on which was first, and no crawl need do it again. Pages
		// behind an aggregation page need not be one themselves.
		if _, url := n.On(); judged[column(url)] {
			o.notices[n.URL] = notice{n.Title, n.Text}
		}
	}
	labels, err := e.Labels.LabelRows()
	if err != nil {
		return nil, err
	}
	for _, l := range labels {
		o.labels[l.URL] = fmt.Sprint(l.Label)
	}
	for _, s := range e.Topic.Samples() {
		o.samples[s.URL] = s.Title
	}
	for _, r := range e.Settings.SettingRows() {
		o.settings[r.Key] = r.Value
	}
	return o, nil
}

// column is what the pages of a list on the demo web have in common: host and first name
// of the path, as in http://h/tzgg.htm and http://h/tzgg/2.htm.
func column(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	host, path, _ := strings.Cut(rest, "/")
	name, _, _ := strings.Cut(path, "/")
	name, _, _ = strings.Cut(name, ".")
	return host + "/" + name
}

// close enough to be the same score.
const tolerance = 1e-6

// differences lists what is other than in an undisturbed crawl.
func (o *outcome) differences(calm *outcome) (list []string) {
	list = compare(list, "page", o.pages, calm.pages, func(a, b string) string { return "" })
	list = compare(list, "aggregation page", o.aggregations, calm.aggregations, func(got, want aggregation) string {
		if got.title != want.title || got.records != want.records || math.Abs(got.score-want.score) > tolerance {
			return fmt.Sprintf("%q, %d records, score %.7f; undisturbed %q, %d, %.7f", got.title, got.records, got.score, want.title, want.records, want.score)
		}
		return ""
	})
	list = compare(list, "notice", o.notices, calm.notices, func(got, want notice) string {
		switch {
		case got.title != want.title:
			return fmt.Sprintf("title %q, undisturbed %q", got.title, want.title)
		case got.text != want.text:
			return fmt.Sprintf("a text of %d bytes, undisturbed %d", len(got.text), len(want.text))
		}
		return ""
	})
	same := func(got, want string) string {
		if got != want {
			return fmt.Sprintf("%q, undisturbed %q", got, want)
		}
		return ""
	}
	list = compare(list, "label", o.labels, calm.labels, same)
	list = compare(list, "sample", o.samples, calm.samples, same)
	return compare(list, "setting", o.settings, calm.settings, same)
}

// compare adds what differs of one kind: a count, and each with its key.
func compare[T any](list []string, what string, got, want map[string]T, differ func(got, want T) string) []string {
	var missing, extra, other []string
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if _, ok := got[key]; !ok {
			missing = append(missing, what+" "+key+" is missing")
		} else if d := differ(got[key], want[key]); d != "" {
			other = append(other, what+" "+key+": "+d)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[key]; !ok {
			extra = append(extra, what+" "+key+" is there, undisturbed it is not")
		}
	}
	n := len(missing) + len(extra) + len(other)
	if n == 0 {
		return list
	}
	list = append(list, fmt.Sprintf("%ss: %d missing, %d extra, %d other, of %d", what, len(missing), len(extra), len(other), len(want)))
	for _, few := range [][]string{missing, extra, other} {
		list = append(list, few[:min(3, len(few))]...)
	}
	return list
}
