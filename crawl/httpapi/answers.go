package httpapi

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	ics "github.com/arran4/golang-ical"

	"angler/crawl/api"
	"angler/store/config"
)

// maxRemembered bounds the answers whose time is known.
const maxRemembered = 4096

// changes remembers since when the server has given the same answer. The zero value is ready.
type changes struct {
	mu sync.Mutex
	at map[string]change // by person and address
}

type change struct {
	tag   string
	since time.Time
}

// of returns since when an answer has had a tag. It forgets all when there are too many.
func (c *changes) of(key, tag string, now time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	since := now.UTC().Truncate(time.Second) // HTTP has no smaller unit
	if last, known := c.at[key]; known && last.tag == tag {
		return last.since
	} else if known && !since.After(last.since) {
		since = last.since.Add(time.Second)
	}
	if c.at == nil || len(c.at) >= maxRemembered {
		c.at = map[string]change{}
	}
	c.at[key] = change{tag, since}
	return since
}

// send answers with a body, or that the client has it. The tag leaves out as_of, the first member of JSON answers.
func (s *Server) send(w http.ResponseWriter, r *http.Request, mediaType string, body []byte) {
	same := body
	if bytes.HasPrefix(body, []byte(`{"as_of":`)) {
		_, same, _ = bytes.Cut(body, []byte(","))
	}
	sum := sha256.Sum256(same)
	tag := `"` + hex.EncodeToString(sum[:12]) + `"`
	key := r.URL.RequestURI()
	if c, ok := r.Context().Value(callKey{}).(*call); ok {
		key = c.token.Hash + key
	}
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("ETag", tag)
	w.Header().Set("Vary", "Authorization, Cookie")
	http.ServeContent(w, r, "", s.since.of(key, tag, s.c.Now()), bytes.NewReader(body))
}

// feed returns the newest notices as Atom.
func (s *Server) feed(ctx context.Context, filter string) ([]byte, error) {
	var b bytes.Buffer
	err := s.c.Service.Feed(ctx, filter, &b)
	return b.Bytes(), err
}

// calendar returns the next deadlines (RFC 5545).
func (s *Server) calendar(ctx context.Context, filter string) ([]byte, error) {
	list, err := s.c.Service.Deadlines(ctx, filter)
	if err != nil {
		return nil, err
	}
	cal := ics.NewCalendarFor("angler " + config.Version)
	cal.SetMethod(ics.MethodPublish)
	cal.SetXWRCalName("angler")
	cal.SetRefreshInterval("PT1H")
	for i := range list {
		d := &list[i]
		e := cal.AddEvent(fmt.Sprintf("notice-%d@angler", d.ID))
		e.SetDtStampTime(d.Changed)
		e.SetStartAt(d.Due)
		e.SetEndAt(d.Due)
		e.SetSummary(d.Title)
		e.SetDescription(strings.TrimPrefix(d.Buyer+"\n"+d.URL, "\n"))
		e.SetTimeTransparency(ics.TransparencyTransparent)
	}
	return []byte(cal.Serialize(ics.WithNewLineWindows)), nil
}

// markdownOr answers /notices/ID.md and leaves other names to the pages.
func (s *Server) markdownOr(pages http.Handler) http.Handler {
	markdown := s.bounded(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _ := strings.CutSuffix(r.PathValue("file"), ".md")
		id, err := strconv.ParseUint(name, 10, 64)
		if err != nil || id == 0 {
			problem(w, http.StatusNotFound, "the name of a notice is a number and .md")
			return
		}
		n, err := s.c.Service.GetNotice(r.Context(), api.GetNotice{ID: id})
		if _, unknown := err.(api.UnknownError); unknown {
			problem(w, http.StatusNotFound, err.Error())
			return
		}
		if err != nil {
			s.failed(w, r, err)
			return
		}
		s.send(w, r, "text/markdown; charset=utf-8", []byte(n.Markdown()))
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.PathValue("file"), ".md") {
			markdown.ServeHTTP(w, r)
			return
		}
		pages.ServeHTTP(w, r)
	})
}

// enter makes a request a stream, or says why there are too many.
func (s *Server) enter(c *call) (why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, same := 0, 0
	for o := range s.calls {
		if o.stream {
			all++
			if o.token.Hash == c.token.Hash {
				same++
			}
		}
	}
	if all >= maxStreams || same >= maxOfToken {
		return fmt.Sprintf("there are %d streams, %d of them with this token; close one", all, same)
	}
	c.stream = true
	return ""
}

// events streams new and changed notices. The id of an event is the time of the change; a client that connects again
// sends it as Last-Event-ID.
func (s *Server) events(w http.ResponseWriter, r *http.Request, q map[string]any) {
	in, err := as[filtered](q)
	since := s.c.Now()
	if last := r.Header.Get("Last-Event-ID"); err == nil && last != "" {
		if since, err = time.Parse(time.RFC3339Nano, last); err != nil {
			err = fmt.Errorf("Last-Event-ID: %.40q is the id of no event", last)
		}
	}
	if err == nil { // a mistake in the filter is an answer, too
		_, err = s.c.Service.SearchNotices(r.Context(), api.SearchNotices{Filter: in.Filter,
			Paging: api.Paging{Limit: 1}})
	}
	if err != nil {
		s.failed(w, r, err)
		return
	}
	c := r.Context().Value(callKey{}).(*call)
	if why := s.enter(c); why != "" {
		problem(w, http.StatusTooManyRequests, why)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Time{}) // none: the client sends nothing more
	put := func(text string) error {
		if err := r.Context().Err(); err != nil {
			return err
		}
		_ = rc.SetWriteDeadline(time.Now().Add(answerTime))
		if _, err := w.Write([]byte(text)); err != nil {
			return err
		}
		return rc.Flush()
	}
	if put(": open\n\n") != nil {
		return
	}
	// It ends with the client, the token or the server, and a client connects again.
	_ = s.c.Service.Follow(r.Context(), in.Filter, since, func(x *api.NoticeChange, moved time.Time) error {
		if x == nil {
			return put(": idle\n\n")
		}
		b, err := json.Marshal(x) // on one line
		if err != nil {
			return err
		}
		return put(fmt.Sprintf("id: %s\nevent: notice\ndata: %s\n\n", moved.UTC().Format(time.RFC3339Nano), b))
	})
}

// metrics answers Prometheus.
func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_ = s.c.Engine.WriteMetrics(w) // a scraper that left
}

// health answers with "ok" and status 200, or "failing" and 503, and a line for each check.
func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	status, head := http.StatusOK, "ok"
	var lines strings.Builder
	for _, c := range s.c.Engine.Health() {
		verdict := "ok"
		if !c.OK {
			status, head, verdict = http.StatusServiceUnavailable, "failing", "failing"
		}
		fmt.Fprintf(&lines, "%s: %s: %s\n", c.Name, verdict, c.Says)
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	fmt.Fprintf(w, "%s\n%s", head, &lines)
}
