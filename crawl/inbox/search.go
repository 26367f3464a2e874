package inbox

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2/roaring64"

	"angler/crawl/filter"
	"angler/crawl/search"
	"angler/store"
	"angler/store/records"
)

// This file searches notices: those that a filter selects, most relevant first, with snippets.
// Unlike a list it reads only notices that hold the words.

const (
	usualRows   = 20
	usualAround = 80
	minLoose    = .6 // minimum share of the words cut from a query, if no notice holds the query as it stands
)

// Search finds notices; a mistake in the filter is a *filter.Error. A query without results is
// stored, see Unanswered.
func (h *Session) Search(ctx context.Context, ask SearchRequest) (*FoundNotices, error) {
	read, err := h.readBy(h.Name)
	if err != nil {
		return nil, err
	}
	out, wanted, err := h.search(ctx, ask, h.Name, read)
	if err == nil && len(wanted) > 0 && !ask.Plain && !ask.Unrecorded && !out.Loose {
		if out.Total == 0 {
			err = h.unanswered(wanted, h.Name)
		} else {
			err = h.answered(wanted)
		}
	}
	return out, err
}

// answered deletes a stored query that has results now.
func (in *Inbox) answered(wanted []filter.Word) error {
	query := question(wanted)
	rows, err := records.FailedQueries(in.Store)
	if err != nil || store.ReadOnly(in.Store) ||
		!slices.ContainsFunc(rows, func(r records.FailedQuery) bool { return r.Query == query }) {
		return err
	}
	defer in.topUnanswered.Store(nil)
	return records.ForgetQuery(in.Store, query)
}

func question(wanted []filter.Word) string {
	var list []string
	for _, w := range wanted {
		list = append(list, w.Text)
	}
	return strings.Join(list, " ")
}

func (in *Inbox) search(ctx context.Context, ask SearchRequest, name string,
	read map[uint64]time.Time) (*FoundNotices, []filter.Word, error) {
	now := in.Now()
	filters, found, err := in.filters(ctx, []string{ask.Query}, now)
	if err != nil {
		return nil, nil, err
	}
	f := filters[0]
	heads, known, err := in.related(ctx)
	if err != nil {
		return nil, nil, err
	}
	m := in.rowMaker(heads, known, read)
	m.learner = in.learnerOf(name, read)
	room := roomFor(len(heads))
	defer candidateRooms.Put(room)
	wanted := f.Wanted()
	out := &FoundNotices{}
	var lit []filter.Word
	var rows []candidate
	var scores search.Scores
	switch {
	case len(wanted) == 0:
		rows = m.passing(*room, heads, nil, f)
	case ask.Plain:
		var parts []string
		if scores, parts, err = in.Find.Like(wanted, 0, true); err != nil {
			return nil, nil, err
		}
		out.Words, lit = parts, wordsOf(parts)
		rows = m.passing(*room, heads, scores.IDs(), f.Loose())
	default:
		ids, noted, rest := among(wanted, found), in.noted(), f
		if ids.Or(noted); noted.IsEmpty() {
			rest = f.Loose() // the ids hold the words
		}
		rows = m.passing(*room, heads, ids, rest)
		lit = wanted
		for _, w := range wanted {
			out.Words = append(out.Words, w.Text)
		}
		if len(rows) > 0 {
			if scores, err = in.Find.Rank(wanted, ids); err != nil {
				return nil, nil, err
			}
			break
		}
		var parts []string
		if scores, parts, err = in.Find.Like(wanted, minLoose, false); err != nil {
			return nil, nil, err
		}
		if rows = m.passing(*room, heads, scores.IDs(), f.Loose()); len(rows) > 0 {
			out.Loose, out.Words, lit = true, parts, wordsOf(parts)
		}
	}
	if !ask.Since.IsZero() {
		rows = slices.DeleteFunc(rows, func(r candidate) bool { return !r.Moved().After(ask.Since) })
	}
	fold(len(rows), func(i int) rowKey { return rows[i].key }, func(i int) uint64 { return rows[i].ID },
		func(i, at int) { rows[i].under, rows[at].copies = true, rows[at].copies+1 })
	rows = slices.DeleteFunc(rows, func(r candidate) bool { return r.under })
	for i := range rows {
		rows[i].match = scores.At(rows[i].ID, rows[i].place)
	}
	out.Total = len(rows)
	for _, i := range ask.chosen(rows) {
		x := foundNotice{}
		m.fill(&x.ListedNotice, rows[i].NoticeHead, everyPart)
		x.Match, x.Copies, x.InTitle = rows[i].match, rows[i].copies, search.Lit(x.Title, lit)
		n, err := in.Store.Notice(x.ID)
		if err != nil {
			return nil, nil, err
		}
		if n != nil {
			if x.Snippet, x.Lit, x.Document, err = in.Find.Within(n, lit, cmp.Or(ask.Around, usualAround)); err != nil {
				return nil, nil, err
			}
		}
		out.Rows = append(out.Rows, x)
	}
	return out, wanted, ctx.Err()
}

// chosen returns the indexes of the requested rows, in their order. It keeps at most twice as many
// candidates: sorting all rows would take longer than finding them.
func (ask *SearchRequest) chosen(rows []candidate) []int {
	order := func(i, k int) int {
		a, b := &rows[i], &rows[k]
		if !ask.Since.IsZero() {
			return cmp.Or(a.Moved().Compare(b.Moved()), cmp.Compare(a.ID, b.ID))
		}
		if !ask.ByDate && a.match != b.match {
			return cmp.Compare(b.match, a.match)
		}
		return cmp.Or(b.Shown().Compare(a.Shown()), cmp.Compare(a.ID, b.ID))
	}
	most := ask.Skip + cmp.Or(ask.Limit, usualRows)
	var first []int
	last := -1 // index of the last candidate that counts; -1 = unknown
	for i := range rows {
		if last >= 0 && order(i, last) > 0 {
			continue
		}
		if first = append(first, i); len(first) == 2*most {
			slices.SortFunc(first, order)
			first = first[:most]
			last = first[most-1]
		}
	}
	slices.SortFunc(first, order)
	return first[min(ask.Skip, len(first)):min(most, len(first))]
}

// candidate is a notice that a filter selects; its row is made if it is chosen.
type candidate struct {
	*NoticeHead
	key    rowKey
	match  float64
	copies int
	under  bool // folded
}

// candidateRooms keeps the memory of candidates from one search to the next: new memory costs more than the search.
var candidateRooms sync.Pool // of *[]candidate

// roomFor returns room for n candidates.
func roomFor(n int) *[]candidate {
	if room, _ := candidateRooms.Get().(*[]candidate); room != nil && cap(*room) >= n {
		return room
	}
	room := make([]candidate, 0, n)
	return &room
}

// manyOf is the share of all heads from which looking through them is faster than looking them up.
const manyOf = 8

// passing writes the heads that a filter selects into out, which has room for all. ids restricts them; nil = all.
func (m *rowMaker) passing(out []candidate, heads []*NoticeHead, ids *roaring64.Bitmap,
	f *filter.Filter[row]) []candidate {
	if ids != nil && ids.GetCardinality() <= uint64(len(heads)/manyOf) {
		heads, ids = m.heads.of(ids), nil
	}
	needs := partsOf(f)
	var r row // one for all: filters keep none
	for _, h := range heads {
		if ids != nil && !ids.Contains(h.ID) {
			continue
		}
		m.fill(&r, h, needs)
		if f.Match(&r) {
			out = append(out, candidate{NoticeHead: h, key: m.key(&r)})
		}
	}
	return out
}

// noted returns the notices with a note, which words also match.
func (in *Inbox) noted() *roaring64.Bitmap {
	ids := roaring64.New()
	for id, m := range in.Decisions.State().Remarks {
		if m.Says() != "" {
			ids.Add(id)
		}
	}
	return ids
}

func wordsOf(list []string) (out []filter.Word) {
	for _, s := range list {
		out = append(out, filter.Word{Text: s})
	}
	return out
}

// siteNames caches the names of sites while the heads stay the same. It is immutable.
type siteNames struct {
	first *NoticeHead
	n     int
	names sites
}

// siteNames returns the names of the sites of heads.
func (in *Inbox) siteNames(heads []*NoticeHead) sites {
	if len(heads) == 0 {
		return nil
	}
	s := in.names.Load()
	if s == nil || s.first != heads[0] || s.n != len(heads) {
		s = &siteNames{heads[0], len(heads), sitesOf(heads)}
		in.names.Store(s)
	}
	return s.names
}

// unanswered stores a query without results.
func (in *Inbox) unanswered(wanted []filter.Word, by string) error {
	if store.ReadOnly(in.Store) {
		return nil
	}
	err := records.QueryFailed(in.Store, question(wanted), by, in.Now())
	in.topUnanswered.Store(nil)
	return err
}

// maxUnanswered bounds the queries shown when seeds are added.
const maxUnanswered = 3

// TopUnanswered returns the most frequent queries without results. It reads them after a change.
func (in *Inbox) TopUnanswered() []string {
	if list := in.topUnanswered.Load(); list != nil {
		return *list
	}
	list := []string{}
	rows, _ := records.FailedQueries(in.Store)
	for _, r := range rows[:min(maxUnanswered, len(rows))] {
		list = append(list, r.Query)
	}
	in.topUnanswered.Store(&list)
	return list
}

// waitingQuestion is the query without results that a user is typing. It is stored when the user
// goes on to another query, not while the user edits it.
type waitingQuestion struct {
	mu     sync.Mutex
	query  string
	wanted []filter.Word
}

// typed takes the filter that a user sees. It returns the words of the previous one if that had no
// results and was not just edited.
func (q *waitingQuestion) typed(query string, wanted []filter.Word, answered bool) (before []filter.Word) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if query == q.query {
		if answered {
			q.wanted = nil
		}
		return nil
	}
	if q.wanted != nil && !strings.HasPrefix(query, q.query) && (query == "" || !strings.HasPrefix(q.query, query)) {
		before = q.wanted
	}
	q.query, q.wanted = query, nil
	if !answered {
		q.wanted = wanted
	}
	return before
}

// Unanswered returns the queries without results, the most frequent first, with the number of
// notices that match by now.
func (h *Session) Unanswered(ctx context.Context) ([]FailedQuery, error) {
	rows, err := records.FailedQueries(h.Store)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	out := make([]FailedQuery, len(rows))
	all := map[filter.Word]bool{}
	var words []filter.Word
	split := make([][]filter.Word, len(rows))
	for i, r := range rows {
		out[i] = FailedQuery{Query: r.Query, Times: r.Times, First: r.First, Last: r.Last, By: r.By}
		for _, w := range strings.Fields(r.Query) {
			word := filter.Word{Text: w}
			split[i] = append(split[i], word)
			if !all[word] {
				all[word] = true
				words = append(words, word)
			}
		}
	}
	found, err := h.Find.Holding(ctx, words)
	if err != nil {
		return nil, err
	}
	at := map[filter.Word]*roaring64.Bitmap{}
	for i, w := range words {
		at[w] = found[i]
	}
	for i := range out {
		ids := at[split[i][0]].Clone()
		for _, w := range split[i][1:] {
			ids.And(at[w])
		}
		out[i].Now = int(ids.GetCardinality())
	}
	return out, nil
}

// SearchRequest describes a search.
type SearchRequest struct {
	Query  string
	Skip   int  // rows to skip
	Limit  int  // maximum of rows; 0 = 20
	ByDate bool // newest first, not the most relevant
	// Plain searches without the domain dictionary: any word that the base dictionary cuts matches
	// (P2, figure 6).
	Plain bool
	// Unrecorded leaves the stored queries without results as they are.
	Unrecorded bool
	Around     int // characters of a snippet; 0 = 80
	// Since selects notices first seen or changed after it, the oldest first; zero selects all.
	Since time.Time
}

// FoundNotices is the result of a search.
type FoundNotices struct {
	Rows  []foundNotice
	Total int      // including those beyond Limit
	Words []string // words searched
	// Loose means that no notice holds the words as they stand; the rows hold most of the words cut
	// from them.
	Loose bool
}

// foundNotice is a notice with its matches.
type foundNotice struct {
	ListedNotice
	Snippet  string
	Lit      []search.Span // in Snippet
	Document string        // document of Snippet; "" = the notice's text
	InTitle  []search.Span
}

// FailedQuery is a query without results.
type FailedQuery struct {
	Query string    `json:"query"`
	Times int       `json:"times"`
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	By    string    `json:"by"`  // last user
	Now   int       `json:"now"` // notices that match by now
}
