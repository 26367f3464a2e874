package seeds

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"angler/crawl/auth"
	"angler/crawl/fetch"
	"angler/crawl/urls"
	"angler/store/records"
)

// This file queries a SearXNG server: P3's 500 words with 150 results each (2.2.1), of which only the hosts are
// kept. P3 queried three engines itself; the server queries and merges its engines.

// errNothingToAsk means that there are no words to search for.
var errNothingToAsk = errors.New(
	"nothing to search for: give words with --words, set suggest.words, or choose samples, whose words are then used")

// ErrNoServer means that no search server is configured.
var ErrNoServer = errors.New(
	"no search server: set suggest.searxng to the address of a SearXNG server, e.g. http://localhost:8888")

// Limits of a search.
const (
	maxPages      = 50      // result pages per query
	maxAnswer     = 8 << 20 // bytes of one result page
	maxTries      = 4       // attempts per query, if the server asks to wait or does not answer
	maxUnanswered = 5       // consecutive queries without an answer of any engine
	stale         = 30 * 24 * time.Hour
	maxWait       = 10 * time.Minute // longest wait that a server may request
)

// SearchQuestion describes a search.
type SearchQuestion struct {
	Words []string // nil: those of SeedQuestions
	Again bool     // also repeat queries answered within a month
}

// SearchSeeds queries the search server and proposes the hosts of its results. An interrupted search keeps its
// results, and the next one continues it.
func (s *SeedEditor) SearchSeeds(ctx context.Context, ask SearchQuestion) (*SearchOutcome, error) {
	if err := s.May(auth.SuggestSeeds); err != nil {
		return nil, err
	}
	set := s.Settings().Suggest
	if set.SearXNG == "" {
		return nil, ErrNoServer
	}
	words := cleanQuestions(ask.Words, set.MostWords)
	if len(words) == 0 {
		var err error
		if words, err = s.questions(set.MostWords); err != nil {
			return nil, err
		}
	}
	if len(words) == 0 {
		return nil, errNothingToAsk
	}
	f, err := s.Fetching(maxAnswer, true)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	ctx, job, end, err := s.begin(ctx, "searching for seeds", len(words))
	if err != nil {
		return nil, err
	}
	defer end()
	_, before, err := records.Proposals(s.Store)
	if err != nil {
		return nil, err
	}
	w := &webSearch{known: map[string]*records.Question{}, s: s.Suggest, f: f,
		base: strings.TrimSuffix(set.SearXNG, "/"), host: urls.HostOf(set.SearXNG), most: set.Results,
		delay: time.Duration(set.Delay), more: url.Values{},
		round: s.round(), o: &SearchOutcome{}, seed: maphash.MakeSeed()}
	for _, q := range before {
		w.known[q.Text] = q
	}
	if set.Engines != "" {
		w.more.Set("engines", set.Engines)
	}
	if set.Language != "" {
		w.more.Set("language", set.Language)
	}
	for _, q := range words {
		if err := w.question(ctx, q, ask.Again); err != nil {
			return w.o, cmp.Or(ctx.Err(), err)
		}
		job.Done.Add(1)
	}
	return w.o, nil
}

// webSearch is a running search.
type webSearch struct {
	s     *Suggest
	f     *fetch.Fetcher
	base  string
	host  string
	most  int
	delay time.Duration
	more  url.Values
	round int
	o     *SearchOutcome
	seed  maphash.Seed
	known map[string]*records.Question // progress of earlier queries

	answered   bool // the server answered in this search
	unanswered int  // consecutive queries without an answer of any engine
	full       bool // the limit of hosts was reached
}

// question runs one query, page by page.
func (w *webSearch) question(ctx context.Context, text string, again bool) error {
	q := &records.Question{Text: text}
	if was := w.known[text]; was != nil && w.s.Now().Sub(was.At) < stale && !again {
		if was.Done {
			w.o.Skipped++
			return nil
		}
		q = was
	}
	seen := map[uint64]bool{}
	for !q.Done {
		a, err := w.ask(ctx, q)
		if err != nil {
			return err
		}
		fresh := a.results[:0]
		for _, r := range a.results {
			if h := maphash.String(w.seed, r.URL); !seen[h] {
				seen[h] = true
				fresh = append(fresh, r)
			}
		}
		if err := w.store(q, fresh); err != nil {
			return err
		}
		if q.Pages > 1 || len(fresh) > 0 || len(a.silent) == 0 {
			w.unanswered = 0
		} else if w.unanswered++; w.unanswered >= maxUnanswered {
			return fmt.Errorf(
				"the search server at %s finds nothing because its engines do not answer: %s; look at its page /preferences, or name others in suggest.engines", w.base, strings.Join(a.silent, ", "))
		}
	}
	return nil
}

// ask fetches the next result page of a query.
func (w *webSearch) ask(ctx context.Context, q *records.Question) (answer, error) {
	v := url.Values{"q": {q.Text}, "format": {"json"}, "pageno": {strconv.Itoa(q.Pages + 1)}}
	for name, more := range w.more {
		v[name] = more
	}
	address := w.base + "/search?" + v.Encode()
	var wait time.Duration
	for try := 1; ; try++ {
		if try > 1 {
			w.s.Limiter.Space(w.host, w.s.Now().Add(wait))
		}
		leave, _, err := w.s.Limiter.Enter(ctx, w.host)
		if err != nil {
			return answer{}, err
		}
		res, err := w.f.Fetch(ctx, fetch.Request{URL: address})
		leave(0)
		if ctx.Err() != nil {
			return answer{}, ctx.Err()
		}
		wait = patience(w.delay, try)
		switch {
		case err != nil:
			if !w.answered || try >= maxTries || !temporary(err) {
				return answer{}, w.serverError(err)
			}
			continue
		case res.Status == http.StatusTooManyRequests || res.Status == http.StatusServiceUnavailable:
			if try >= maxTries {
				return answer{}, fmt.Errorf(
					"the search server at %s asks for patience (status %d) after %d tries of one question: raise suggest.delay, or search again later; what was found stays, and it goes on where it stopped", w.base, res.Status, try)
			}
			wait = min(max(wait, res.RetryAfter), maxWait)
			w.s.Events.Note("warn", "the search server asks for patience (status %d): asked again in %v", res.Status,
				wait.Round(time.Second))
			continue
		}
		a, err := w.read(res)
		if err == nil && a.broken && len(a.results) == 0 { // truncated without evidence of no results
			if try < maxTries {
				wait = w.delay
				continue
			}
			return answer{}, fmt.Errorf(
				"the search server at %s breaks off in the middle of its answers; look at its log. What was found stays, and the search goes on where it stopped", w.base)
		}
		if err == nil {
			w.answered = true
			w.o.Asked++
		}
		return a, err
	}
}

// patience returns the wait after a failed attempt.
func patience(delay time.Duration, try int) time.Duration {
	return max(delay, 5*time.Second<<(2*(try-1)))
}

func temporary(err error) bool {
	e, ok := errors.AsType[*fetch.Error](err)
	return ok && e.Temporary()
}

// serverError adds the remedy to a server's error.
func (w *webSearch) serverError(err error) error {
	if e, ok := errors.AsType[*fetch.Error](err); ok && e.Unreachable() {
		return fmt.Errorf("the search server at %s does not answer (%s): start it, or change suggest.searxng", w.base,
			e.Kind)
	}
	return fmt.Errorf("the search server at %s: %w", w.base, err)
}

// read parses a reply, or returns an error with a remedy.
func (w *webSearch) read(res *fetch.Response) (answer, error) {
	const format = "allow json in search.formats of its settings.yml"
	switch {
	case res.Location != "":
		return answer{}, fmt.Errorf(
			"the search server at %s sends us to %.200s: write the right address into suggest.searxng", w.base, res.Location)
	case res.Status == http.StatusForbidden:
		return answer{}, fmt.Errorf("the search server at %s refuses to answer with JSON (status 403): %s", w.base,
			format)
	case res.Status == http.StatusNotFound:
		return answer{}, fmt.Errorf(
			"there is no SearXNG at %s (status 404): suggest.searxng is the address of its first page", w.base)
	case res.Status != http.StatusOK:
		return answer{}, fmt.Errorf("the search server at %s answers with status %d; look at its log", w.base,
			res.Status)
	}
	a, err := parseAnswer(res.Body, w.most)
	switch {
	case errors.Is(err, errHTML):
		return a, fmt.Errorf("the search server at %s answers with %w: %s, or correct suggest.searxng", w.base, err,
			format)
	case err != nil:
		return a, fmt.Errorf("the search server at %s: %w; is suggest.searxng the address of a SearXNG?", w.base, err)
	}
	return a, nil
}

// store saves the proposals of one result page with the query's progress.
func (w *webSearch) store(q *records.Question, found []result) error {
	next := *q
	next.Pages, next.At = q.Pages+1, w.s.Now()
	if len(found) > w.most-q.Results {
		found = found[:max(0, w.most-q.Results)]
	}
	next.Results += len(found)
	next.Done = len(found) == 0 || next.Results >= w.most || next.Pages >= maxPages
	v := w.s.classifier(w.o)
	full, before := false, w.o.New
	err := records.ChangeProposals(w.s.Store, func(rows *records.ProposalRows) error {
		for i, r := range found {
			host, root, ok := v.site(r.URL)
			if !ok {
				continue
			}
			row := w.s.row(rows, host, root, w.round, w.o)
			addResult(row, &r, q.Text, q.Results+i+1)
			if err := rows.Put(row); errors.Is(err, records.ErrProposalsFull) {
				full = true
			} else if err != nil {
				return err
			}
		}
		return rows.PutQuestion(&next)
	})
	if err != nil {
		return err
	}
	*q = next
	if full && !w.full {
		w.full = true
		w.s.Events.Note("warn", "%v", records.ErrProposalsFull)
	}
	w.s.addNews(w.o.New - before)
	return nil
}

// addResult records that a query found a host with its rank-th result.
func addResult(row *records.Proposal, r *result, question string, rank int) {
	f := row.Search
	if f == nil {
		f = &records.ProposalSearch{Best: rank, Example: records.ClipProposal(r.URL)}
		row.Search = f
	}
	if f.Latest != question && !slices.Contains(f.Words, question) {
		f.Questions++
		if len(f.Words) < records.MaxExamples {
			f.Words = append(f.Words, question)
		}
	}
	f.Latest = question
	f.Results++
	if rank <= f.Best {
		f.Best, f.Example = rank, records.ClipProposal(r.URL)
		// these name the site; a result names a page
		if row.Looked.IsZero() && row.Links == nil && len(row.Files) == 0 {
			row.Title = cmp.Or(r.Title, row.Title)
		}
	}
}
