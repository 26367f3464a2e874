package fetch

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

func packed(t testing.TB, pack func(io.Writer) io.WriteCloser, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := pack(&b)
	w.Write(body)
	w.Close()
	return b.Bytes()
}

func asGzip(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
func asZlib(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }
func asFlate(w io.Writer) io.WriteCloser {
	f, _ := flate.NewWriter(w, 6)
	return f
}
func asBrotli(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) }
func asZstd(w io.Writer) io.WriteCloser {
	z, _ := zstd.NewWriter(w)
	return z
}

// A body stops at MaxBody decoded bytes, however it is packed.
func TestFetchBounds(t *testing.T) {
	const limit = 64 << 10
	zeros := make([]byte, 16<<20)
	bomb := packed(t, asGzip, zeros) // 16 KB that unpack to 16 MB
	emptyBlocks := append(packed(t, asGzip, nil)[:10], bytes.Repeat([]byte{0, 0, 0, 0xff, 0xff}, 1<<20)...)
	cases := map[string]struct {
		path, encoding, ctype string
		body                  []byte
		size                  int
	}{
		"long body":                     {path: "/a", body: zeros[:limit+1], size: limit},
		"body of exactly the limit":     {path: "/a", body: zeros[:limit], size: limit},
		"content-encoding bomb":         {path: "/a", encoding: "gzip", body: bomb, size: limit},
		"bomb in a bomb":                {path: "/a", encoding: "gzip, gzip", body: packed(t, asGzip, bomb), size: limit},
		"sitemap.xml.gz bomb":           {path: "/sitemap.xml.gz", body: bomb, size: limit},
		"content-type bomb":             {path: "/a", ctype: "application/gzip", body: bomb, size: limit},
		"brotli bomb":                   {path: "/a", encoding: "br", body: packed(t, asBrotli, zeros), size: limit},
		"zstd bomb":                     {path: "/a", encoding: "zstd", body: packed(t, asZstd, zeros), size: limit},
		"2 GB bomb of 2 MB":             {path: "/a", encoding: "gzip", body: bytes.Repeat(bomb, 128), size: limit},
		"gzip of nothing but 5 MB long": {path: "/a", encoding: "gzip", body: emptyBlocks, size: 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			base := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if c.encoding != "" {
					w.Header().Set("Content-Encoding", c.encoding)
				}
				w.Header().Set("Content-Type", c.ctype)
				w.Write(c.body)
			})
			f := open(t, Config{AllowPrivate: true, IgnoreRobots: true, MaxBody: limit})
			got, err := f.Fetch(t.Context(), Request{URL: base + c.path})
			must(t, err)
			if len(got.Body) != c.size || cap(got.Body) > 2*limit {
				t.Errorf("kept %d bytes (capacity %d), want %d", len(got.Body), cap(got.Body), c.size)
			}
			if want := len(c.body) > limit || c.encoding != "" || c.ctype != "" || strings.HasSuffix(c.path, ".gz"); got.Truncated != want {
				t.Errorf("truncated %v, want %v", got.Truncated, want)
			}
		})
	}
}

// Whatever a server calls its bytes, what is kept stays in bounds.
func FuzzReadBody(f *testing.F) {
	f.Add([]byte("plain"), "", "text/html", "/a")
	f.Add(packed(f, asGzip, make([]byte, 9000)), "gzip", "", "/a")
	f.Add(packed(f, asZlib, make([]byte, 9000)), "deflate, gzip", "", "/a")
	f.Add(packed(f, asFlate, make([]byte, 9000)), "deflate", "", "/a")
	f.Add(packed(f, asGzip, packed(f, asGzip, []byte("x"))), "gzip", "application/gzip", "/s.xml.gz")
	f.Add(packed(f, asBrotli, make([]byte, 9000)), "br", "", "/a")
	f.Add(packed(f, asZstd, make([]byte, 9000)), "zstd, br", "", "/a")
	f.Add([]byte{0x1f, 0x8b, 8, 0xff}, "GZIP", "", "/a")
	f.Fuzz(func(t *testing.T, body []byte, encoding, ctype, path string) {
		const limit = 4096
		res := &http.Response{
			Header:        http.Header{"Content-Encoding": {encoding}, "Content-Type": {ctype}},
			Body:          io.NopCloser(bytes.NewReader(body)),
			ContentLength: -1,
		}
		got, truncated, broken, err := readBody(res, path, limit)
		if len(got) > limit || err != nil && (got != nil || truncated || broken != nil) || broken != nil && len(got) == 0 {
			t.Errorf("%d bytes, truncated %v, error %v", len(got), truncated, err)
		}
		if encoding == "" && ctype == "" && !strings.HasSuffix(strings.ToLower(path), ".xml.gz") && !bytes.Equal(got, body[:min(len(body), limit)]) {
			t.Error("a plain body was changed")
		}
	})
}

// What came before a transfer broke is kept for a request that wants it, and marked.
func TestBrokenTransfers(t *testing.T) {
	text := []byte("<html><body>" + strings.Repeat("<p>notice of a tender</p>", 400) + "</body></html>")
	varied := make([]byte, 0, 1<<20)
	for r := rand.New(rand.NewPCG(1, 2)); len(varied) < 1<<20; {
		varied = strconv.AppendUint(varied, r.Uint64(), 36)
	}
	zipped := packed(t, asGzip, text)
	spoilt := bytes.Clone(zipped)
	spoilt[len(spoilt)-6] ^= 0xff
	for name, c := range map[string]struct {
		answer, why string
		whole       bool
	}{
		"a length too long":       {"Content-Length: 99999\r\n\r\n" + string(text), "it ended early", true},
		"half a body":             {"Content-Length: 99999\r\n\r\n" + string(text[:500]), "it ended early", false},
		"gzip without a trailer":  {"Content-Encoding: gzip\r\n\r\n" + string(zipped[:len(zipped)-8]), "it ended early", true},
		"gzip with another sum":   {"Content-Encoding: gzip\r\n\r\n" + string(spoilt), "its checksum is wrong", true},
		"chunks without an end":   {"Transfer-Encoding: chunked\r\n\r\n4\r\n<htm\r\n", "it ended early", false},
		"plain, called gzip":      {"Content-Encoding: gzip\r\n\r\n" + string(text), "", true},
		"plain, called deflate":   {"Content-Encoding: deflate\r\n\r\n" + string(text), "", true},
		"deflate without wrapper": {"Content-Encoding: deflate\r\n\r\n" + string(packed(t, asFlate, text)), "", true},
		"zlib, cut":               {"Content-Encoding: deflate\r\n\r\n" + string(packed(t, asZlib, text)[:len(packed(t, asZlib, text))-4]), "it ended early", true},
		"brotli, cut":             {"Content-Encoding: br\r\n\r\n" + string(packed(t, asBrotli, varied)[:len(packed(t, asBrotli, varied))-9]), "it ended early", false},
		"brotli, then rubbish":    {"Content-Encoding: br\r\n\r\n" + string(packed(t, asBrotli, varied)) + "rubbish", "its compression is broken", true},
		"zstd, cut":               {"Content-Encoding: zstd\r\n\r\n" + string(packed(t, asZstd, varied)[:len(packed(t, asZstd, varied))-9]), "it ended early", false},
	} {
		t.Run(name, func(t *testing.T) {
			text := text
			if strings.HasPrefix(name, "brotli") || strings.HasPrefix(name, "zstd") {
				text = varied
			}
			base := hostile(t, say(ok+"ETag: \"x\"\r\n"+c.answer))
			f := open(t, Config{AllowPrivate: true, IgnoreRobots: true, Timeout: time.Minute})
			res, err := f.Fetch(t.Context(), Request{URL: base, Parts: true})
			if err != nil || res.Partial != c.why || len(res.Body) == 0 || !bytes.HasPrefix(text, res.Body) || c.whole && !bytes.Equal(text, res.Body) {
				t.Fatalf("%v, %d bytes of %d, partial %q; want %q", err, len(res.Body), len(text), res.Partial, c.why)
			}
			if (res.ETag == "") != (c.why != "") {
				t.Errorf("the tag %q of a part", res.ETag)
			}
			if _, err := f.Fetch(t.Context(), Request{URL: base}); (kindOf(err) == Body) != (c.why != "") {
				t.Errorf("without Parts: %v", err)
			}
		})
	}
}
