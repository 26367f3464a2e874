package crawl

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/crawl/view"
	"angler/store"
)

// AddSample makes a page a sample: a stored page, a URL (fetched now), or a
// file. fileURL is the address a file's links are completed against; "" = the
// file itself. An anti-sample ceases to be one, in the same step.
func (e *Engine) AddSample(ctx context.Context, urlOrFile, fileURL string) (view.SampleRow, error) {
	return e.mark(ctx, urlOrFile, fileURL, false)
}

// AddAnti makes a page an anti-sample, one that looks like the samples and is
// not wanted; it takes the same as AddSample. A sample ceases to be one, in the
// same step.
func (e *Engine) AddAnti(ctx context.Context, urlOrFile, fileURL string) (view.SampleRow, error) {
	return e.mark(ctx, urlOrFile, fileURL, true)
}

func (e *Engine) mark(ctx context.Context, urlOrFile, fileURL string, anti bool) (view.SampleRow, error) {
	m, title, err := e.material(ctx, urlOrFile, fileURL)
	if err != nil {
		return view.SampleRow{}, err
	}
	return e.addSample(m, title, anti)
}

func (e *Engine) addSample(m *store.Sample, title string, anti bool) (view.SampleRow, error) {
	row := view.SampleRow{URL: m.URL, Title: title, By: e.by, At: e.now(), Negative: anti}
	kind, other, what := kindSample, kindAnti, "sample "
	if anti {
		kind, other, what = other, kind, "anti-sample "
	}
	_, err := e.act(func() (*store.Event, error) {
		if err := e.contradiction(m, anti); err != nil {
			return nil, err
		}
		if err := e.ws.Decisions.PutSample(m); err != nil {
			return nil, err
		}
		mark, err := store.Set(store.FirstTopic, kind, m.URL, row)
		if err != nil {
			return nil, err
		}
		return e.ws.Decisions.Do(e.by, what+firstOf(title, m.URL), mark, store.Change{Topic: store.FirstTopic, Kind: other, Key: m.URL})
	})
	if broken := e.TopicErr(); err == nil && anti && broken != nil {
		e.note("warn", "%v", broken)
		e.publish()
	}
	return row, err
}

// contradiction reports why a page can have no such mark: an anti-sample without
// words says nothing, and of two pages with the same text one cannot be wanted
// and the other not. e.desk is held.
func (e *Engine) contradiction(m *store.Sample, anti bool) error {
	p, err := e.samplePage(m)
	if err != nil {
		return err
	}
	if !strings.ContainsFunc(p.Text, unicode.IsLetter) {
		if anti {
			return fmt.Errorf("%s has no words, so as an anti-sample it would change nothing; choose a page with text", m.URL)
		}
		return nil
	}
	rivals, is := e.anti, "an anti-sample"
	if anti {
		rivals, is = e.samples, "a sample"
	}
	for i := range rivals {
		u := rivals[i].URL
		s, err := e.ws.Decisions.Sample(u)
		if err != nil || s == nil || u == m.URL {
			continue // what it was marked before gives way; what is lost is told when words are counted
		}
		if q, err := e.samplePage(s); err == nil && q.Text == p.Text {
			return fmt.Errorf("%s reads word for word like %s, which is %s; take that mark away first: angler sample DIR rm %s", m.URL, u, is, u)
		}
	}
	return nil
}

// material gets the bytes of a future sample and checks that they are a page.
func (e *Engine) material(ctx context.Context, urlOrFile, fileURL string) (*store.Sample, string, error) {
	m := &store.Sample{Added: e.now()}
	var body []byte
	if isURL(urlOrFile) {
		canonical, err := e.resolver.Canonical(urlOrFile)
		if err != nil {
			return nil, "", fmt.Errorf("%q is no http address (%v)", urlOrFile, err)
		}
		m.URL = canonical
		if id, ok := e.ws.Lookup(canonical); ok {
			if row, err := e.ws.Page(id); err == nil && row != nil && row.Status == 200 {
				return e.storedMaterial(id)
			}
		}
		resp, err := e.fetcher.Follow(ctx, fetch.Request{URL: canonical}, 5)
		if err != nil {
			return nil, "", err
		}
		if resp.Status != 200 {
			return nil, "", fmt.Errorf("%s answered with HTTP status %d; nothing was added", canonical, resp.Status)
		}
		if u, err := e.resolver.Canonical(resp.URL); err == nil {
			m.URL = u
		}
		m.ContentType, body = resp.ContentType, resp.Body
	} else {
		b, err := readBounded(urlOrFile, e.Settings().Crawl.MaxBodyMB<<20)
		if err != nil {
			return nil, "", err
		}
		body = b
		if fileURL == "" {
			abs, err := filepath.Abs(urlOrFile)
			if err != nil {
				return nil, "", err
			}
			fileURL = "http://file.invalid" + filepath.ToSlash(abs)
		}
		if m.URL, err = e.resolver.Canonical(fileURL); err != nil {
			return nil, "", fmt.Errorf("%q is no http address (%v)", fileURL, err)
		}
	}
	p, err := page.Parse(page.Source{URL: m.URL, ContentType: m.ContentType, Body: body}, page.Options{Now: e.now(), Resolver: e.resolver})
	if err != nil {
		return nil, "", fmt.Errorf("%s cannot be a sample: %w; give the address of a list page", urlOrFile, err)
	}
	m.Body = store.Compress(body)
	return m, firstOf(p.Head, p.Title), nil
}

func (e *Engine) storedMaterial(id uint64) (*store.Sample, string, error) {
	row, err := e.ws.Page(id)
	if err != nil {
		return nil, "", err
	}
	if row == nil {
		return nil, "", fmt.Errorf("url %d has no stored page yet", id)
	}
	body, err := e.ws.Body(id, e.Settings().Crawl.MaxBodyMB<<20)
	if err != nil {
		return nil, "", err
	}
	return &store.Sample{URL: row.URL, ContentType: "text/html; charset=" + row.Charset, Body: store.Compress(body), Added: e.now()},
		firstOf(row.Head, row.Title), nil
}

func isURL(s string) bool { return strings.Contains(s, "://") }

// readBounded reads at most limit bytes of a file.
func readBounded(path string, limit int) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s; give an address with http:// or a file", path)
	}
	if st.IsDir() || st.Size() > int64(limit) {
		return nil, fmt.Errorf("%s is a folder or longer than %d MB", path, limit>>20)
	}
	return os.ReadFile(path)
}

// RemoveSample takes a sample or an anti-sample out; its material is kept, so
// that undo needs no network.
func (e *Engine) RemoveSample(raw string) error {
	key := raw
	if c, err := e.resolver.Canonical(raw); err == nil {
		key = c
	}
	row, known := e.sampleOf(key)
	if !known {
		return fmt.Errorf("%s is neither sample nor anti-sample; see: angler sample DIR list", raw)
	}
	kind, what := kindSample, "sample removed "
	if row.Negative {
		kind, what = kindAnti, "anti-sample removed "
	}
	_, err := e.act(func() (*store.Event, error) { return e.do(kind, key, what+key, nil) })
	return err
}

// Samples lists the samples and then the anti-samples, each oldest first.
func (e *Engine) Samples() []view.SampleRow {
	e.desk.Lock()
	defer e.desk.Unlock()
	rows := make([]view.SampleRow, 0, len(e.samples)+len(e.anti))
	for _, s := range slices.Concat(e.samples, e.anti) {
		rows = append(rows, s.SampleRow)
	}
	return rows
}

// sampleOf returns the sample or anti-sample with a canonical URL.
func (e *Engine) sampleOf(canonical string) (view.SampleRow, bool) {
	for _, row := range e.Samples() {
		if row.URL == canonical {
			return row, true
		}
	}
	return view.SampleRow{}, false
}

// ToggleSample makes a stored page a sample or takes it out again, and reports
// whether it is one now.
func (e *Engine) ToggleSample(id uint64) (bool, error) { return e.toggle(id, false) }

// ToggleAnti does the same with an anti-sample.
func (e *Engine) ToggleAnti(id uint64) (bool, error) { return e.toggle(id, true) }

func (e *Engine) toggle(id uint64, anti bool) (bool, error) {
	u, err := e.ws.URL(id)
	if err != nil {
		return false, err
	}
	if u == nil {
		return false, fmt.Errorf("url %d is unknown", id)
	}
	if row, known := e.sampleOf(u.URL); known && row.Negative == anti {
		return false, e.RemoveSample(u.URL)
	}
	m, title, err := e.storedMaterial(id)
	if err != nil {
		return false, err
	}
	_, err = e.addSample(m, title, anti)
	return err == nil, err
}
