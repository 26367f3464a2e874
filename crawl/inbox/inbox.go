// Package inbox is the notices as people read them: a list that a filter narrows
// down, with what each person has read and what the team has decided about each
// notice, and the export of what a filter lets pass.
//
// It keeps the heads of all notices in memory, some 500 bytes each, read once and
// kept up to date by what a harvest brings home; texts stay in the store. A list of
// 100 000 notices costs some 100 ms and is made outside of every lock. Which notices
// hold a word is asked of the search index (crawl/search), and remembered after that.
//
// What is read belongs to a person; stars, done, notes, verdicts and views belong
// to the team and are decisions with who and when, see decisions.NoticeEditor.
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

	"angler/crawl/article"
	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/facts"
	"angler/crawl/fields"
	"angler/crawl/notices"
	"angler/crawl/search"
	"angler/crawl/settings"
	"angler/store"
	"angler/store/records"
)

// Config is what an Inbox works with.
type Config struct {
	Store     *store.Workspace
	Decisions *decisions.Decisions
	Settings  *settings.Live
	Facts     *facts.Extractor
	Find      *search.Search
	Renewed   func() // what belongs together may be known better now: lists are to be asked for again
	Now       func() time.Time
}

// Inbox holds the heads and what was read. It is safe for concurrent use.
type Inbox struct {
	Config
	heads  heads
	words  words
	people sync.Map // name → *person
	facts  *facts.Words
	kin    relationIndex
	known  atomic.Pointer[bonds]       // that were made last
	again  atomic.Pointer[[]time.Time] // see Copies
	asked  atomic.Bool                 // that lists are asked for again
	names  atomic.Pointer[siteNames]
	vain   atomic.Pointer[[]string] // see TopUnanswered
	linked atomic.Int64             // pages stored with their links since opening

	ranking ranking
}

// New returns an Inbox that has read nothing yet.
func New(c Config) *Inbox {
	return &Inbox{Config: c, heads: heads{turn: make(chan struct{}, 1)}, words: words{turn: make(chan struct{}, 1)}, facts: facts.NewWords(),
		kin: relationIndex{turn: make(chan struct{}, 1)}, ranking: ranking{turn: make(chan struct{}, 1)}}
}

// Noticed takes up a notice that was stored.
func (in *Inbox) Noticed(n *store.Notice) {
	in.heads.add(headOf(n))
	in.words.add(in.Find, n)
}

// Heads are those of all notices, those seen last first. They are not to be changed.
func (in *Inbox) Heads(ctx context.Context) ([]*NoticeHead, error) {
	return in.heads.all(ctx, in, in.Now())
}

// Said takes up what notices say.
func (in *Inbox) Said(list []*facts.NoticeFacts) { in.heads.said(in.facts, list) }

// TakenBack follows notices that are no longer stored.
func (in *Inbox) TakenBack() { in.heads.forget() }

// person is what one person has read.
type person struct {
	mu     sync.Mutex
	loaded bool
	read   map[uint64]time.Time // replaced, not changed, so that lists may go on with it

	question waitingQuestion
}

// readBy returns what a person has read.
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

// load is for who holds the lock.
func (p *person) load(w *store.Workspace, name string) (err error) {
	if p.loaded {
		return nil
	}
	p.read, err = records.ReadBy(w, name)
	p.loaded = err == nil
	return err
}

// Session is the inbox in the hands of one person.
type Session struct {
	*decisions.NoticeEditor
	*Inbox
}

// SessionOf returns the inbox in the hands of a person.
func (in *Inbox) SessionOf(actor auth.Actor) *Session {
	return &Session{in.Decisions.EditorOf(actor), in}
}

// SetRead notes that the person has read notices, or has not, at whatever address. It is
// on the disk when it returns.
func (h *Session) SetRead(ids []uint64, read bool) error {
	if err := h.May(auth.Personal); err != nil {
		return err
	}
	if !read {
		ids = h.whole(ids)
	}
	p := h.person(h.Name)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.load(h.Store, h.Name); err != nil {
		return err
	}
	other := slices.DeleteFunc(slices.Clone(ids), func(id uint64) bool { return isRead(p.read, id, h.heads.changed(id)) == read })
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

// isRead reports whether a person has read a notice since it changed.
func isRead(read map[uint64]time.Time, id uint64, changed time.Time) bool {
	at, known := read[id]
	return known && !changed.After(at)
}

// readSomewhere reports whether a person has read a notice since it changed, at whichever
// of its addresses: a copy that comes later is nothing to be read again.
func readSomewhere(read map[uint64]time.Time, r *row) bool {
	if isRead(read, r.ID, r.Changed) {
		return true
	}
	return r.Group != nil && !r.Marks.IsApart() && slices.ContainsFunc(r.Group.IDs, func(id uint64) bool { return isRead(read, id, r.Changed) })
}

// Place returns how the person left the screens, nil when nothing is known; SetPlace
// keeps it.
func (h *Session) Place() (json.RawMessage, error) { return records.ScreensOf(h.Store, h.Name) }

// SetPlace is described at Place.
func (h *Session) SetPlace(v json.RawMessage) error {
	if err := h.May(auth.Personal); err != nil {
		return err
	}
	if len(v) > longestPlace {
		return fmt.Errorf("how the screens were left takes %d bytes; at most %d are kept", len(v), longestPlace)
	}
	return records.SetScreens(h.Store, h.Name, v)
}

const longestPlace = 64 << 10

// Views are the filters that a person gave a name, oldest first. They are not to be
// changed.
func (h *Session) Views() []decisions.SavedView { return h.Decisions.State().Views }

// Yields are what every list has brought home, by the list's page, and behind which page
// each stands, also of those in between that brought nothing. The notices that came since
// they were asked for last are read.
func (h *Session) Yields(ctx context.Context) (map[uint64]ListYield, error) {
	now := h.Now()
	heads, err := h.heads.all(ctx, h.Inbox, now)
	if err != nil {
		return nil, err
	}
	out := yields(heads, now)
	return out, chain(h.Store, out)
}

// List makes the list that is asked for; a filter with a mistake is a *filter.Error.
func (h *Session) List(ctx context.Context, ask Request) (*Listing, error) {
	read, err := h.readBy(h.Name)
	if err != nil {
		return nil, err
	}
	b, err := h.list(ctx, ask, read)
	if err != nil {
		return nil, err
	}
	if before := h.person(h.Name).question.typed(ask.Query, wordsOf(b.Lit), len(b.Rows) > 0 || len(b.Lit) == 0); before != nil {
		err = h.unanswered(before, h.Name)
	}
	return b, err
}

// CheckFilter says what is wrong with a filter, as a *filter.Error. It returns at once.
func (h *Session) CheckFilter(text string) error {
	_, err := h.language(nil).Parse(text, h.Now())
	return err
}

// FilterFields are the fields of the filters for people: the name, an example, the
// comparison that is usual, and the name in Chinese.
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

// NoticeHead is what lists know of a stored notice. It is shared: not to be changed.
type NoticeHead struct {
	ID       uint64
	URL      string
	Host     string
	Title    string
	Date     article.Date
	At       time.Time // first seen
	Source   string    // address of the aggregation page
	SourceID uint64
	FrameID  uint64  // where the list shows it in a frame: the page in that frame
	Score    float64 // of the aggregation page when harvested
	Files    int
	Text     bool              // it has one
	Aside    bool              // see notices.IsOffTopicTitle
	Same     uint64            // equal for notices that show the same text under the same title; 0 = nothing is known
	Version  uint64            // another one whenever title, date, text or attachments are others
	Facts    facts.PackedFacts // the values of its fields
	Sketch   facts.Sketch
	Changed  time.Time // when it was last found to say something else; zero = never
}

// Shown is when a notice is from: its date, or without one when it was first seen.
func (h *NoticeHead) Shown() time.Time {
	if h.Date.IsZero() {
		return h.At
	}
	return h.Date.Time
}

// RelationCounts count what belongs together, and what is doubtful or has changed.
type RelationCounts struct {
	Groups   int `json:"groups"`   // notices at several addresses
	Copies   int `json:"copies"`   // other addresses of them
	Threads  int `json:"threads"`  // projects of several notices
	Doubtful int `json:"doubtful"` // may be no notices
	Checked  int `json:"checked"`  // notices whose content was checked
	Changed  int `json:"changed"`  // notices that said something else before
}

// ListedNotice is one notice as a person sees it in the list.
type ListedNotice struct {
	*NoticeHead
	Site    string // short and unique
	Cut     int    // bytes of the title before what the site writes behind every title
	Read    bool   // by this person
	New     bool   // since the person last looked
	Marks   *decisions.Marks
	Quality *Quality
	State   notices.ProjectState    // of its project; of one notice alone what its kind says
	Thread  *notices.ProjectThread  // of several notices; nil = it is alone
	Group   *notices.DuplicateGroup // its other addresses; nil = it has none
	Doubt   *notices.Finding        // why it may be no notice; nil = it is one
	Match   float64                 // how relevant it is to the words asked for (BM25); 0 without any
	Copies  int                     // how many others of the list show the same and are folded under it
	Under   uint64                  // the notice that this one is folded under; 0 = none
}

// Due is the notice's deadline as long as it counts: zero once a later notice of its
// project gives another one or stops the project.
func (r *ListedNotice) Due() time.Time {
	if at := r.Facts.Time("deadline"); at.IsZero() || notices.DeadlineHolds(r.Thread, r.Group, r.ID) {
		return at
	}
	return time.Time{}
}

// Request says which notices are wanted.
type Request struct {
	Query  string
	Counts []string  // filters whose notices are counted besides
	Since  time.Time // when the person last looked; zero = nothing is new
	Keep   []uint64  // notices that stay in the list although the filter does not let them pass any more
}

// Listing is the notices that a filter lets pass, at one moment.
type Listing struct {
	Rows   []ListedNotice // newest first
	Query  string         // that was asked for
	All    int            // notices of the workspace
	Unread int            // of all
	New    int            // of all: since the person last looked
	Newest time.Time      // when the newest of all was first seen
	Counts []int          // of the views that were asked for, in their order; -1 = the view has a mistake
	Lit    []string       // words to be lit
	Ranked bool           // words were asked for, so rows have a Match
	Why    []TermMatches  // for no rows: what each term of the filter leaves
	Yields map[uint64]ListYield
	Lists  map[uint64]*Quality // of the aggregation pages that RankNotices has seen
	T      float64             // in force for every Quality
	Kin    RelationCounts
	Fields []fields.Field // that notices have
}

// TermMatches tells of one term of a filter how many notices meet it alone, and how many
// meet all the other terms.
type TermMatches struct {
	Term           string
	Alone, Without int

	// Of a term that none meets: which values there are instead, as they are typed.
	Least, Most string   // of numbers and times; "" = none is known
	Values      []string // of names, the most frequent first
}

// ListYield is what one aggregation page has brought home.
type ListYield struct {
	Notices int
	New     int // first seen today, see Today

	Behind uint64 // the page whose pager leads to this one; 0 = none, or it was not asked for
}
