package decisions

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"angler/crawl/auth"
	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/message"
	"angler/store"
)

// sampleHops is how many redirects lead to a sample at most.
const sampleHops = 5

// AddSample makes a sample of a stored page, a URL (fetched now), or a file. fileURL is the base
// address of a file's links; "": the file itself. A negative sample loses that mark in the same
// step.
func (t *Topic) AddSample(ctx context.Context, urlOrFile, fileURL string) (SampleRow, error) {
	return t.mark(ctx, auth.AddSample, urlOrFile, fileURL)
}

// AddNegative makes a negative sample: a page that resembles the samples but is not wanted. Its
// arguments are those of AddSample. A sample loses that mark in the same step.
func (t *Topic) AddNegative(ctx context.Context, urlOrFile, fileURL string) (SampleRow, error) {
	return t.mark(ctx, auth.AddNegative, urlOrFile, fileURL)
}

func (t *Topic) mark(ctx context.Context, do auth.Action, urlOrFile, fileURL string) (SampleRow, error) {
	if err := t.May(do); err != nil {
		return SampleRow{}, err
	}
	if !t.Opens(urlOrFile) {
		return SampleRow{}, errors.New("over SSH a sample is a URL that begins with http:// or https://")
	}
	m, title, err := t.d.material(ctx, urlOrFile, fileURL)
	if err != nil {
		return SampleRow{}, err
	}
	return t.addSample(m, title, do == auth.AddNegative)
}

// line is the line of the log that says who was made a sample.
func (r *SampleRow) line() message.Text {
	name := cmp.Or(r.Title, r.URL)
	if r.Negative {
		return message.Of("negative sample %s", name)
	}
	return message.Of("sample %s", name)
}

func (t *Topic) addSample(m *store.Sample, title string, negative bool) (SampleRow, error) {
	d := t.d
	row := SampleRow{URL: m.URL, Title: title, By: t.Name, At: d.Now(), Negative: negative}
	kind, other := kindSample, kindNegative
	if negative {
		kind, other = other, kind
	}
	err := d.act(func(s *State, log *store.Decisions) (*store.Event, error) {
		if err := d.contradiction(s, m, negative); err != nil {
			return nil, err
		}
		if err := d.Store.Decisions.PutSample(m); err != nil {
			return nil, err
		}
		return log.Do(t.Name, row.line(),
			s.answered([]store.Change{d.set(kind, m.URL, row), d.set(other, m.URL, nil)})...)
	})
	if broken := d.State().Err(); err == nil && negative && broken != nil {
		d.Events.Note("warn", "%v", broken)
	}
	return row, err
}

// contradiction reports why a page cannot get a mark. A negative sample without words would change
// nothing. Pages with the same text cannot be sample and negative sample.
func (d *Decisions) contradiction(now *State, m *store.Sample, negative bool) error {
	p, err := d.Reader.Sample(m)
	if err != nil {
		return err
	}
	if !strings.ContainsFunc(p.Text, unicode.IsLetter) {
		if negative {
			return fmt.Errorf("%s has no words, so as a negative sample it would change nothing; choose a page with text", m.URL)
		}
		return nil
	}
	rivals, is := now.Negative, "a negative sample"
	if negative {
		rivals, is = now.Samples, "a sample"
	}
	for i := range rivals {
		u := rivals[i].URL
		s, err := d.Store.Decisions.Sample(u)
		if err != nil || s == nil || u == m.URL {
			continue // the old mark is replaced; lost material is reported when words are counted
		}
		if q, err := d.Reader.Sample(s); err == nil && q.Text == p.Text {
			return fmt.Errorf("%s reads word for word like %s, which is %s; take that mark away first: angler samples remove DIR %s", m.URL, u, is, u)
		}
	}
	return nil
}

// material fetches or reads the bytes of a new sample and checks that they are a page.
func (d *Decisions) material(ctx context.Context, urlOrFile, fileURL string) (*store.Sample, string, error) {
	m := &store.Sample{Added: d.Now()}
	var body []byte
	if isURL(urlOrFile) {
		canonical, err := d.Reader.Resolver.Canonical(urlOrFile)
		if err != nil {
			return nil, "", fmt.Errorf("%q is not a URL; write http://HOST/PATH", urlOrFile)
		}
		m.URL = canonical
		if id, ok := d.Store.Lookup(canonical); ok {
			if row, err := d.Store.Page(id); err == nil && row != nil && row.Status == 200 {
				return d.storedMaterial(id)
			}
		}
		resp, err := d.Fetch.Follow(ctx, fetch.Request{URL: canonical}, sampleHops)
		if broken, ok := errors.AsType[*fetch.Error](err); ok && broken.Kind == fetch.Body {
			resp, err = d.Fetch.Follow(ctx, fetch.Request{URL: canonical, Parts: true}, sampleHops)
		}
		if err != nil {
			return nil, "", err
		}
		if resp.Status != 200 {
			return nil, "", fmt.Errorf("%s answered with HTTP status %d; nothing was added", canonical, resp.Status)
		}
		if u, err := d.Reader.Resolver.Canonical(resp.URL); err == nil {
			m.URL = u
		}
		m.ContentType, body = resp.ContentType, resp.Body
	} else {
		b, err := fetch.ReadFile(urlOrFile, d.Reader.MaxBody())
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
		if m.URL, err = d.Reader.Resolver.Canonical(fileURL); err != nil {
			return nil, "", fmt.Errorf("%q is not a URL; write http://HOST/PATH", fileURL)
		}
	}
	if len(strings.TrimSpace(string(body))) == 0 {
		return nil, "", fmt.Errorf("%s is empty; give the address of a list page, or a file that holds one", urlOrFile)
	}
	p, err := page.Parse(page.Source{URL: m.URL, ContentType: m.ContentType, Body: body},
		page.Options{Now: d.Now(), Resolver: d.Reader.Resolver})
	if bytes.IndexByte(body, '<') < 0 && (err != nil || p.Type != page.List) { // a JSON Feed is a list
		return nil, "", fmt.Errorf("%s cannot be a sample: %w: it is plain text; give the address of a list page",
			urlOrFile, page.ErrNotHTML)
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s cannot be a sample: %w; give the address of a list page", urlOrFile, err)
	}
	m.Body = store.Compress(body)
	return m, cmp.Or(p.Head, p.Title), nil
}

func (d *Decisions) storedMaterial(id uint64) (*store.Sample, string, error) {
	row, err := d.Store.Page(id)
	if err != nil {
		return nil, "", err
	}
	if row == nil {
		return nil, "", fmt.Errorf("url %d has no stored page yet", id)
	}
	body, err := d.Store.Body(id, d.Reader.MaxBody())
	if err != nil {
		return nil, "", err
	}
	if body == nil {
		return nil, "", fmt.Errorf("the body of page %d is not stored, or damaged", id)
	}
	return &store.Sample{URL: row.URL, ContentType: "text/html; charset=" + row.Charset, Body: store.Compress(body),
			Added: d.Now()},
		cmp.Or(row.Head, row.Title), nil
}

func isURL(s string) bool { return strings.Contains(s, "://") }

// RemoveSample removes a sample or negative sample; its material is kept, so that undo needs no
// network.
func (t *Topic) RemoveSample(raw string) error {
	if err := t.May(auth.Sample); err != nil {
		return err
	}
	key := raw
	if c, err := t.d.Reader.Resolver.Canonical(raw); err == nil {
		key = c
	}
	row, known := t.d.State().Mark(key)
	if !known {
		return fmt.Errorf("%s is neither sample nor negative sample; see: angler samples list DIR", raw)
	}
	if row.Negative {
		return t.d.apply(t.Name, message.Of("negative sample removed %s", key), t.d.set(kindNegative, key, nil))
	}
	return t.d.apply(t.Name, message.Of("sample removed %s", key), t.d.set(kindSample, key, nil))
}

// Samples lists the samples and then the negative samples, each oldest first.
func (t *Topic) Samples() []SampleRow { return t.d.State().Marks() }

// ToggleSample makes a stored page a sample or removes that, and reports whether it is one now.
// Before it removes an old sample or another person's, it returns a *UndoQuestion; RemoveSample is
// the answer.
func (t *Topic) ToggleSample(id uint64) (bool, error) { return t.toggle(auth.Sample, id) }

// ToggleNegative does the same with a negative sample.
func (t *Topic) ToggleNegative(id uint64) (bool, error) { return t.toggle(auth.Negative, id) }

func (t *Topic) toggle(do auth.Action, id uint64) (bool, error) {
	if err := t.May(do); err != nil {
		return false, err
	}
	negative := do == auth.Negative
	address, err := t.d.address(id)
	if err != nil {
		return false, err
	}
	if row, known := t.d.State().Mark(address); known && row.Negative == negative {
		if err := t.d.asksFirst(t.Name, row.By, row.At, row.line()); err != nil {
			return true, err
		}
		return false, t.RemoveSample(address)
	}
	m, title, err := t.d.storedMaterial(id)
	if err != nil {
		return false, err
	}
	_, err = t.addSample(m, title, negative)
	return err == nil, err
}
