// Package inbox lists notices for users: a list that a filter narrows, with each user's read marks
// and the team's decisions, and the export of filtered notices.
//
// It caches the heads of all notices in memory, about 700 bytes each, read once and updated by
// runs; texts stay in the store. A list of 100,000 notices takes about 100 ms and is made without a
// lock. The search index (crawl/search) returns the notices that hold a word, and the result is
// cached.
//
// Read marks belong to a user. Stars, done, notes, verdicts and views belong to the team; they are
// decisions with user and time, see decisions.NoticeEditor.
package inbox

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"golang.org/x/sync/semaphore"

	"angler/crawl/article"
	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/facts"
	"angler/crawl/fields"
	"angler/crawl/filter"
	"angler/crawl/notices"
	"angler/crawl/search"
	"angler/crawl/settings"
	"angler/store"
	"angler/store/records"
)

// Config holds the parts of an Inbox.
type Config struct {
	Store     *store.Workspace
	Decisions *decisions.Decisions
	Settings  *settings.Live
	Facts     *facts.Extractor
	Find      *search.Search
	Answer    func(h *NoticeHead) (a *records.Answer, stale bool) // of the optional model; nil = no model
	Renewed   func()                                              // called when relations may be newer: lists should be requested again
	Now       func() time.Time
}

// Inbox holds the heads and the read marks. It is safe for concurrent use.
type Inbox struct {
	Config
	heads         heads
	words         words
	people        sync.Map // name → *person
	facts         *facts.Words
	kin           relationIndex
	known         atomic.Pointer[relatedNotices] // last result
	copyTimes     atomic.Pointer[[]time.Time]    // see Copies
	renewing      atomic.Bool                    // Renewed is scheduled
	names         atomic.Pointer[siteNames]
	topUnanswered atomic.Pointer[[]string] // see TopUnanswered
	linked        atomic.Int64             // pages stored with their links since opening

	ranking ranking
}

// New returns an Inbox that has read nothing yet.
func New(c Config) *Inbox {
	return &Inbox{Config: c, heads: heads{turn: semaphore.NewWeighted(1)}, words: words{turn: semaphore.NewWeighted(1)},
		facts: facts.NewWords(),
		kin:   relationIndex{turn: semaphore.NewWeighted(1)}, ranking: ranking{turn: semaphore.NewWeighted(1)}}
}

// Noticed adds a stored notice.
func (in *Inbox) Noticed(n *store.Notice) {
	in.heads.add(headOf(n))
	in.words.add(in.Find, n)
}

// Heads returns the heads of all notices, the last seen first. They are read-only.
func (in *Inbox) Heads(ctx context.Context) ([]*NoticeHead, error) {
	return in.heads.all(ctx, in, in.Now())
}

// Prepare reads what the first question needs: heads and relations. It returns early when ctx ends, but
// does not interrupt a computation of relations.
func (in *Inbox) Prepare(ctx context.Context) error {
	_, _, err := in.related(ctx)
	return err
}

// related returns the heads of all notices, the last seen first, and their relations.
func (in *Inbox) related(ctx context.Context) ([]*NoticeHead, *relatedNotices, error) {
	heads, err := in.Heads(ctx)
	if err != nil {
		return nil, nil, err
	}
	known, err := in.relate(ctx, heads)
	return heads, known, err
}

// ReadingError says that the notices are being read after opening. Once Read is All, copies and projects are found.
type ReadingError struct{ Read, All int }

func (e *ReadingError) Error() string {
	if e.Read == e.All {
		return fmt.Sprintf("%d notices are read, their copies and projects are still being found; ask again in some seconds", e.All)
	}
	return fmt.Sprintf("the notices are still being read: %d of %d; ask again in some seconds", e.Read, e.All)
}

// Reading returns how far Prepare is.
func (in *Inbox) Reading() *ReadingError {
	all := in.Store.Counts().Notices
	return &ReadingError{min(all, int(in.heads.steps.Load()/2)), all}
}

// Said takes over new values of notices.
func (in *Inbox) Said(list []*facts.NoticeFacts) { in.heads.setFacts(in.facts, list) }

// TakenBack handles withdrawn notices.
func (in *Inbox) TakenBack() { in.heads.forget() }

// person holds the read marks of one user.
type person struct {
	mu     sync.Mutex
	loaded bool
	read   map[uint64]time.Time // replaced, never modified, so that lists can keep it

	question waitingQuestion
	tastes   tastes
}

// readBy returns the read marks of a user.
func (in *Inbox) readBy(name string) (map[uint64]time.Time, error) {
	p := in.person(name)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.read, p.load(in.Store, name)
}

func (in *Inbox) person(name string) *person {
	p, _ := in.people.LoadOrStore(name, new(person))
	return p.(*person)
}

// load reads the marks once. The caller holds the lock.
func (p *person) load(w *store.Workspace, name string) (err error) {
	if p.loaded {
		return nil
	}
	p.read, err = records.ReadBy(w, name)
	p.loaded = err == nil
	return err
}

// Session is one user's access to the inbox.
type Session struct {
	*decisions.NoticeEditor
	*Inbox
}

// SessionOf returns a Session for a user.
func (in *Inbox) SessionOf(actor auth.Actor) *Session {
	return &Session{in.Decisions.EditorOf(actor), in}
}

// SetRead marks notices as read at these addresses, or as unread at all addresses. It returns after
// the commit.
func (h *Session) SetRead(ids []uint64, read bool) error {
	if err := h.May(auth.Personal); err != nil {
		return err
	}
	if !read {
		ids = h.withCopies(ids)
	}
	p := h.person(h.Name)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.load(h.Store, h.Name); err != nil {
		return err
	}
	other := slices.DeleteFunc(slices.Clone(ids),
		func(id uint64) bool { return isRead(p.read, id, h.heads.changed(id)) == read })
	if len(other) == 0 {
		return nil
	}
	var at time.Time
	if read {
		at = h.Now()
	}
	if err := records.SetRead(h.Store, h.Name, other, at); err != nil {
		return err
	}
	next := maps.Clone(p.read)
	for _, id := range other {
		if read {
			next[id] = at
		} else {
			delete(next, id)
		}
	}
	p.read = next
	return nil
}

// isRead reports whether a notice was read since it changed.
func isRead(read map[uint64]time.Time, id uint64, changed time.Time) bool {
	at, known := read[id]
	return known && !changed.After(at)
}

// readSomewhere reports whether a notice was read since it changed, at any of its addresses. A copy
// found later need not be read again.
func readSomewhere(read map[uint64]time.Time, r *row) bool {
	if isRead(read, r.ID, r.Changed) {
		return true
	}
	return r.Group != nil && !r.Marks.IsApart() &&
		slices.ContainsFunc(r.Group.IDs, func(id uint64) bool { return isRead(read, id, r.Changed) })
}

// Place returns the stored state of the user's screens; nil if there is none.
func (h *Session) Place() (json.RawMessage, error) { return records.ScreensOf(h.Store, h.Name) }

// SetPlace stores the state of the user's screens, at most 64 KB of JSON.
func (h *Session) SetPlace(v json.RawMessage) error {
	if err := h.May(auth.Personal); err != nil {
		return err
	}
	if len(v) > maxPlace {
		return fmt.Errorf("how the screens were left takes %d bytes; at most %d are kept", len(v), maxPlace)
	}
	return records.SetScreens(h.Store, h.Name, v)
}

const maxPlace = 64 << 10

// Views returns the named filters, the oldest first. They are read-only.
func (h *Session) Views() []decisions.SavedView { return h.Decisions.State().Views }

// Yields returns the notices of every list by the list's page, and the page that each follows,
// including pages without notices. It reads notices that arrived since the last call.
func (h *Session) Yields(ctx context.Context) (map[uint64]ListYield, error) {
	now := h.Now()
	heads, err := h.Heads(ctx)
	if err != nil {
		return nil, err
	}
	out := yields(heads, now)
	return out, setBehind(h.Store, out)
}

// List makes a list; a mistake in the filter is a *filter.Error.
func (h *Session) List(ctx context.Context, ask Request) (*Listing, error) {
	read, err := h.readBy(h.Name)
	if err != nil {
		return nil, err
	}
	b, err := h.list(ctx, ask, h.Name, read)
	if err != nil {
		return nil, err
	}
	if before := h.person(h.Name).question.typed(ask.Query, wordsOf(b.Lit),
		len(b.Rows) > 0 || len(b.Lit) == 0); before != nil {
		err = h.unanswered(before, h.Name)
	}
	return b, err
}

// CheckFilter returns a *filter.Error for a mistake in a filter. It does not block.
func (h *Session) CheckFilter(text string) error {
	_, err := h.language(nil).Parse(text, h.Now())
	return err
}

// FilterFields returns the filter fields for display: name, example, usual comparison, and Chinese
// name.
func (h *Session) FilterFields() [][4]string {
	var out [][4]string
	for _, f := range h.language(nil).Fields {
		sign := ":"
		switch {
		case f.Number != nil, f.Numbers != nil, f.Day != nil:
			sign = ">="
		case f.Until != nil:
			sign = "<"
		}
		chinese := f.Name
		for _, name := range f.Also {
			if strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
				chinese = name
				break
			}
		}
		out = append(out, [4]string{f.Name, f.Help, sign, chinese})
	}
	return out
}

// NoticeHead is the cached part of a notice. It is shared and read-only.
type NoticeHead struct {
	ID       uint64 // what most questions read comes first
	Same     uint64 // hash of title and text; 0 = unknown
	Date     article.Date
	At       time.Time         // first seen
	Changed  time.Time         // last change of its text; zero = never
	Facts    facts.PackedFacts // values of its fields
	Title    string
	Host     string
	URL      string
	Source   string // address of the aggregation page
	SourceID uint64
	FrameID  uint64  // if the list stands in a frame: the page in the frame
	Score    float64 // of the aggregation page when harvested
	Files    int
	Text     bool   // the notice has a text
	Aside    bool   // see notices.IsOffTopicTitle
	Version  uint64 // hash of title, date, text and attachments
	Sketch   facts.Sketch

	words, values []uint32       // see tokens
	place         *atomic.Uint32 // see search.Scores.At
}

// Shown returns the notice's date, or the time first seen if it has none.
func (h *NoticeHead) Shown() time.Time {
	if h.Date.IsZero() {
		return h.At
	}
	return h.Date.Time
}

// Moved returns when the notice was last changed, or first seen.
func (h *NoticeHead) Moved() time.Time {
	if h.Changed.After(h.At) {
		return h.Changed
	}
	return h.At
}

// relationCounts counts related, doubtful and changed notices.
type relationCounts struct {
	Groups   int `json:"groups"`   // notices at several addresses
	Copies   int `json:"copies"`   // their other addresses
	Threads  int `json:"threads"`  // projects of several notices
	Doubtful int `json:"doubtful"` // possibly no notices
	Checked  int `json:"checked"`  // notices whose content was checked
	Changed  int `json:"changed"`  // notices whose text changed
}

// ListedNotice is one row of the list for a user.
type ListedNotice struct {
	*NoticeHead
	Site    string // short and unique
	Cut     int    // bytes of the title without the site's suffix
	Read    bool   // by this user
	New     bool   // since the user's last look
	Marks   *decisions.Marks
	Quality *Quality
	State   notices.ProjectState    // state of its project; of a single notice by its kind
	Thread  *notices.ProjectThread  // project of several notices; nil = single
	Group   *notices.DuplicateGroup // its other addresses; nil = none
	Doubt   *notices.Finding        // why it may be no notice; nil = no doubt
	Match   float64                 // relevance to the query's words (BM25); 0 without words
	ForMe   float64                 // how likely it is for this user, 0 … 1; -1 before Learned.Ready
	Answer  *records.Answer         // of the optional model; nil = none
	Stale   bool                    // Answer is about another question, or another version of the notice
	Copies  int                     // number of rows folded under it
	Under   uint64                  // notice that this one is folded under; 0 = none
}

// Due returns the notice's deadline. It is zero if a later notice of its project changed the
// deadline or stopped the project.
func (r *ListedNotice) Due() time.Time { return r.due(r.Facts.Time("deadline")) }

// due is Due for the deadline that the notice names.
func (r *ListedNotice) due(at time.Time) time.Time {
	if at.IsZero() || notices.DeadlineHolds(r.Thread, r.Group, r.ID) {
		return at
	}
	return time.Time{}
}

// Said returns what the optional model says: yes, no, unsure or stale; "" = nothing.
func (r *ListedNotice) Said() string {
	switch {
	case r.Answer == nil:
		return ""
	case r.Stale:
		return "stale"
	}
	return r.Answer.Said
}

// Request describes a list.
type Request struct {
	Query  string
	Counts []string  // further filters to count matches for
	Since  time.Time // user's last look; zero = nothing is new
	Keep   []uint64  // notices that stay in the list even if the filter excludes them
}

// Listing holds the notices that a filter selects at one moment.
type Listing struct {
	Rows   []ListedNotice       // newest first
	Query  string               // of the request
	All    int                  // notices in the workspace
	Unread int                  // of all notices
	New    int                  // of all notices: since the user's last look
	Newest time.Time            // time the newest notice was first seen
	Counts []int                // matches of Request.Counts, in order; -1 = mistake in the filter
	Lit    []string             // words to highlight
	Ranked bool                 // the query has words, so rows have a Match
	Why    []filter.TermMatches // without rows: matches of each term of the filter
	Yields map[uint64]ListYield
	Lists  map[uint64]*Quality // of the aggregation pages known to RankNotices
	T      float64             // of every Quality
	Kin    relationCounts
	ForMe  Learned        // from this user's verdicts
	Fields []fields.Field // fields of notices
}

// ListYield counts the notices of one aggregation page.
type ListYield struct {
	Notices int
	New     int // first seen today, see Today

	Behind uint64 // page whose pager leads to this one; 0 = none, or not requested
}
