package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"angler/crawl/linkorder"
	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/store"
	"angler/store/warc"
)

// Imported counts the records of an import.
type Imported struct {
	Records   int            `json:"records"`
	Pages     int            `json:"pages"`     // imported, including redirects
	Unchanged int            `json:"unchanged"` // already stored with the same body
	Left      map[string]int `json:"left_out"`  // captures not imported, by reason
	Unjudged  bool           `json:"unjudged"`  // no sample to judge pages by, so no notices
	Lists     int            `json:"lists"`     // aggregation pages in the workspace after the import
	Notices   int            `json:"notices"`   // new notices
	Changed   int            `json:"changed"`   // known notices with changed text
	Absent    int            `json:"absent"`    // announced notices that the archives do not contain
}

// skip counts a capture that is not imported.
func (i *Imported) skip(why string) { i.Left[why]++ }

// importBatch captures are read in parallel and committed together.
const importBatch = 64

// maxKnown bounds the remembered depths and record addresses of an archive, about 200 bytes each.
const maxKnown = 2_000_000

// importing is one import in progress.
type importing struct {
	*Archive
	ctx      context.Context
	done     *Imported
	hops     map[string]int    // depth by address, from metadata
	ids      map[string]string // record id → address, for revisit records
	batch    []*answer
	progress func(Imported)
}

// answer is one capture being imported.
type answer struct {
	url   string
	at    time.Time
	http  *warc.Answer
	id    uint64
	row   *store.URL
	old   *store.Page
	entry *store.Capture
	read  *reader.Reading
	none  error // why the capture is no page; nil = it is one
}

// importFrom imports the pages of an archive. A damaged archive is imported up to the damage, and the
// error names the position. It must be called within ImportAll's job. progress is called after each
// batch with the counts so far.
func (a *Archive) importFrom(ctx context.Context, r io.Reader, progress func(Imported)) (Imported, error) {
	x := &importing{Archive: a, ctx: ctx, done: &Imported{Left: map[string]int{}}, hops: map[string]int{},
		ids: map[string]string{}, progress: progress}
	in, err := warc.NewReader(r)
	if err != nil {
		return *x.done, err
	}
	for {
		rec, err := in.Next()
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return *x.done, errors.Join(err, x.flush())
		}
		x.done.Records++
		if err := x.record(rec); err != nil {
			return *x.done, err
		}
	}
}

func (x *importing) record(rec *warc.Record) error {
	switch rec.Type {
	case warc.Metadata:
		x.metadata(rec)
		return nil
	case warc.Response, warc.Revisit, warc.Resource:
	default:
		return nil
	}
	target, ok := x.wanted(rec)
	if !ok {
		return nil
	}
	if rec.ID != "" && len(x.ids) < maxKnown {
		x.ids[rec.ID] = target
	}
	got := &answer{url: target, at: rec.At}
	if now := x.Now(); got.at.IsZero() || got.at.After(now) {
		got.at = now
	}
	most := x.Settings.Now().Crawl.MaxBodyMB << 20
	switch rec.Type {
	case warc.Resource: // a document without HTTP headers
		body, err := io.ReadAll(io.LimitReader(rec.Block, int64(most)+1))
		if err != nil {
			return nil // the next record reports the damage
		}
		got.http = &warc.Answer{Status: 200, Header: map[string][]string{"Content-Type": {rec.Fields.Get("Content-Type")}}, Body: body[:min(len(body), most)], Cut: len(body) > most}
	case warc.Response, warc.Revisit:
		if kind := rec.Fields.Get("Content-Type"); kind != "" &&
			!strings.HasPrefix(strings.ToLower(kind), "application/http") {
			x.done.skip("no HTTP answer")
			return nil
		}
		a, err := warc.ReadAnswer(rec.Block, most)
		if err != nil && rec.Type == warc.Response {
			x.done.skip(err.Error())
			return nil
		}
		if rec.Type == warc.Revisit {
			return x.revisited(got, rec, a)
		}
		got.http = a
	}
	return x.add(got)
}

// wanted returns the canonical address of a record; false if it is not imported.
func (x *importing) wanted(rec *warc.Record) (string, bool) {
	if u, err := url.Parse(rec.Target); err != nil || u.Scheme != "http" && u.Scheme != "https" {
		x.done.skip("no http address")
		return "", false
	}
	target, err := x.Reader.Resolver.Canonical(rec.Target)
	if err != nil {
		x.done.skip("malformed address")
		return "", false
	}
	if u, err := url.Parse(target); err == nil && u.Path == "/robots.txt" {
		x.done.skip("robots.txt")
		return "", false
	}
	if why := x.Settings.Filter().Check(target, urls.ClassOf(target)); why != urls.Accepted {
		x.done.skip(why.String())
		return "", false
	}
	return target, true
}

// metadata remembers the depth of a page.
func (x *importing) metadata(rec *warc.Record) {
	if rec.Length > 1<<16 || rec.Target == "" || len(x.hops) >= maxKnown {
		return
	}
	hops, _, told := hopsOf(rec)
	if target, err := x.Reader.Resolver.Canonical(rec.Target); told && err == nil {
		x.hops[target] = len(hops)
	}
}

// revisited imports a capture that refers to the body of an earlier one.
func (x *importing) revisited(got *answer, rec *warc.Record, head *warc.Answer) error {
	from := rec.Fields.Get("WARC-Refers-To-Target-URI")
	if from = strings.Trim(from, "<>"); from == "" {
		from = x.ids[rec.Fields.Get("WARC-Refers-To")]
	}
	original, err := x.Reader.Resolver.Canonical(from)
	if err != nil {
		original = got.url
	}
	if original == got.url {
		x.done.Unchanged++
		return nil
	}
	if err := x.flush(); err != nil { // the original may be in the batch
		return err
	}
	id, known := x.Store.Lookup(original)
	if !known {
		x.done.skip("a revisit whose original is not in the archive")
		return nil
	}
	row, err := x.Store.Page(id)
	if err != nil {
		return err
	}
	body, err := x.Store.Body(id, x.Reader.MaxBody())
	if err != nil || row == nil || body == nil {
		x.done.skip("a revisit whose original is not in the archive")
		return nil
	}
	got.http = &warc.Answer{Status: row.Status,
		Header: map[string][]string{"Content-Type": {contentType(row, x.Store.TermsOf(id))},
			"Location": {row.Location}}, Body: body}
	if head != nil {
		for _, name := range []string{"Etag", "Last-Modified"} {
			got.http.Header[name] = head.Header[name]
		}
	}
	return x.add(got)
}

// add puts a capture into the batch unless it holds no page.
func (x *importing) add(got *answer) error {
	h := got.http
	switch {
	case h.Status >= 400 || h.Status < 200:
		x.done.skip(fmt.Sprintf("HTTP status %d", h.Status))
		return nil
	case h.Status == 304:
		x.done.Unchanged++
		return nil
	case h.Status == 206 || h.Status == 204:
		x.done.skip(fmt.Sprintf("HTTP status %d", h.Status))
		return nil
	case page.IsChallenge(h.Body):
		x.done.skip("captcha")
		return nil
	}
	// A second capture of an address must be compared with the stored first one.
	if slices.ContainsFunc(x.batch, func(b *answer) bool { return b.url == got.url }) {
		if err := x.flush(); err != nil {
			return err
		}
	}
	if x.batch = append(x.batch, got); len(x.batch) < importBatch {
		return nil
	}
	return x.flush()
}

// flush stores the addresses of the batch, reads its documents and commits them.
func (x *importing) flush() error {
	batch := x.batch
	x.batch = nil
	if len(batch) == 0 {
		return nil
	}
	if err := x.admit(batch); err != nil {
		return err
	}
	fresh := batch[:0]
	for _, got := range batch {
		ok, err := x.compare(got)
		if err != nil {
			return err
		}
		if ok {
			fresh = append(fresh, got)
		}
	}
	// Pages of one host are read in order, because host profiles depend on it.
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	byHost := map[string][]*answer{}
	for _, got := range fresh {
		host := urls.HostOf(got.url)
		byHost[host] = append(byHost[host], got)
	}
	for _, list := range byHost {
		g.Go(func() error {
			for _, got := range list {
				x.understand(got)
			}
			return x.ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return x.commit(fresh)
}

// admit stores the addresses of a batch at the depths that the archive names, else at the deepest
// depth of a discovery. Links found later lower the depth.
func (x *importing) admit(batch []*answer) error {
	deepest := x.Settings.Now().Crawl.Depth
	byDepth := map[int][]store.Link{}
	redirectTargets := map[string]bool{} // targets of redirects in the batch
	for _, got := range batch {
		if target, ok := x.target(got); ok {
			redirectTargets[target] = true
		}
	}
	for _, got := range batch {
		depth, told := x.hops[got.url]
		if !told {
			depth = deepest
		}
		l := store.Link{URL: got.url}
		if redirectTargets[got.url] {
			l.Block = linkorder.RedirectBlock
		}
		byDepth[depth] = append(byDepth[depth], l)
	}
	for depth, links := range byDepth {
		if _, err := x.Store.Admit(links, depth); err != nil {
			return err
		}
	}
	for _, got := range batch {
		id, ok := x.Store.Lookup(got.url)
		if !ok {
			return fmt.Errorf("%s is missing in the database; run: angler workspace check DIR", got.url)
		}
		u, err := x.Store.URL(id)
		if err != nil {
			return err
		}
		if u == nil {
			return fmt.Errorf("url %d is missing in the database; run: angler workspace check DIR", id)
		}
		got.id, got.row = id, u
	}
	return nil
}

// compare reports whether a capture is new or newer than the stored page.
func (x *importing) compare(got *answer) (fresh bool, err error) {
	if got.old, err = x.Store.Page(got.id); err != nil || got.old == nil {
		return err == nil, err
	}
	switch {
	case got.old.Hash == store.KeyOf(got.http.Body) && got.old.Status == got.http.Status:
		x.done.Unchanged++
		return false, nil
	case got.old.Fetched.After(got.at) && !revisit.Lied(got.old.Fetched, x.Now()):
		x.done.skip("older than what is stored")
		return false, nil
	}
	return true, nil
}

// understand reads a capture as a run does, scores it and fills the store.Capture.
func (x *importing) understand(got *answer) {
	h, u := got.http, got.row
	c := &store.Capture{ID: got.id, State: store.Complete}
	c.Page = &store.Page{URL: got.url, Status: h.Status, Fetched: got.at, Changed: got.at, ETag: h.Header.Get("Etag"),
		LastModified: h.Header.Get("Last-Modified"), Hash: store.KeyOf(h.Body)}
	revisit.Note(c.Page, got.old, revisit.NoList, false)
	revisit.SetUnfinished(c.Page, true) // a list that was read before may announce other notices now
	c.Body = store.Compress(h.Body)
	got.entry = c
	if h.Status >= 300 {
		target, ok := x.target(got)
		if c.Page.Location = target; ok {
			c.Links = []store.Link{linkorder.RedirectLink(u, target)}
		}
		return
	}
	opt := page.Options{Now: got.at}
	if revisit.Lied(got.at, x.Now()) {
		opt.Now = time.Time{}
	}
	visit := reader.Discovered
	if u.Depth > x.Settings.Now().Crawl.Depth {
		visit = reader.Beyond
	}
	read, err := x.Reader.Read(got.id, page.Source{URL: got.url, ContentType: h.Header.Get("Content-Type"),
		Body: h.Body}, opt, visit)
	if moved, ok := errors.AsType[*reader.Moved](err); ok {
		if c.Page.Location = moved.URL; x.Settings.Filter().Check(moved.URL, urls.ClassOf(moved.URL)) == urls.Accepted {
			c.Links = []store.Link{linkorder.RedirectLink(u, moved.URL)}
		}
		return
	}
	if err != nil {
		got.none = err
		return
	}
	if h.Cut {
		read.Cut(x.Settings.Now().Crawl.MaxBodyMB)
	}
	got.read = read
	read.Fill(c.Page)
	s := x.Decisions.State()
	if m := s.Model; m != nil {
		c.Page.Score, c.Page.ModelRev = m.Score(&read.Doc), m.Rev
	}
	c.Terms = read.Terms()
	x.renew(got)
	c.Links = x.Links.Hints(linkorder.FoundOnPage{Page: read.Page, Score: c.Page.Score,
		Relevant: s.Relevant(&read.Doc, c.Page.Score)}, s, x.Settings.Filter())
}

// renew replaces a known notice whose text changed. The old text becomes a version.
func (x *importing) renew(got *answer) {
	if got.old == nil {
		return
	}
	n, err := x.Store.Notice(got.id)
	if err != nil || n == nil {
		return
	}
	c := got.entry
	c.Notice, c.Before = x.maker.Renewed(got.row, n,
		page.Source{URL: got.url, ContentType: got.http.Header.Get("Content-Type"), Body: got.http.Body})
	c.Versions = x.Settings.Now().Harvest.Versions
}

// target returns the redirect target of a capture; ok means that the filter accepts it.
func (x *importing) target(got *answer) (address string, ok bool) {
	location := got.http.Header.Get("Location")
	if got.http.Status < 300 || location == "" {
		return "", false
	}
	target, err := x.Reader.Resolver.Resolve(got.url, location)
	if err != nil {
		return location, false
	}
	return target, x.Settings.Filter().Check(target, urls.ClassOf(target)) == urls.Accepted
}

// commit stores a batch and publishes it.
func (x *importing) commit(batch []*answer) error {
	var captures []*store.Capture
	for _, got := range batch {
		if got.none != nil {
			x.done.skip(got.none.Error())
			got.entry = &store.Capture{ID: got.id, State: store.Exception, Fails: got.row.Fails + 1}
			errors.As(got.none, &got.entry.Failure)
			got.entry.Retry, _ = revisit.Gone.Retry(x.Now(), got.entry.Fails, 0, 0, .5)
		}
		captures = append(captures, got.entry)
	}
	if len(captures) == 0 {
		return nil
	}
	if _, err := x.Store.Commit(nil, captures); err != nil {
		return err
	}
	for _, got := range batch {
		if got.none != nil {
			continue
		}
		x.done.Pages++
		if got.read != nil {
			x.Decisions.Counted(got.id, got.read.Doc, got.read.Fingerprint)
		} else {
			x.Decisions.Left(got.id)
		}
		x.Captured.Add(got.id)
		x.Inbox.Linked()
		if n := got.entry.Notice; n != nil {
			x.done.Changed++
			x.Listener.Notice(n, true)
		}
	}
	x.progress(*x.done)
	return nil
}
