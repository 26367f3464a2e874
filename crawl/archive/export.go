package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"angler/crawl/jobs"
	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/warc"
)

// Exported counts the records of an export.
type Exported struct {
	Pages   int // pages with a body
	Bodies  int // pages without a stored body, of which only metadata was written
	Records int
	Bytes   int64
}

// Export writes all stored pages as an archive to w. It writes the index of its responses to index;
// nil = no index. name is the archive's name in the index. A page's metadata says what was not
// kept: headers are rebuilt, a body may be trimmed or missing. Scores are those of the current
// model; wait for Words first.
func (a *Archive) Export(ctx context.Context, w io.Writer, index io.Writer, name string) (Exported, error) {
	return a.export(ctx, w, index, name, func() {})
}

// export is Export that calls step after each page.
func (a *Archive) export(ctx context.Context, w io.Writer, index io.Writer, name string,
	step func()) (Exported, error) {
	x := &exporting{Archive: a, w: warc.NewWriter(w), index: warc.NewIndex(), name: name, scores: a.scores()}
	defer x.index.Close()
	if err := x.info(); err != nil {
		return x.done, err
	}
	for p, err := range jobs.Until(ctx, a.Store.Pages()) {
		if err == nil {
			err = x.page(p)
		}
		if err != nil {
			return x.done, err
		}
		step()
	}
	if index == nil {
		return x.done, nil
	}
	_, err := x.index.WriteTo(index)
	return x.done, err
}

// exporting is one export in progress.
type exporting struct {
	*Archive
	w      *warc.Writer
	index  *warc.Index
	name   string
	infoID string
	scores func(id uint64) (score float64, list bool)
	done   Exported
}

// scores returns a snapshot of scores and aggregation pages.
func (a *Archive) scores() func(uint64) (float64, bool) {
	now := a.Decisions.Scores()
	lists := a.Decisions.Lists()
	return func(id uint64) (float64, bool) {
		s, _ := now.Of(id)
		return s, lists[id]
	}
}

func (x *exporting) write(
	kind, id string, at time.Time, block []byte, fields ...warc.Field,
) (offset, length int64, err error) {
	fields = append(fields, warc.Field{Name: "WARC-Warcinfo-ID", Value: x.infoID})
	offset, length, err = x.w.Write(kind, id, at, block, fields...)
	x.done.Records++
	x.done.Bytes = offset + length
	return offset, length, err
}

func (x *exporting) info() error {
	set := x.Settings.Now()
	id := warc.NewID()
	_, _, err := x.write(warc.Info, id, x.Now(), warc.Lines(
		warc.Field{Name: "software", Value: "angler/" + config.Version},
		warc.Field{Name: "format", Value: "WARC File Format 1.1"},
		warc.Field{Name: "conformsTo", Value: "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"},
		warc.Field{Name: "isPartOf", Value: set.Name},
		warc.Field{Name: "http-header-user-agent", Value: set.Crawl.UserAgent},
		warc.Field{Name: "description", Value: "the stored pages of an angler workspace; headers are put together from what is kept of them"},
	), warc.Field{Name: "WARC-Filename", Value: x.name},
		warc.Field{Name: "Content-Type", Value: "application/warc-fields"})
	x.infoID = id
	return err
}

const (
	requestType  = "application/http; msgtype=request"
	responseType = "application/http; msgtype=response"
)

// page writes the records of a stored page. Metadata comes first, so that one pass over the archive
// knows the depth before the page.
func (x *exporting) page(p *store.Page) error {
	body, err := x.Store.Body(p.ID, x.Reader.MaxBody())
	if err != nil && !errors.Is(err, store.ErrTooLong) {
		return err
	}
	why, cut := "", ""
	switch {
	case err != nil:
		why = "missing: it is longer than crawl.max_body_mb allows to read"
	case body == nil && (p.Location != "" || p.Hash == store.KeyOf("")): // a redirect has no body
		body = []byte{}
	case body == nil:
		why = "missing: it is not kept"
	case p.Truncated:
		why, cut = "trimmed: "+p.Limits, "length"
	}
	at := p.Fetched
	if at.IsZero() {
		at = x.Now()
	}
	target := warc.Field{Name: "WARC-Target-URI", Value: p.URL}
	answer := warc.NewID()
	if body == nil {
		answer = ""
	}
	if _, _, err := x.write(warc.Metadata, warc.NewID(), at, x.metadata(p, why), target,
		warc.Field{Name: "WARC-Concurrent-To", Value: answer},
		warc.Field{Name: "Content-Type", Value: "application/warc-fields"}); err != nil {
		return err
	}
	if body == nil {
		x.done.Bodies++
		return nil
	}
	request, err := http.NewRequest(http.MethodGet, p.URL, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", p.URL, err)
	}
	ask := "GET " + request.URL.RequestURI() + " HTTP/1.1\r\nHost: " + request.URL.Host + "\r\nUser-Agent: " +
		x.Settings.Now().Crawl.UserAgent + "\r\n\r\n"
	if _, _, err := x.write(warc.Request, warc.NewID(), at, []byte(ask), target,
		warc.Field{Name: "WARC-Concurrent-To", Value: answer},
		warc.Field{Name: "Content-Type", Value: requestType}); err != nil {
		return err
	}
	kind := contentType(p, x.Store.TermsOf(p.ID))
	digest := warc.Digest(body)
	offset, length, err := x.write(warc.Response, answer, at, httpOf(p, kind, body), target,
		warc.Field{Name: "WARC-Payload-Digest", Value: digest},
		warc.Field{Name: "WARC-Truncated", Value: cut}, warc.Field{Name: "Content-Type", Value: responseType})
	if err != nil {
		return err
	}
	x.done.Pages++
	mime, _, _ := strings.Cut(kind, ";")
	return x.index.Add(at, warc.At(p.URL, mime, p.Status, digest, offset, length, x.name))
}

// metadata returns the metadata record of a page; why explains a missing or trimmed body.
func (x *exporting) metadata(p *store.Page, why string) []byte {
	score, list := x.scores(p.ID)
	var depth int
	var via string
	if u, err := x.Store.URL(p.ID); err == nil && u != nil {
		depth = u.Depth
		if from, err := x.Store.URL(u.Source); err == nil && from != nil && u.Source != 0 {
			via = from.URL
		}
	}
	f := []warc.Field{{Name: fieldHops, Value: strings.Repeat("L", min(depth, 1000))}, {Name: fieldVia, Value: via},
		{Name: fieldBody, Value: why},
		{Name: fieldHeader, Value: "put together from what is kept of it"}, {Name: fieldTitle, Value: p.Title}}
	if p.Location == "" {
		f = append(f, warc.Field{Name: fieldType, Value: page.Type(p.Type).String()},
			warc.Field{Name: fieldScore, Value: strconv.FormatFloat(view.Round(score), 'f', -1, 64)},
			warc.Field{Name: fieldList, Value: strconv.FormatBool(list)},
			warc.Field{Name: fieldDate, Value: view.PageRowOf(p, 0).Date},
			warc.Field{Name: fieldLabel, Value: string(x.Decisions.State().Labels[p.ID])})
	}
	return append(warc.Lines(f...), hopsOfSeed(depth)...)
}

// hopsOfSeed returns the empty hops field of a seed, because Lines omits empty values.
func hopsOfSeed(depth int) []byte {
	if depth == 0 {
		return []byte(fieldHops + ": \r\n")
	}
	return nil
}

// contentType returns the content type for reading a stored page again.
func contentType(p *store.Page, terms []byte) string {
	kind := "text/html"
	if m, ok := reader.DecodeMarks(terms); ok && m.Plain {
		kind = "text/plain"
	}
	if p.Charset != "" {
		kind += "; charset=" + p.Charset
	}
	return kind
}

// httpOf rebuilds the HTTP response of a stored page.
func httpOf(p *store.Page, kind string, body []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", p.Status, http.StatusText(p.Status))
	put := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\r\n", name, strings.Map(func(r rune) rune {
				if r < ' ' || r == 0x7f {
					return ' '
				}
				return r
			}, value))
		}
	}
	put("Content-Type", kind)
	put("Content-Length", strconv.Itoa(len(body)))
	put("Location", p.Location)
	put("ETag", p.ETag)
	put("Last-Modified", p.LastModified)
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}
