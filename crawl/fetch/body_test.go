package fetch

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"strings"
	"testing"
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
			if err != nil {
				t.Fatal(err)
			}
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
	f.Add([]byte{0x1f, 0x8b, 8, 0xff}, "GZIP", "", "/a")
	f.Fuzz(func(t *testing.T, body []byte, encoding, ctype, path string) {
		const limit = 4096
		res := &http.Response{
			Header:        http.Header{"Content-Encoding": {encoding}, "Content-Type": {ctype}},
			Body:          io.NopCloser(bytes.NewReader(body)),
			ContentLength: -1,
		}
		got, truncated, err := readBody(res, path, limit)
		if len(got) > limit || err != nil && (got != nil || truncated) {
			t.Errorf("%d bytes, truncated %v, error %v", len(got), truncated, err)
		}
		if encoding == "" && ctype == "" && !strings.HasSuffix(strings.ToLower(path), ".xml.gz") && !bytes.Equal(got, body[:min(len(body), limit)]) {
			t.Error("a plain body was changed")
		}
	})
}
