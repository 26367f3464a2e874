//go:build unix

package crawl_test

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/api"
	"angler/crawl/httpapi"
	"angler/crawl/run"
	"angler/crawl/web"
	"angler/crawl/webtest"
	"angler/store/secrets"
)

const (
	benchClients = 200
	benchTokens  = 20          // each of ten clients
	clientPause  = time.Second // of a client, from an answer to its next question

	// askVar turns the test program into the clients; its value is the address of the server and the tokens.
	askVar = "ANGLER_BENCH_ASK"
)

// BenchmarkClients crawls the web of BenchmarkThroughput with 200 HTTP clients that ask and without, by turns in
// changing order. The clients are a process of their own; clients, server and sites share the machine. A client asks
// for a search, a notice, a feed or a page, waits for the answer, and pauses for a second. It reports pages a second of
// both kinds, their ratio, the processor time of crawl and server a page, that of the clients a page, the answers a
// second, and the questions a second that the server puts off. An iteration is two crawls:
//
//	ANGLER_BENCH_PAGES=5000 go test ./crawl -run '^$' -bench Clients -benchtime 4x
func BenchmarkClients(b *testing.B) {
	web, pages := benchWeb(b)
	addr := startWeb(b, pages)
	took, used := map[bool]time.Duration{}, map[bool]time.Duration{}
	var asking time.Duration
	crawls, answers, later := 0, 0, 0
	for b.Loop() {
		for _, with := range []bool{crawls%2 == 0, crawls%2 != 0} {
			x := crawlBeside(b, web, addr, pages, with)
			took[with] += x.took
			used[with] += x.used
			asking += x.asking
			answers += x.answers
			later += x.later
		}
		crawls++
	}
	perPage := func(d time.Duration) float64 { return float64(d.Microseconds()) / float64(crawls*pages) }
	for with, name := range map[bool]string{true: "", false: "-alone"} {
		b.ReportMetric(float64(crawls*pages)/took[with].Seconds(), "pages/s"+name)
		b.ReportMetric(perPage(used[with]), "cpu-µs/page"+name)
	}
	b.ReportMetric(perPage(asking), "clients-cpu-µs/page")
	b.ReportMetric(float64(took[false])/float64(took[true]), "ratio")
	b.ReportMetric(float64(answers)/took[true].Seconds(), "answers/s")
	b.ReportMetric(float64(later)/took[true].Seconds(), "later/s")
}

// besides is the outcome of a crawl beside clients.
type besides struct {
	took, used, asking time.Duration // used and asking are processor times
	answers, later     int
}

// crawlBeside is a discovery in a new workspace, which clients ask or not.
func crawlBeside(b *testing.B, web *webtest.Web, addr string, pages int, asked bool) (x besides) {
	dir := b.TempDir()
	newWorkspace(b, dir, web, pages)
	e := openPrepared(b, dir, addr, web)
	end := func() (answers, later, failed int, asking time.Duration) { return 0, 0, 0, 0 }
	if asked {
		end = startClients(b, e)
	}
	before := processorTime(b)
	s, err := e.Runs.Discover(b.Context(), run.Options{MaxPages: pages})
	x.used, x.took = processorTime(b)-before, s.Took
	n, later, failed, asking := end()
	x.asking, x.answers, x.later = asking, n, later
	if err != nil || s.Pages < pages*9/10 || failed > n/20 || asked && n == 0 {
		b.Fatalf("%+v, %v; %d answers, %d failed", s, err, n, failed)
	}
	must(b, e.Close())
	return x
}

// startClients serves an engine and starts the process of the clients. end stops both. It returns the numbers of
// answers, of refusals because of other questions, and of failures, and the processor time of the clients.
func startClients(b *testing.B, e *crawl.Engine) (end func() (answers, later, failed int, asking time.Duration)) {
	ctx, stop := context.WithCancel(b.Context())
	service := api.Live(e)
	server, err := httpapi.New(ctx, httpapi.Config{Engine: e, Service: service, Pages: web.New(service, web.Options{})})
	must(b, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(b, err)
	var group sync.WaitGroup
	group.Go(func() {
		if err := server.Serve(ctx, l, nil); err != nil {
			b.Error(err)
		}
		if err := service.Close(); err != nil {
			b.Error(err)
		}
	})
	asks := []string{"http://" + l.Addr().String()}
	for i := range benchTokens {
		token, err := secrets.AddToken(e.Workspace().Dir(), fmt.Sprintf("c%d", i), "viewer", time.Now())
		must(b, err)
		asks = append(asks, token)
	}
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), askVar+"="+strings.Join(asks, " "))
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	must(b, err)
	out, err := c.StdoutPipe()
	must(b, err)
	must(b, c.Start())
	lines := bufio.NewReader(out)
	if _, err := lines.ReadString('\n'); err != nil { // the clients begin
		b.Fatal(err)
	}
	return func() (answers, later, failed int, asking time.Duration) {
		in.Close()
		if _, err := fmt.Fscan(lines, &answers, &later, &failed, &asking); err != nil {
			b.Error(err)
		}
		if err := c.Wait(); err != nil {
			b.Error(err)
		}
		stop()
		group.Wait()
		return answers, later, failed, asking
	}
}

var answerID = regexp.MustCompile(`"id":(\d+)`)

// errLater means that the server has too many questions.
var errLater = errors.New("later")

// askAll is the process of the clients: it asks until standard input ends, and prints the numbers of answers, of
// refusals because of other questions, and of failures, and its processor time meanwhile.
func askAll(where string) error {
	base, rest, _ := strings.Cut(where, " ")
	tokens := strings.Fields(rest)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	way := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: benchClients}}
	ask := func(client int, path string) ([]byte, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, base+path, nil)
		if err != nil {
			return nil, err
		}
		r.Header.Set("Authorization", "Bearer "+tokens[client%len(tokens)])
		answer, err := way.Do(r)
		if err != nil {
			return nil, err
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err == nil && answer.StatusCode == http.StatusServiceUnavailable {
			err = errLater
		} else if err == nil && answer.StatusCode != http.StatusOK {
			err = fmt.Errorf("%s: %s", path, answer.Status)
		}
		return body, err
	}
	asks := []string{"/api/v1/notices?order=date", "/api/v1/notice?id=", "/api/v1/notices?filter=" + url.QueryEscape("采购"),
		"/", "/api/v1/notices?filter=" + url.QueryEscape("is:unread age<30d"), "/feed.atom",
		"/api/v1/notices?filter=" + url.QueryEscape("budget>10w"), "/?q=" + url.QueryEscape("招标 公告")}
	var begun, over syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &begun); err != nil {
		return err
	}
	var answers, later, failed atomic.Int64
	var group sync.WaitGroup
	for client := range benchClients {
		group.Go(func() {
			id := ""
			for i := client; ctx.Err() == nil; i++ {
				path := asks[i%len(asks)]
				if strings.HasSuffix(path, "id=") {
					if id == "" {
						continue
					}
					path += id
				}
				body, err := ask(client, path)
				if at := answerID.FindSubmatch(body); err == nil && at != nil {
					id = string(at[1])
				}
				if err == nil {
					answers.Add(1)
				} else if errors.Is(err, errLater) {
					later.Add(1)
				} else if ctx.Err() == nil && failed.Add(1) <= 3 {
					fmt.Fprintln(os.Stderr, err)
				}
				select {
				case <-time.After(clientPause):
				case <-ctx.Done():
				}
			}
		})
	}
	fmt.Println("they ask")
	_, err := io.Copy(io.Discard, os.Stdin)
	stop()
	group.Wait()
	if err := cmp.Or(err, syscall.Getrusage(syscall.RUSAGE_SELF, &over)); err != nil {
		return err
	}
	fmt.Println(answers.Load(), later.Load(), failed.Load(),
		over.Utime.Nano()+over.Stime.Nano()-begun.Utime.Nano()-begun.Stime.Nano())
	return nil
}
