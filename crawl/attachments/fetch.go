package attachments

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/hostauth"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/message"
	"angler/store"
	"angler/store/records"
	"angler/store/secrets"
)

// This file fetches wanted documents.

const (
	workers      = 3 // documents at a time, from different hosts
	maxRedirects = 5 // redirects per document
	patience     = 30 * time.Second
	maxFetchTime = 3 * time.Minute // per document
)

// signal makes the background loop look for work.
func (k *Documents) signal() {
	k.mu.Lock()
	k.asked = true
	begin := !k.looping && k.Jobs.Context.Err() == nil
	k.looping = k.looping || begin
	k.mu.Unlock()
	if begin {
		k.run(k.background)
	}
}

// background fetches and reads until no work is left.
func (k *Documents) background() {
	for {
		k.mu.Lock()
		if !k.asked || k.Jobs.Context.Err() != nil {
			k.looping = false
			k.mu.Unlock()
			return
		}
		k.asked = false
		k.mu.Unlock()
		sum, err := k.FetchAll(k.Jobs.Context, nil)
		switch {
		case k.Jobs.Context.Err() != nil:
		case errors.Is(err, context.Canceled):
			k.Events.Note("info", "documents: cancelled after %s; the rest is fetched on the next request, or when the workspace is opened again", sum)
			k.mu.Lock()
			k.asked = false
			k.mu.Unlock()
		case err != nil:
			k.Events.Note("error", "documents: %v", err)
		case sum.Kept+sum.Failed+sum.Left > 0:
			k.Events.Note("info", "documents: %s", sum)
		}
	}
}

// FetchSummary counts the results of one batch.
type FetchSummary struct {
	Kept, Failed, Left, Later int
	Bytes                     int64
	Read, Texts               int // files read, and files with a text
}

// String returns e.g. "3 fetched (1.2 MB), 1 failed, 2 with text".
func (s FetchSummary) String() string { return s.Message().String() }

// Message implements message.Teller.
func (s FetchSummary) Message() message.Text {
	out := []message.Text{message.Of("%d fetched (%.1f MB)", s.Kept, float64(s.Bytes)/(1<<20))}
	say := func(n int, text message.Text) {
		if n > 0 {
			out = append(out, text)
		}
	}
	say(s.Failed, message.Of("%d failed", s.Failed))
	say(s.Left, message.Of("%d left out", s.Left))
	say(s.Later, message.Of("%d to be tried again", s.Later))
	say(s.Read, message.Of("%d of %d with text", s.Texts, s.Read))
	return message.Join(out, ", ")
}

// FetchAll fetches all wanted documents whose retry time has come, and reads missing texts. It
// waits for its turn. report is called for every result, one at a time; nil = none.
func (k *Documents) FetchAll(ctx context.Context, report func(*records.Document)) (sum FetchSummary, err error) {
	if store.ReadOnly(k.Store) {
		return sum, store.ErrReadOnly
	}
	if err := k.turn.Acquire(ctx, 1); err != nil {
		return sum, err
	}
	defer k.turn.Release(1)
	rows, err := records.Documents(k.Store)
	if err != nil {
		return sum, err
	}
	b := &batch{k: k, report: report, budget: k.budget(rows)}
	b.returned = sync.NewCond(&b.mu)
	for _, r := range rows {
		if r.State != records.DocumentWanted {
			continue
		}
		if !revisit.Ready(r.Retry, k.Now()) {
			b.sum.Later++
			continue
		}
		b.todo = append(b.todo, r)
	}
	// Documents requested by an analyst come first, then those of the newest notices.
	slices.SortStableFunc(b.todo, func(x, y *records.Document) int {
		if x.Asked != y.Asked {
			if x.Asked {
				return -1
			}
			return 1
		}
		return y.At.Compare(x.At)
	})
	if len(b.todo) > 0 {
		if err := b.run(ctx); err != nil {
			return b.sum, err
		}
	}
	err = k.readTexts(ctx, &b.sum)
	return b.sum, err
}

// batch is the fetching of some documents.
type batch struct {
	k      *Documents
	report func(*records.Document)
	todo   []*records.Document

	front   *frontier.Frontier
	fetcher *fetch.Fetcher

	mu       sync.Mutex // guards the fields below
	sum      FetchSummary
	budget   int64      // bytes that the rule may still fetch
	reserved int64      // bytes of the budget that documents in flight may need
	returned *sync.Cond // signals that reserved fell
	err      error      // database error that ends the batch
}

func (b *batch) run(ctx context.Context) (err error) {
	set := b.k.Settings()
	if b.fetcher, err = b.k.Fetcher(set.Attachments.MaxMB << 20); err != nil {
		return err
	}
	defer b.fetcher.Close()
	shown, ctx := b.k.Jobs.Background(ctx, "fetching documents", len(b.todo))
	defer shown.End()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b.front = frontier.New(frontier.Config{Limiter: b.k.Limiter, Single: true, Patience: patience})
	defer b.front.Close()
	for i, r := range b.todo {
		b.front.Push(frontier.Entry{ID: uint64(i + 1), Host: urls.HostOf(r.URL), Priority: -float64(i)})
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				e, err := b.front.Next(ctx)
				if err != nil {
					return
				}
				o := b.fetchOne(ctx, b.todo[e.ID-1], e)
				b.front.Done(e, o)
				shown.Done.Add(1)
				b.mu.Lock()
				failed := b.err
				b.mu.Unlock()
				if failed != nil {
					cancel()
				}
			}
		})
	}
	wg.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return b.err
	}
	return ctx.Err()
}

// fetchOne fetches one document and stores the result. A document in flight when ctx ends stays
// wanted.
func (b *batch) fetchOne(ctx context.Context, r *records.Document, e frontier.Entry) frontier.Outcome {
	k := b.k
	if !r.Asked {
		most := int64(k.Settings().Attachments.MaxMB) << 20
		defer b.release(most)
		if !b.reserve(most) {
			b.finish(r, records.DocumentWanted, errBudgetSpent.Error(), tomorrow(k.Now()))
			b.front.Spare(e)
			return frontier.Outcome{}
		}
	}
	resp, v, asks, err := b.ask(ctx, r, e.Host)
	var o frontier.Outcome
	o.CrawlDelay, o.Address = b.fetcher.CrawlDelay(e.Host), b.fetcher.Address(e.Host)
	if err == nil {
		o.Wait, o.Slow, o.Failed = resp.RetryAfter, resp.Status == http.StatusTooManyRequests ||
			resp.Status == http.StatusServiceUnavailable, resp.Status >= 500
	} else {
		o.Failed = ctx.Err() == nil && isHostFailure(err)
	}
	b.front.Release(e, o)
	if ctx.Err() != nil {
		return o
	}
	if err != nil {
		b.failed(r, err)
		return o
	}
	switch maxMB := k.Settings().Attachments.MaxMB; {
	case asks != "" && v == hostauth.NotOurs:
		b.finish(r, records.DocumentFailed, asks, time.Time{})
	case asks != "":
		b.finish(r, records.DocumentWanted, asks, k.Now().Add(closedFor))
	case resp.Status == http.StatusNotFound || resp.Status == http.StatusGone:
		b.finish(r, records.DocumentFailed, fmt.Sprintf("the server says that there is none (%d)", resp.Status),
			time.Time{})
	case resp.Status >= 500 || o.Slow:
		b.retry(r, fmt.Sprintf("the server failed (%d)", resp.Status), resp.RetryAfter)
	case resp.Status != http.StatusOK:
		b.finish(r, records.DocumentFailed, fmt.Sprintf("the server answered %d", resp.Status), time.Time{})
	case resp.Truncated:
		b.finish(r, records.DocumentSkipped, tooLong(maxMB), time.Time{})
	default:
		b.keep(ctx, r, resp)
	}
	return o
}

// reserve takes n bytes of the rule's budget; false = the budget is spent. It waits only while
// documents in flight may need all of the rest.
func (b *batch) reserve(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.budget > 0 && b.budget <= b.reserved {
		b.returned.Wait()
	}
	b.reserved += n
	return b.budget > 0
}

// release returns a reservation, after the document's size was taken from the budget.
func (b *batch) release(n int64) {
	b.mu.Lock()
	b.reserved -= n
	b.mu.Unlock()
	b.returned.Broadcast()
}

// closedFor is the pause of a document whose host requires a login.
const closedFor = time.Hour

// ask requests a document. If a login came instead and was renewed, it retries once after the
// host's pause. asks says why the reply is a login; "" = it is none.
func (b *batch) ask(ctx context.Context, r *records.Document,
	host string) (resp *fetch.Response, v hostauth.LoginVerdict,
	asks string, err error) {
	for try := 0; ; try++ {
		asked := b.k.Now()
		resp, err = b.follow(ctx, r.URL, func(resp *fetch.Response) bool {
			if b.k.HostAuth != nil {
				v, asks = b.k.HostAuth.InPlaceOf(ctx, r.URL, resp, asked)
			}
			return asks != ""
		})
		if err != nil || asks == "" || v != hostauth.Renewed || try > 0 {
			return resp, v, asks, err
		}
		asks = ""
		if err = b.k.Limiter.Pause(ctx, host, b.fetcher.CrawlDelay(host)); err != nil {
			return nil, v, "", err
		}
	}
}

// follow requests a document and follows redirects until done returns true, which means a login.
func (b *batch) follow(ctx context.Context, address string, done func(*fetch.Response) bool) (*fetch.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, maxFetchTime)
	defer cancel()
	return b.fetcher.FollowUntil(ctx, fetch.Request{URL: address}, maxRedirects, done)
}

// keep stores a fetched document.
func (b *batch) keep(ctx context.Context, r *records.Document, resp *fetch.Response) {
	kind := documentKindOf(resp.Body, nameOf(r))
	if want := ending(store.Attachment{Name: r.Name, URL: r.URL}); kind == HTML && slices.Contains(notWebPages, want) {
		b.finish(r, records.DocumentFailed, fmt.Sprintf("a web page came in place of a %s file; the site may want a login or a code", strings.ToUpper(want)), time.Time{})
		return
	}
	hash, file, err := records.KeepDocument(b.k.Store.Dir(), resp.Body, kind.ext())
	if err != nil {
		b.abort(err)
		return
	}
	r.Hash, r.File, r.Size, r.Kind = hash, file, int64(len(resp.Body)), string(kind)
	b.finish(r, records.DocumentKept, "", time.Time{})
	// The host is released already, so reading the text delays no fetch.
	old, err := records.DocumentTextOf(b.k.Store, hash)
	if err == nil && (old == nil || old.Version != ReaderVersion) {
		err = b.k.readText(ctx, r, resp.Body, resp.ContentType, &b.sum, &b.mu)
	}
	if err != nil && ctx.Err() == nil {
		b.abort(err)
	}
	b.k.notify(r.Notices)
	b.k.changed()
}

// notWebPages are file endings for which a web page is an error page. Many offices publish Word and
// Excel files that are web pages.
var notWebPages = []string{"pdf", "docx", "xlsx", "pptx", "zip", "rar", "7z", "ofd", "ceb", "odt", "ods", "gef", "zcf"}

// nameOf returns a document's name with an ending, if it has one.
func nameOf(r *records.Document) string {
	if path.Ext(r.Name) != "" {
		return r.Name
	}
	u, _, _ := strings.Cut(r.URL, "?")
	return u
}

// isHostFailure reports whether a failure may be caused by the host, not by the document or this
// program.
func isHostFailure(err error) bool {
	var fe *fetch.Error
	return !errors.As(err, &fe) || fe.Kind != fetch.Login && fe.Temporary()
}

// failed stores the result of a failed fetch.
func (b *batch) failed(r *records.Document, err error) {
	var fe *fetch.Error
	if errors.As(err, &fe) {
		err = errors.New(fe.Reason())
		if fe.Kind == fetch.Login { // not the document's fault
			b.finish(r, records.DocumentWanted, err.Error(), b.k.Now().Add(closedFor))
			return
		}
		if !fe.Temporary() {
			b.finish(r, records.DocumentFailed, err.Error(), time.Time{})
			return
		}
	}
	b.retry(r, err.Error(), 0)
}

// retry schedules another fetch, or gives the document up.
func (b *batch) retry(r *records.Document, why string, wait time.Duration) {
	r.Fails++
	retries := b.k.Settings().Crawl.Retries
	at, _ := revisit.Passing.Retry(b.k.Now(), r.Fails, 0, wait, 0)
	if r.Fails > retries {
		b.finish(r, records.DocumentFailed, fmt.Sprintf("%s, %d times", why, r.Fails), time.Time{})
		return
	}
	b.finish(r, records.DocumentWanted, why, at)
}

// finish stores the result of a document.
func (b *batch) finish(r *records.Document, state, why string, retry time.Time) {
	r.State, r.Why, r.Retry, r.At = state, secrets.Redact(why), retry, b.k.Now()
	if err := b.k.put(r); err != nil {
		b.abort(err)
		return
	}
	b.mu.Lock()
	switch state {
	case records.DocumentKept:
		b.sum.Kept++
		b.sum.Bytes += r.Size
		if !r.Asked {
			b.budget -= r.Size
		}
	case records.DocumentFailed:
		b.sum.Failed++
	case records.DocumentSkipped:
		b.sum.Left++
	default:
		b.sum.Later++
	}
	if b.report != nil {
		b.report(r)
	}
	b.mu.Unlock()
	b.k.changed()
}

// put stores a row and keeps the notices added to it meanwhile.
func (k *Documents) put(r *records.Document) error {
	k.rows.Lock()
	defer k.rows.Unlock()
	now, err := records.DocumentOf(k.Store, r.URL)
	if err != nil {
		return err
	}
	if now != nil {
		r.Notices, r.Asked = now.Notices, r.Asked || now.Asked
	}
	return records.PutDocuments(k.Store, r)
}

// abort ends the batch after a database error.
func (b *batch) abort(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = err
	}
}

func tomorrow(now time.Time) time.Time {
	y, m, d := now.Date()
	return time.Date(y, m, d+1, 0, 0, 0, 0, now.Location())
}
