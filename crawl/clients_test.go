//go:build unix

package crawl_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/api"
	"angler/crawl/httpapi"
	"angler/crawl/run"
	"angler/crawl/webtest"
	"angler/store/secrets"
)

const (
	benchClients = 200
	benchTokens  = 20          // each of ten clients
	clientPause  = time.Second // of a client, from an answer to its next question
)

// BenchmarkClients crawls the web of BenchmarkThroughput with 200 HTTP clients in this process that ask and without, by
// turns in changing order. A client searches, waits for the answer, and pauses for a second. It
// reports pages a second of both kinds, their ratio, the processor time of a page and the answers a second. The
// processor time has the clients in it. An iteration is two crawls:
//
//	ANGLER_BENCH_PAGES=5000 go test ./crawl -run '^$' -bench Clients -benchtime 4x
func BenchmarkClients(b *testing.B) {
	web, pages := benchWeb(b)
	addr := startWeb(b, pages)
	took, used := map[bool]time.Duration{}, map[bool]time.Duration{}
	crawls, answers := 0, int64(0)
	for b.Loop() {
		for _, with := range []bool{crawls%2 == 0, crawls%2 != 0} {
			clock, cpu, n := crawlBeside(b, web, addr, pages, with)
			took[with] += clock
			used[with] += cpu
			answers += n
		}
		crawls++
	}
	for with, name := range map[bool]string{true: "", false: "-alone"} {
		b.ReportMetric(float64(crawls*pages)/took[with].Seconds(), "pages/s"+name)
		b.ReportMetric(float64(used[with].Microseconds())/float64(crawls*pages), "cpu-µs/page"+name)
	}
	b.ReportMetric(float64(took[false])/float64(took[true]), "ratio")
	b.ReportMetric(float64(answers)/took[true].Seconds(), "answers/s")
}

// crawlBeside is a discovery in a new workspace, which clients ask or not.
func crawlBeside(b *testing.B, web *webtest.Web, addr string, pages int,
	asked bool) (took, used time.Duration, answers int64) {
	dir := filepath.Join(b.TempDir(), "ws")
	newWorkspace(b, dir, web, pages)
	e := openPrepared(b, dir, addr, web)
	ctx, stop := context.WithCancel(b.Context())
	var group sync.WaitGroup
	var n, failed atomic.Int64
	if asked {
		for _, ask := range clients(ctx, b, e, &group) {
			group.Go(func() {
				for i := 0; ctx.Err() == nil; i++ {
					if err := ask(i); err == nil {
						n.Add(1)
					} else if ctx.Err() == nil {
						failed.Add(1)
					}
					select {
					case <-time.After(clientPause):
					case <-ctx.Done():
					}
				}
			})
		}
	}
	before := processorTime(b)
	s, err := e.Runs.Discover(b.Context(), run.Options{MaxPages: pages})
	used = processorTime(b) - before
	stop()
	group.Wait()
	if err != nil || s.Pages < pages*9/10 || failed.Load() > n.Load()/20 || asked && n.Load() == 0 {
		b.Fatalf("%+v, %v; %d answers, %d failed", s, err, n.Load(), failed.Load())
	}
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
	return s.Took, used, n.Load()
}

// clients serves an engine until ctx ends and returns a function for each client that asks one question.
func clients(ctx context.Context, b *testing.B, e *crawl.Engine, group *sync.WaitGroup) (out []func(i int) error) {
	service := api.Live(e)
	server, err := httpapi.New(ctx, httpapi.Config{Engine: e, Service: service})
	if err != nil {
		b.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	group.Go(func() {
		if err := server.Serve(ctx, l, nil); err != nil {
			b.Error(err)
		}
		if err := service.Close(); err != nil {
			b.Error(err)
		}
	})
	var tokens []string
	for i := range benchTokens {
		token, err := secrets.AddToken(e.Workspace().Dir(), fmt.Sprintf("c%d", i), "viewer", time.Now())
		if err != nil {
			b.Fatal(err)
		}
		tokens = append(tokens, token)
	}
	way := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: benchClients}}
	asks := []string{"?order=date", "?filter=" + url.QueryEscape("采购"), "?filter=" + url.QueryEscape("is:unread age<30d"),
		"?filter=" + url.QueryEscape("budget>10w"), "?filter=" + url.QueryEscape("招标 公告")}
	for client := range benchClients {
		out = append(out, func(i int) error {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet,
				"http://"+l.Addr().String()+"/api/v1/notices"+asks[(client+i)%len(asks)], nil)
			if err != nil {
				return err
			}
			r.Header.Set("Authorization", "Bearer "+tokens[client%benchTokens])
			answer, err := way.Do(r)
			if err != nil {
				return err
			}
			defer answer.Body.Close()
			if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
				return fmt.Errorf("%s, %w", answer.Status, err)
			}
			return nil
		})
	}
	return out
}
