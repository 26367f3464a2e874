// Package api answers requests of programs about one workspace. Requests and answers are typed,
// answers are bounded, and a cursor continues them. crawl/mcp offers them to assistants, crawl/httpapi
// over HTTP.
//
// It sends no request to a host and puts nothing in force: a proposal waits for a person. Answers contain texts from the web: control
// characters are removed, and Markdown is escaped.
//
// Open reads a copy of the database (store.OpenCopy), so the workbench or a server can have the
// workspace open at the same time. It makes a new copy after the database was written; as_of in each
// answer is the time of the copy. Live reads the open workspace of this process in place; as_of is the
// time of the answer.
package api

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"angler/crawl"
	"angler/crawl/auth"
	"angler/crawl/htmldoc"
	"angler/crawl/search"
	"angler/store"
)

const (
	copyLeast = time.Minute // shortest time between two copies
	copyShare = 20          // and at least so many times the duration of the last copy

	// liveWait bounds how long a question about a live workspace waits for fields that are being read.
	liveWait = time.Second

	// readWait bounds how long it waits for notices that are read after opening.
	readWait = 10 * time.Second
)

// Service answers questions about one workspace. It is safe for concurrent use.
type Service struct {
	dir  string // absolute: cursors are bound to it
	turn chan struct{}
	now  func() time.Time
	live bool // the engine is the caller's and changes under way

	mu      sync.RWMutex  // held for reading by each request
	engine  *crawl.Engine // nil once closed
	at      time.Time     // of the copy
	took    time.Duration // duration of copying and opening
	written time.Time     // last change of the database before the copy
	problem error         // why the last copy failed
}

// errOffline refuses each connection of a Service.
var errOffline = errors.New("programs read what is stored; no request is sent for them")

var errClosed = errors.New("the workspace is closed")

// Open opens the workspace in dir for reading. The caller must Close the Service. ctx
// bounds the opening alone.
func Open(ctx context.Context, dir string) (*Service, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	s := &Service{dir: abs, turn: make(chan struct{}, 1), now: time.Now}
	if err := s.renew(ctx, dir); err != nil {
		return nil, err
	}
	return s, nil
}

// Live returns a Service that reads an open workspace in place. The caller closes the Service before e.
func Live(e *crawl.Engine) *Service {
	dir, err := filepath.Abs(e.Workspace().Dir())
	if err != nil {
		dir = e.Workspace().Dir()
	}
	return &Service{dir: dir, now: time.Now, live: true, engine: e.As(auth.Actor{Name: e.Name, Role: auth.Reading})}
}

// Close waits for requests in flight and closes the Service. The engine of Live stays open.
func (s *Service) Close() error {
	s.mu.Lock()
	e := s.engine
	s.engine = nil
	s.mu.Unlock()
	if e == nil || s.live {
		return nil
	}
	return e.Close()
}

// actorKey is the key of the asking person in a context.
type actorKey struct{}

// WithActor returns a context for questions of a person, whose name decides what is:unread means.
func WithActor(ctx context.Context, a auth.Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// renew opens a new copy and closes the old one.
func (s *Service) renew(ctx context.Context, dir string) error {
	begun := s.now()
	written, _ := store.Written(dir) // opening reports a database that is missing
	e, err := crawl.Open(ctx, dir, crawl.Options{Reading: true, Copy: true, Search: true, Lists: true,
		Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errOffline }})
	if err != nil {
		return err
	}
	s.mu.Lock()
	before := s.engine
	s.engine = e.As(auth.Actor{Name: e.Name, Role: auth.Reading})
	s.at, s.took, s.written, s.problem = begun, s.now().Sub(begun), written, nil
	s.mu.Unlock()
	if before != nil {
		return before.Close()
	}
	return nil
}

// refresh renews an outdated copy. If that fails, the old copy stays in use and Status reports it.
func (s *Service) refresh(ctx context.Context) {
	if s.live {
		return
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return
	}
	s.mu.RLock()
	open, age, patience, seen := s.engine != nil, s.now().Sub(s.at).Abs(), max(copyLeast, copyShare*s.took), s.written
	s.mu.RUnlock()
	written, err := store.Written(s.dir)
	if !open || age < patience || err == nil && written.Equal(seen) {
		return
	}
	if err == nil {
		err = s.renew(ctx, s.dir)
	}
	if err != nil {
		s.mu.Lock()
		s.problem = err
		s.mu.Unlock()
	}
}

// use calls f with the open engine and the time of its copy.
func (s *Service) use(ctx context.Context, f func(e *crawl.Engine, at time.Time) error) error {
	s.refresh(ctx)
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.engine == nil {
		return errClosed
	}
	e, at := s.engine, s.at
	if a, known := ctx.Value(actorKey{}).(auth.Actor); known {
		e = e.As(a)
	}
	if s.live {
		at = s.now()
	}
	return f(e, second(at))
}

// searchReady waits for fields and index: in a live workspace for liveWait at most, and not at all beside a run, which
// brings new notices all the time.
func (s *Service) searchReady(ctx context.Context, e *crawl.Engine) search.Progress {
	if s.live {
		wait := liveWait
		if e.Crawling() {
			wait = 0
		}
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, wait)
		defer stop()
	}
	return e.SearchReady(ctx)
}

// noticesRead waits for the notices that are read after opening. A live workspace answers meanwhile, after readWait,
// with an *inbox.ReadingError.
func (s *Service) noticesRead(ctx context.Context, e *crawl.Engine) error {
	if !s.live {
		return nil
	}
	ctx, stop := context.WithTimeout(ctx, readWait)
	defer stop()
	return e.NoticesReady(ctx)
}

// worded waits for the word counts, which scores need, and calls use.
func (s *Service) worded(ctx context.Context, f func(e *crawl.Engine, at time.Time) error) error {
	return s.use(ctx, func(e *crawl.Engine, at time.Time) error {
		if err := e.Words(ctx); err != nil {
			return err
		}
		return f(e, at)
	})
}

// ParseTime reads a time or an age: 2026-11-20, 2026-11-20T14:00, 36h or 7d.
func ParseTime(s string, now time.Time) (time.Time, error) {
	if n, days := strings.CutSuffix(s, "d"); days {
		if n, err := strconv.ParseUint(n, 10, 16); err == nil {
			return now.AddDate(0, 0, -int(n)), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil {
		return now.Add(-d), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04",
		time.DateTime, time.DateOnly} {
		if at, err := time.ParseInLocation(layout, s, time.Local); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("%.40q is no time; write 2026-11-20, 2026-11-20T14:00, 36h or 7d", s)
}

// second rounds a time for answers.
func second(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.Local().Truncate(time.Second)
}

// Bounds of texts in answers, in characters.
const (
	maxLine = 300
)

// line returns a text from the web on one line.
func line(s string) string { return htmldoc.CleanLine(s, maxLine) }

// clean removes invisible characters from a text of the web; line breaks and the tabs between cells stay.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && htmldoc.IsUnsafe(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
