package fetch

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// benchPage is the size of a usual list page.
var benchPage = bytes.Repeat([]byte("<li><a href=\"info/1023/1260.htm\">x</a></li>"), 13<<10/43)

func benchServer(b *testing.B) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			io.WriteString(w, "User-agent: *\nDisallow: /admin/\nDisallow: /*.php$\n")
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(benchPage)
	}))
	b.Cleanup(s.Close)
	return s.URL
}

// in16 runs one in 16 goroutines, whatever GOMAXPROCS is.
func in16(b *testing.B, one func() error) {
	b.ReportAllocs()
	var left atomic.Int64
	left.Store(int64(b.N))
	done := make(chan error, 16)
	b.ResetTimer()
	for range 16 {
		go func() {
			for left.Add(-1) >= 0 {
				if err := one(); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range 16 {
		if err := <-done; err != nil {
			b.Error(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "fetches/s")
}

func BenchmarkFetch(b *testing.B) {
	url := benchServer(b) + "/info/1023/list.htm"
	f := open(b, Config{AllowPrivate: true})
	in16(b, func() error {
		_, err := f.Fetch(b.Context(), Request{URL: url})
		return err
	})
}

// BenchmarkBareClient is the yardstick: net/http alone.
func BenchmarkBareClient(b *testing.B) {
	url := benchServer(b) + "/info/1023/list.htm"
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	in16(b, func() error {
		res, err := client.Get(url)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		_, err = io.ReadAll(res.Body)
		return err
	})
}
