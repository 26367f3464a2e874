package workers

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/s2"

	"angler/crawl/article"
	"angler/crawl/fetch"
	"angler/crawl/htmldoc"
	"angler/crawl/listpage"
	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/crawl/urls"
	"angler/crawl/webtest"
	"angler/dict"
	"angler/store"
	"angler/store/config"
)

var now = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// newReader returns a reader of an empty workspace.
func newReader(t *testing.T, resolver *urls.Resolver) *reader.Reader {
	dir := t.TempDir() + "/ws"
	must(t, store.Create(dir, config.Default()))
	ws, err := store.Open(dir)
	must(t, err)
	t.Cleanup(func() { ws.Close() })
	r := reader.New(reader.Config{Store: ws, Lexicon: dict.NewLexicon(nil), Resolver: resolver,
		Now: func() time.Time { return now }, MaxBody: func() int { return 1 << 20 }})
	r.UseDict(dict.Shared())
	return r
}

// documents are some pages of the demo web, hosts in turn.
func documents(t testing.TB, n int) (out []*fetch.Response) {
	web, err := webtest.Demo(webtest.Options{Pages: 2000, Hosts: 6})
	must(t, err)
	for truth := range web.Truths() {
		r := httptest.NewRequest(http.MethodGet, truth.URL, nil)
		w := httptest.NewRecorder()
		web.ServeHTTP(w, r)
		if w.Code != 200 {
			continue
		}
		out = append(out, &fetch.Response{URL: truth.URL, Status: 200, ContentType: w.Header().Get("Content-Type"), ETag: `"e"`, Body: w.Body.Bytes(), Took: time.Millisecond})
	}
	rand.New(rand.NewPCG(7, 9)).Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out[:min(n, len(out))]
}

// What a worker sends back must give the very rows, words and links that reading the same
// page here gives.
func TestWhatComesBackIsWhatReadingHereGives(t *testing.T) {
	resolver := urls.NewResolver(1 << 12)
	here, there := newReader(t, resolver), newReader(t, resolver)
	lexicon := dict.NewLexicon(nil) // the worker's
	docs := documents(t, 400)
	if len(docs) < 300 {
		t.Fatalf("%d documents", len(docs))
	}
	limits, noticed := 0, 0
	announced := page.Announced{Method: "auto", Title: "公告", Date: article.Date{Time: now.UTC(), Precision: article.Day}}
	for i, doc := range docs {
		id := uint64(i + 1)
		visit := reader.Visit(i % 3)
		src := page.Source{URL: doc.URL, ContentType: doc.ContentType, Body: doc.Body}
		want, wantErr := here.Read(id, src, page.Options{}, visit)

		frame := there.Frame(doc.URL)
		job := &pageJob{Lease: id, Request: fetch.Request{URL: doc.URL}, Address: doc.URL, Host: urls.HostOf(doc.URL), Page: true, Now: now, Words: dict.Shared().Fingerprint(), Frame: frame, Notice: &announced}
		asked, err := decodeJob(job.encode())
		must(t, err)
		if !reflect.DeepEqual(asked, job) {
			t.Fatalf("the job came as\n%+v, not\n%+v", asked, job)
		}
		draft, err := reader.NewDraft(src, page.Options{Now: asked.Now, Resolver: resolver, Notice: asked.Notice}, asked.Frame, dict.Shared(), lexicon)
		must(t, err)
		sent := &jobResult{Lease: id, Response: doc, Draft: draft, Host: hostFacts{CrawlDelay: time.Second, Address: netip.MustParseAddr("192.0.2.7"), Sitemaps: []string{"http://a.test/map.xml"}}}
		came, err := decodeJobResult(sent.Encode(), 1<<20, there.Lexicon)
		if err != nil {
			t.Fatalf("%s: %v", doc.URL, err)
		}
		if !reflect.DeepEqual(came.Response, doc) || !reflect.DeepEqual(came.Host, sent.Host) {
			t.Fatalf("the answer came as %+v", came)
		}
		if !there.Fits(came.Draft) {
			t.Fatalf("%s: the draft does not fit", doc.URL)
		}
		if came.Draft.Body == nil || !bytes.Equal(came.Draft.Body, store.Compress(doc.Body)) {
			t.Fatalf("%s: the body is not as it is stored", doc.URL)
		}
		got, gotErr := there.Take(id, came.Draft, came.Response.ContentType, visit)
		if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
			t.Fatalf("%s: %v, here %v", doc.URL, gotErr, wantErr)
		}
		if wantErr != nil {
			continue
		}
		if n := got.Page.Notice; n != nil {
			noticed++
			p, err := there.Look(src, announced.Options())
			must(t, err)
			if n.Title != p.Title || !n.Date.Time.Equal(p.Date.Time) || n.Date.Precision != p.Date.Precision || n.Main != p.Main || n.MainMethod != p.MainMethod || !slices.Equal(n.Attachments, p.Attachments) {
				t.Fatalf("%s: notice\n%+v, here\n%+v", doc.URL, n, p)
			}
		}
		limits += len(want.Page.Limits)
		if !bytes.Equal(got.Terms(), want.Terms()) {
			t.Fatalf("%s: other words", doc.URL)
		}
		if !reflect.DeepEqual(got.Doc, want.Doc) {
			t.Fatalf("%s: scored as\n%+v, here\n%+v", doc.URL, got.Doc, want.Doc)
		}
		var a, b store.Page
		got.Fill(&a)
		want.Fill(&b)
		if x, y := asJSON(t, a), asJSON(t, b); x != y {
			t.Fatalf("%s: row\n%s, here\n%s", doc.URL, x, y)
		}
		got.Page.Notice = nil
		here := *want.Page
		here.Text, here.Links = "", slices.Clone(here.Links)
		for i := range here.Links {
			if here.Links[i].URL != "" {
				here.Links[i].Href = ""
			}
		}
		if x, y := unfilled.Replace(asJSON(t, got.Page)), unfilled.Replace(asJSON(t, &here)); x != y {
			t.Fatalf("%s: page\n%s, here\n%s", doc.URL, x, y)
		}
	}
	if noticed < 100 {
		t.Errorf("only %d notices were taken as they were read elsewhere", noticed)
	}
	must(t, here.Settled())
	must(t, there.Settled())
	hosts := map[string]bool{}
	for _, doc := range docs {
		hosts[urls.HostOf(doc.URL)] = true
	}
	if a, b := learned(t, here, hosts), learned(t, there, hosts); !reflect.DeepEqual(a, b) || len(a) == 0 {
		t.Errorf("other things were learned of the hosts")
	}
}

// unfilled makes one of lists that are empty and lists that are not there.
var unfilled = strings.NewReplacer(":[]", ":null", `:""`, ":null")

// learned returns the stored profiles of hosts: the pages of their samples, and bytes.
func learned(t *testing.T, r *reader.Reader, hosts map[string]bool) map[string]string {
	out := map[string]string{}
	for name := range hosts {
		v := r.Store.Host(name)
		if v == nil {
			continue
		}
		var b page.Boilerplate
		must(t, b.UnmarshalBinary(v))
		out[name] = fmt.Sprint(b.Pages(), len(v))
	}
	return out
}

func asJSON(t *testing.T, v any) string {
	b, err := json.Marshal(v)
	must(t, err)
	return string(b)
}

// left are the fields that stay behind, by type; all others must travel.
var left = map[reflect.Type][]string{
	reflect.TypeFor[page.Page]():               {"Text", "Main", "MainMethod", "Attachments", "Tables", "Notice"},
	reflect.TypeFor[reader.Draft]():            {},
	reflect.TypeFor[fetch.Response]():          {},
	reflect.TypeFor[fetch.Report]():            {},
	reflect.TypeFor[fetch.Request]():           {},
	reflect.TypeFor[htmldoc.Link]():            {"Href"}, // see below
	reflect.TypeFor[htmldoc.Block]():           {},
	reflect.TypeFor[listpage.Record]():         {},
	reflect.TypeFor[listpage.PageRequest]():    {},
	reflect.TypeFor[listpage.MissingEntries](): {},
	reflect.TypeFor[page.HostSample]():         {},
	reflect.TypeFor[reader.Word]():             {"ID", "Known"},
}

// A new field of what travels is declared here: filled with something in
// every field, a message must come out as it went in.
func TestEveryFieldTravels(t *testing.T) {
	r := &jobResult{Lease: 9, Response: new(fetch.Response), Draft: &reader.Draft{Page: new(page.Page), Notice: new(page.Notice)}}
	for _, v := range []any{r.Response, r.Draft, &r.Host} {
		fill(reflect.ValueOf(v).Elem(), 0)
	}
	r.Draft.None, r.Response.Status, r.Draft.Profile = store.Failure{}, 301, nil
	r.Response.ETag, r.Response.ContentType, r.Response.LastModified = `"x"`, "text/html", "yesterday"
	for _, l := range []*[]string{&r.Draft.Page.Scripts} {
		(*l)[0] = "http://a.test/x.js"
	}
	r.Response.URL, r.Draft.Page.URL, r.Draft.Page.Links[0].URL, r.Draft.Page.Records[0].URL, r.Draft.Page.Turns[0].URL = "http://a.test/", "http://a.test/", "http://a.test/1", "http://a.test/2", "http://a.test/3"
	r.Draft.Page.Links = append(r.Draft.Page.Links, htmldoc.Link{Href: "mailto:a", Block: -1})
	r.Draft.Page.Links[0].Block, r.Draft.Page.Records[0].Link, r.Draft.Page.Blocks[0].Parent = 0, 0, -1
	r.Draft.Notice.Announced, r.Draft.Notice.Attachments[0].URL = page.Announced{}, "http://a.test/x.pdf" // the owner knows the former
	r.Draft.Body = store.Compress(r.Response.Body)
	got, err := decodeJobResult(r.Encode(), 1<<20, nil)
	must(t, err)
	got.Host.Address, r.Host.Address = netip.Addr{}, netip.Addr{}
	if x, y := asJSON(t, got), asJSON(t, r); x != y {
		t.Errorf("came out as\n%s, went in as\n%s", x, y)
	}
	f := &jobResult{Failed: fetch.Report{Kind: fetch.RobotsUnavailable, Under: fetch.DNS, Cause: "gone", NoSuchHost: true, RetryAfter: time.Second}}
	if got, err := decodeJobResult(f.Encode(), 1, nil); err != nil || got.Failed != f.Failed {
		t.Errorf("failure %+v, %v", got, err)
	}
	if got, err := decodeJobResult((&jobResult{Left: true}).Encode(), 1, nil); err != nil || !got.Left || got.Response != nil || got.Failed != (fetch.Report{}) {
		t.Errorf("left to the owner: %+v, %v", got, err)
	}
	j := &pageJob{Page: true, Notice: new(page.Announced)}
	fill(reflect.ValueOf(j).Elem(), 0)
	j.Address, j.Request.URL = "http://a.test/", "http://a.test/"
	if got, err := decodeJob(j.encode()); err != nil || asJSON(t, got) != asJSON(t, j) {
		t.Errorf("job %+v, %v", got, err)
	}
}

// fill puts something into every field that travels.
func fill(v reflect.Value, depth int) {
	switch {
	case depth > 6:
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 8*3600))))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; v.Field(i).CanSet() && !slices.Contains(left[v.Type()], name) {
				fill(v.Field(i), depth+1)
			}
		}
	case v.Kind() == reflect.Pointer && !v.IsNil():
		fill(v.Elem(), depth+1)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), depth+1)
	case v.Kind() == reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("X-A"), reflect.ValueOf("b"))
	case v.Kind() == reflect.String:
		v.SetString("文x")
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(1)
	case v.CanUint():
		v.SetUint(1)
	case v.CanFloat():
		v.SetFloat(.5)
	}
}

func TestHostileMessagesAreRefused(t *testing.T) {
	good := func() *jobResult {
		return &jobResult{Lease: 1, Response: &fetch.Response{URL: "http://a.test/", Status: 200, Body: []byte("x")},
			Draft: &reader.Draft{Page: &page.Page{URL: "http://a.test/", Blocks: []htmldoc.Block{{Parent: -1}}, Links: []htmldoc.Link{{URL: "http://a.test/1"}}}, Full: []reader.Word{{Text: "采购", N: 1}}}}
	}
	if _, err := decodeJobResult(good().Encode(), 1, nil); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*jobResult){
		"a body too long":                      func(r *jobResult) { r.Response.Body = []byte("xy") },
		"a status that means nothing":          func(r *jobResult) { r.Response.Status = 99 },
		"a header with a line break":           func(r *jobResult) { r.Response.ContentType = "a\r\nb" },
		"a target without a redirect":          func(r *jobResult) { r.Response.Location = "http://b.test/" },
		"a link that is no web address":        func(r *jobResult) { r.Draft.Page.Links[0].URL = "file:///etc/passwd" },
		"a link with another spelling":         func(r *jobResult) { r.Draft.Page.Links[0].URL = "http://A.test/" },
		"a link with a space":                  func(r *jobResult) { r.Draft.Page.Links[0].URL = "http://a.test/ x" },
		"a page without an address":            func(r *jobResult) { r.Draft.Page.URL = "" },
		"a block that is not there":            func(r *jobResult) { r.Draft.Page.Links[0].Block = 1 },
		"a block within itself":                func(r *jobResult) { r.Draft.Page.Blocks[0].Parent = 0 },
		"a record without its link":            func(r *jobResult) { r.Draft.Page.Records = []listpage.Record{{Link: 1}} },
		"more dated records than records":      func(r *jobResult) { r.Draft.Page.Dated = 1 },
		"a share that is none":                 func(r *jobResult) { r.Draft.Page.Beta = -1 },
		"a text that is no UTF-8":              func(r *jobResult) { r.Draft.Page.Title = "\xff" },
		"a word that does not occur":           func(r *jobResult) { r.Draft.Full[0].N = 0 },
		"a word without letters":               func(r *jobResult) { r.Draft.Full[0].Text = "" },
		"a word too long":                      func(r *jobResult) { r.Draft.Full[0].Text = string(bytes.Repeat([]byte("x"), 200)) },
		"a page and why it is none":            func(r *jobResult) { r.Draft.None.Kind = store.FailedNoPage },
		"an error of an unknown kind":          func(r *jobResult) { r.Response, r.Draft, r.Failed.Kind = nil, nil, "bribed" },
		"a failed login, which is the owner's": func(r *jobResult) { r.Response, r.Draft, r.Failed.Kind = nil, nil, fetch.Login },
		"a page without an answer":             func(r *jobResult) { r.Response, r.Failed.Kind = nil, fetch.DNS },
	} {
		r := good()
		spoil(r)
		if got, err := decodeJobResult(r.Encode(), 1, nil); err == nil {
			t.Errorf("%s was taken: %+v", name, got)
		}
	}
	b := good().Encode()
	for i := range len(b) {
		if _, err := decodeJobResult(b[:i], 1, nil); err == nil {
			t.Errorf("the first %d of %d bytes were taken", i, len(b))
		}
	}
	fields, body := parts(t, b)
	if _, err := decodeJobResult(message(append(fields, 0), body), 1, nil); err == nil {
		t.Error("something behind the last field was taken")
	}
	for name, body := range map[string][]byte{
		"no body": nil, "a body of an unknown form": {9}, "a body that does not unpack": {store.BodyForm, 1, 0xf0},
		"a body of another form": {0x28, 0xb5, 0x2f, 0xfd, 0, 0x58, 9, 0, 0, 'x'},
		"a bomb":                 store.Compress(make([]byte, 2)),
	} {
		if got, err := decodeJobResult(message(fields, body), 1, nil); err == nil {
			t.Errorf("%s was taken: %+v", name, got)
		}
	}
	b[0]++
	if _, err := decodeJobResult(b, 1, nil); !errors.Is(err, errProtocol) {
		t.Errorf("another protocol: %v", err)
	}
	bomb := message(make([]byte, maxResultExtra+2), nil)
	if _, err := decodeJobResult(bomb, 1, nil); !errors.Is(err, errTooLong) {
		t.Errorf("%d bytes that become %d: %v", len(bomb), maxResultExtra+2, err)
	}
}

// message has fields that it need not have, parts takes them out of one.
func message(fields, body []byte) []byte {
	packed := s2.Encode(nil, fields)
	return slices.Concat([]byte{wireProtocol}, binary.AppendUvarint(nil, uint64(len(packed))), packed, body)
}

func parts(t testing.TB, b []byte) (fields, body []byte) {
	t.Helper()
	size, n := binary.Uvarint(b[1:])
	fields, err := s2.Decode(nil, b[1+n:][:size])
	must(t, err)
	return fields, b[1+n:][size:]
}

func FuzzDecodeResult(f *testing.F) {
	r := &jobResult{Lease: 1, Response: &fetch.Response{URL: "http://a.test/", Status: 200, Body: []byte("<p>")},
		Draft: &reader.Draft{Page: &page.Page{URL: "http://a.test/", Links: []htmldoc.Link{{URL: "http://a.test/1", Block: -1}}}}}
	fields, body := parts(f, r.Encode())
	f.Add(fields, body)
	f.Add((&pageJob{}).encode(), []byte(nil))
	f.Fuzz(func(t *testing.T, fields, body []byte) {
		r, err := decodeJobResult(message(fields, body), 1<<16, nil)
		if err != nil {
			return
		}
		if r.Draft != nil { // the same bytes can be packed in several ways
			r.Draft.Body = store.Compress(r.Response.Body)
		}
		again, err := decodeJobResult(r.Encode(), 1<<16, nil)
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%+v came back as %+v, %v", r, again, err)
		}
	})
}

func FuzzDecodeJob(f *testing.F) {
	j := &pageJob{Lease: 1, Request: fetch.Request{URL: "http://a.test/"}, Address: "http://a.test/", Host: "a.test"}
	fields, _ := parts(f, j.encode())
	f.Add(fields)
	f.Fuzz(func(t *testing.T, fields []byte) {
		if _, err := decodeJob(message(fields, []byte{0})); err == nil {
			t.Fatal("a job with a body was taken")
		}
		j, err := decodeJob(message(fields, nil))
		if err != nil {
			return
		}
		again, err := decodeJob(j.encode())
		if err != nil || !reflect.DeepEqual(again, j) {
			t.Fatalf("%+v came back as %+v, %v", j, again, err)
		}
	})
}

// must fails the test at an error.
func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
