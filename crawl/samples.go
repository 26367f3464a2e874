package crawl

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/store"
)

// AddSample makes a page a sample: a stored page, a URL (fetched now), or a
// file. fileURL is the address a file's links are completed against; "" = the
// file itself.
func (e *Engine) AddSample(ctx context.Context, urlOrFile, fileURL string) (SampleRow, error) {
	m, title, err := e.material(ctx, urlOrFile, fileURL)
	if err != nil {
		return SampleRow{}, err
	}
	return e.addSample(m, title)
}

func (e *Engine) addSample(m *store.Sample, title string) (SampleRow, error) {
	row := SampleRow{URL: m.URL, Title: title, By: e.by, At: e.now()}
	_, err := e.act(func() (*store.Event, error) {
		if err := e.ws.PutSample(m); err != nil {
			return nil, err
		}
		return e.do(kindSample, m.URL, "sample "+firstOf(title, m.URL), row)
	})
	return row, err
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

// RemoveSample takes a sample out; its material is kept, so that undo needs no
// network.
func (e *Engine) RemoveSample(raw string) error {
	key := raw
	if c, err := e.resolver.Canonical(raw); err == nil {
		key = c
	}
	e.desk.Lock()
	known := slices.ContainsFunc(e.samples, func(s sample) bool { return s.URL == key })
	e.desk.Unlock()
	if !known {
		return fmt.Errorf("%s is no sample; see: angler sample DIR list", raw)
	}
	_, err := e.act(func() (*store.Event, error) {
		return e.do(kindSample, key, "sample removed "+key, nil)
	})
	return err
}

// Samples lists the samples, oldest first.
func (e *Engine) Samples() []SampleRow {
	e.desk.Lock()
	defer e.desk.Unlock()
	rows := make([]SampleRow, len(e.samples))
	for i, s := range e.samples {
		rows[i] = SampleRow{URL: s.URL, Title: s.Title, By: s.By, At: s.At}
	}
	return rows
}

// ToggleSample makes a stored page a sample or takes it out again, and reports
// whether it is one now.
func (e *Engine) ToggleSample(id uint64) (bool, error) {
	u, err := e.ws.URL(id)
	if err != nil {
		return false, err
	}
	if u == nil {
		return false, fmt.Errorf("url %d is unknown", id)
	}
	e.desk.Lock()
	is := slices.ContainsFunc(e.samples, func(s sample) bool { return s.URL == u.URL })
	e.desk.Unlock()
	if is {
		return false, e.RemoveSample(u.URL)
	}
	m, title, err := e.storedMaterial(id)
	if err != nil {
		return false, err
	}
	_, err = e.addSample(m, title)
	return err == nil, err
}
