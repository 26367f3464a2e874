package warc

import (
	"bufio"
	"bytes"
	"compress/flate"
	stdgzip "compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// archive returns a file as angler writes it, and the starts of its records.
func archive(t testing.TB, blocks ...string) ([]byte, []int64) {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	var offsets []int64
	for i, block := range blocks {
		offset, length, err := w.Write(Response, fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-%012d>", i), noon, []byte(block), Field{"WARC-Target-URI", fmt.Sprintf("http://a.test/%d\r\nX: y", i)}, Field{"Content-Type", "application/http; msgtype=response"})
		if err != nil || offset+length != int64(b.Len()) {
			t.Fatalf("%d + %d of %d, %v", offset, length, b.Len(), err)
		}
		offsets = append(offsets, offset)
	}
	return b.Bytes(), offsets
}

const answer = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>招标</html>"

// TestAStandardLibraryReadsWhatIsWritten reads each record from its offset without this package.
func TestAStandardLibraryReadsWhatIsWritten(t *testing.T) {
	b, offsets := archive(t, answer, "", answer+"2")
	for i, want := range []string{answer, "", answer + "2"} {
		z, err := stdgzip.NewReader(bytes.NewReader(b[offsets[i]:]))
		must(t, err)
		z.Multistream(false)
		r := bufio.NewReader(z)
		version, err := r.ReadString('\n')
		if version != "WARC/1.1\r\n" || err != nil {
			t.Fatalf("%q, %v", version, err)
		}
		head, err := textproto.NewReader(r).ReadMIMEHeader()
		must(t, err)
		n, err := strconv.Atoi(head.Get("Content-Length"))
		rest, err2 := io.ReadAll(r)
		if err != nil || err2 != nil || len(rest) != n+4 || string(rest[:n]) != want || string(rest[n:]) != "\r\n\r\n" {
			t.Errorf("record %d holds %q of %d bytes, %v, %v", i, rest, n, err, err2)
		}
		if head.Get("Warc-Target-Uri") != fmt.Sprintf("http://a.test/%d  X: y", i) || head.Get("X") != "" || head.Get("Warc-Date") != "2026-11-22T12:00:00Z" ||
			head.Get("Warc-Block-Digest") != Digest([]byte(want)) || !strings.HasPrefix(head.Get("Warc-Record-Id"), "<urn:uuid:") {
			t.Errorf("head %v", head)
		}
		if want != "" {
			resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(rest[:n])), nil)
			if err != nil || resp.StatusCode != 200 {
				t.Errorf("%v, %v", resp, err)
			}
		}
	}
}

// all reads an archive to its end.
func all(b []byte) (blocks []string, err error) {
	r, err := NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return blocks, nil
		}
		if err != nil {
			return blocks, err
		}
		block, err := io.ReadAll(rec.Block)
		if err == nil && int64(len(block)) == rec.Length {
			blocks = append(blocks, string(block))
		}
	}
}

func plain(t testing.TB, b []byte) []byte {
	t.Helper()
	z, err := stdgzip.NewReader(bytes.NewReader(b))
	must(t, err)
	out, err := io.ReadAll(z)
	must(t, err)
	return out
}

func TestArchivesOfAllFormsAreRead(t *testing.T) {
	packed, _ := archive(t, answer, "", answer)
	open := plain(t, packed)
	var once bytes.Buffer
	z := stdgzip.NewWriter(&once)
	_, _ = z.Write(open)
	_ = z.Close()
	bare := []byte(strings.NewReplacer("\r\n", "\n", "WARC/1.1", "WARC/1.0", "Content-Length: ", "content-length:\n\t").Replace(string(open[:strings.Index(string(open), "HTTP/1.1")])) +
		strings.Repeat("x", len(answer)) + "WARC/0.18\nWARC-Type: Response\nContent-Length: 2\n\nyy")
	for name, c := range map[string]struct {
		b    []byte
		want []string
	}{
		"records compressed":         {packed, []string{answer, "", answer}},
		"not compressed":             {open, []string{answer, "", answer}},
		"compressed at once":         {once.Bytes(), []string{answer, "", answer}},
		"bare lines, without breaks": {bare, []string{strings.Repeat("x", len(answer)), "yy"}},
	} {
		got, err := all(c.b)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// TestBrokenArchives keeps the records before the damage and reports the fault.
func TestBrokenArchives(t *testing.T) {
	packed, offsets := archive(t, answer, answer, answer)
	open := plain(t, packed)
	second := bytes.Index(open[10:], []byte("WARC/1.1")) + 10
	record := string(open[:second])
	damaged := bytes.Clone(packed)
	damaged[offsets[1]+40] ^= 0xff
	garbled := bytes.Clone(packed)
	copy(garbled[offsets[1]:], "what")
	n := "Content-Length: " + strconv.Itoa(len(answer))
	for name, c := range map[string]struct {
		b    []byte
		good int
		says string
	}{
		"nothing":                {nil, 0, "empty"},
		"cut in a block":         {open[:second+len(record)-20], 1, "ends 16 bytes before"},
		"cut in a head":          {open[:second+30], 1, "ends in the record's head"},
		"cut when compressed":    {packed[:offsets[1]+50], 1, "too early"},
		"damaged":                {damaged, 1, ""},
		"garbled":                {garbled, 1, "compression is damaged"},
		"too long":               {[]byte(strings.Replace(record, n, "Content-Length: 9000000000000000000", 1) + record), 0, "ends"},
		"too short":              {[]byte(record + strings.Replace(record, n, "Content-Length: 9", 1) + record), 2, "length is wrong"},
		"a negative length":      {[]byte(record + strings.Replace(record, n, "Content-Length: -5", 1)), 1, `Content-Length is "-5"`},
		"no length":              {[]byte(record + strings.Replace(record, n, "X: y", 1)), 1, `Content-Length is ""`},
		"a length beyond all":    {[]byte(record + strings.Replace(record, n, n+"99999999999999999999", 1)), 1, "Content-Length is"},
		"a huge head":            {[]byte(record + "WARC/1.1\r\n" + strings.Repeat("X-Pad: "+strings.Repeat("y", 1000)+"\r\n", 100)), 1, "head is longer"},
		"a huge line":            {[]byte(record + "WARC/1.1\r\nX: " + strings.Repeat("y", 1<<20)), 1, "a line is longer"},
		"many fields":            {[]byte(record + "WARC/1.1\r\n" + strings.Repeat("X: y\r\n", 1000)), 1, "head is longer"},
		"no field":               {[]byte(record + "WARC/1.1\r\nnonsense\r\n\r\n"), 1, "its head has the line"},
		"another version":        {[]byte("WARC/7.0\r\n\r\n"), 0, "version"},
		"another file":           {[]byte("%PDF-1.4\r\n%\x80\x81"), 0, "no record begins"},
		"another file, of bytes": {bytes.Repeat([]byte{0, 1, 2, 3}, 100_000), 0, "no WARC"},
	} {
		got, err := all(c.b)
		if !errors.Is(err, ErrBroken) || len(got) != c.good || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %d records, %v; want %d and %q", name, len(got), err, c.good, c.says)
		}
	}
}

func packed(t testing.TB, how string, b string) string {
	var out bytes.Buffer
	var w io.WriteCloser
	switch how {
	case "gzip":
		w = stdgzip.NewWriter(&out)
	case "zlib":
		w = zlib.NewWriter(&out)
	case "deflate":
		w, _ = flate.NewWriter(&out, 5)
	case "zstd":
		w, _ = zstd.NewWriter(&out)
	}
	if _, err := io.WriteString(w, b); err != nil {
		t.Fatal(err)
	}
	must(t, w.Close())
	return out.String()
}

func TestAnswers(t *testing.T) {
	const body = "<html>招标公告</html>"
	head := "HTTP/1.1 200 OK\r\ncontent-type: text/html;\r\n charset=utf-8\r\nnot a field\r\n"
	chunks := "7;x=y\r\n<html>\xe6\r\n10\r\n" + body[7:23] + "\r\n" + fmt.Sprintf("%x", len(body)-23) + "\r\n" + body[23:] + "\r\n0\r\nTrailer: x\r\n\r\n"
	for name, c := range map[string]struct {
		block, body string
		cut         bool
	}{
		"plain":                    {head + "\r\n" + body, body, false},
		"bare lines":               {strings.ReplaceAll(head, "\r\n", "\n") + "\n" + body, body, false},
		"chunked":                  {head + "Transfer-Encoding: chunked\r\n\r\n" + chunks, body, false},
		"chunked only by name":     {head + "Transfer-Encoding: chunked\r\n\r\n" + body, body, false},
		"chunked, cut":             {head + "Transfer-Encoding: chunked\r\n\r\n" + chunks[:30], body[:17], true},
		"gzip":                     {head + "Content-Encoding: gzip\r\n\r\n" + packed(t, "gzip", body), body, false},
		"gzip only by name":        {head + "Content-Encoding: gzip\r\n\r\n" + body, body, false},
		"deflate":                  {head + "Content-Encoding: deflate\r\n\r\n" + packed(t, "deflate", body), body, false},
		"deflate in zlib":          {head + "Content-Encoding: deflate\r\n\r\n" + packed(t, "zlib", body), body, false},
		"zstd":                     {head + "Content-Encoding: zstd\r\n\r\n" + packed(t, "zstd", body), body, false},
		"twice":                    {head + "Content-Encoding: deflate, gzip\r\n\r\n" + packed(t, "gzip", packed(t, "deflate", body)), body, false},
		"a bomb":                   {head + "Content-Encoding: gzip\r\n\r\n" + packed(t, "gzip", strings.Repeat("0", 50<<20)), strings.Repeat("0", 1000), true},
		"no body":                  {head, "", false},
		"a head without its break": {"HTTP/1.0 200\r\n", "", false},
	} {
		a, err := ReadAnswer(strings.NewReader(c.block), 1000)
		if err != nil || string(a.Body) != c.body || a.Cut != c.cut || a.Status != 200 {
			t.Errorf("%s: %.200q, %v", name, fmt.Sprint(a), err)
			continue
		}
		if strings.Contains(c.block, "charset") && a.Header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s: the type is %q", name, a.Header.Get("Content-Type"))
		}
	}
	for name, block := range map[string]string{
		"nothing": "", "no HTTP": "<html>\r\n\r\n", "no status": "HTTP/1.1 ok\r\n\r\n", "a large head": "HTTP/1.1 200 OK\r\n" + strings.Repeat("X: "+strings.Repeat("y", 1000)+"\r\n", 1000),
		"many fields": "HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", 2000) + "\r\n", "an unknown encoding": head + "Content-Encoding: br\r\n\r\nx",
		"encoded again and again": head + "Content-Encoding: gzip,gzip,gzip,gzip,gzip\r\n\r\nx",
	} {
		if a, err := ReadAnswer(strings.NewReader(block), 1000); err == nil {
			t.Errorf("%s is read as %+v", name, a)
		}
	}
}

func TestIndexIsSorted(t *testing.T) {
	x := NewIndex()
	x.held = 3
	defer x.Close()
	urls := []string{"http://www.b.test/", "http://a.test/z?b=2&a=1", "http://a.test/", "https://a.test:8443/x", "http://ztb.a.test/招 标", "http://[::1]:80/", "http://a.test/b", "not an address"}
	for i, u := range urls {
		must(t, x.Add(noon, At(u, "text/html", 200, "sha1:X", int64(i), 5, "x.warc.gz")))
	}
	var b bytes.Buffer
	if n, err := x.WriteTo(&b); err != nil || n != int64(b.Len()) {
		t.Fatal(n, err)
	}
	var keys []string
	for line := range strings.Lines(b.String()) {
		key, rest, _ := strings.Cut(line, " ")
		if keys = append(keys, key); !strings.HasPrefix(rest, `20261122120000 {"url":`) {
			t.Errorf("line %q", line)
		}
	}
	if got, want := strings.Join(keys, "\n"), "::1)/\nnot%20an%20address\ntest,a)/\ntest,a)/b\ntest,a)/z?a=1&b=2\ntest,a,ztb)/%e6%8b%9b%20%e6%a0%87\ntest,a:8443)/x\ntest,b)/"; got != want {
		t.Errorf("keys\n%s\nwant\n%s", got, want)
	}
}

func FuzzReader(f *testing.F) {
	b, _ := archive(f, answer, answer)
	f.Add(b)
	f.Add(plain(f, b))
	f.Add([]byte("WARC/1.0\r\nContent-Length: 3\r\n\r\nabc"))
	f.Fuzz(func(t *testing.T, b []byte) {
		blocks, err := all(b)
		if err != nil && !errors.Is(err, ErrBroken) {
			t.Errorf("%v", err)
		}
		for _, block := range blocks {
			if a, err := ReadAnswer(strings.NewReader(block), 1<<10); err == nil && len(a.Body) > 1<<10 {
				t.Errorf("%d bytes of body", len(a.Body))
			}
		}
	})
}

func FuzzAnswer(f *testing.F) {
	f.Add([]byte(answer))
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n5\r\nabcde\r\n0\r\n\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := ReadAnswer(bytes.NewReader(b), 100)
		if err == nil && (len(a.Body) > 100 || a.Status < 100) {
			t.Errorf("%+v", a)
		}
	})
}

func FuzzLines(f *testing.F) {
	f.Add("via: http://a.test/\r\nhopsFromSeed: LL\r\n")
	f.Fuzz(func(t *testing.T, s string) {
		for _, x := range ReadLines(strings.NewReader(s)) {
			if strings.ContainsAny(x.Name, "\n:") || strings.Contains(x.Value, "\n") {
				t.Errorf("%q", x)
			}
		}
		if got := ReadLines(bytes.NewReader(Lines(Field{"a", s}))); s != "" && (len(got) != 1 || got[0].Name != "a") {
			t.Errorf("%q is read as %q", s, got)
		}
	})
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
