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

	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/fields"
	"angler/crawl/notices"
	"angler/crawl/view"
	"angler/store"
	"angler/store/personal"
)

// Config is what an Inbox works with.
type Config struct {
	Store     *store.Workspace
	Decisions *decisions.Decisions
	Share     func() float64 // of similarity in the qualities, as the settings say
	// Qualities and ListQualities tell the qualities of notices and of aggregation
	// pages.
	Qualities     func() func(id uint64) *view.Quality
	ListQualities func() (ids []uint64, quality func(id uint64) *view.Quality)
	Now           func() time.Time

	Facts   Facts       // the values of the notices' fields
	Check   func() bool // whether notices are checked, as the settings say
	Renewed func()      // what belongs together may be known better now: lists are to be asked for again
	Find    Finder
}

// Facts tells what notices say; *facts.Extractor does.
type Facts interface {
	Set() *fields.Set
	Checks() *notices.FamilySet
	Each(ctx context.Context, f func(*view.NoticeFacts) error) error
}

// Inbox holds the heads and what was read. It is safe for concurrent use.
type Inbox struct {
	Config
	heads  heads
	words  words
	people sync.Map // name → *person
	facts  *view.Words
	kin    relationIndex
	known  atomic.Pointer[bonds]       // that were made last
	again  atomic.Pointer[[]time.Time] // see Copies
	asked  atomic.Bool                 // that lists are asked for again
	names  siteNames
	vain   atomic.Pointer[[]string] // see TopUnanswered
}

// New returns an Inbox that has read nothing yet.
func New(c Config) *Inbox {
	return &Inbox{Config: c, heads: heads{turn: make(chan struct{}, 1)}, words: words{turn: make(chan struct{}, 1)}, facts: view.NewWords(),
		kin: relationIndex{turn: make(chan struct{}, 1)}}
}

// Noticed takes up a notice that was stored.
func (in *Inbox) Noticed(n *store.Notice) {
	in.heads.add(headOf(n))
	in.words.add(in.Find, n)
}

// Heads are those of all notices, those seen last first. They are not to be changed.
func (in *Inbox) Heads(ctx context.Context) ([]*view.NoticeHead, error) {
	return in.heads.all(ctx, in, in.Now())
}

// Said takes up what notices say.
func (in *Inbox) Said(list []*view.NoticeFacts) { in.heads.said(in.facts, list) }

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
	p.read, err = personal.Read(w, name)
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
	if err := personal.SetRead(h.Store, h.Name, other, at); err != nil {
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

// isRead reports whether somebody has read a notice since it changed.
func isRead(read map[uint64]time.Time, id uint64, changed time.Time) bool {
	at, known := read[id]
	return known && !changed.After(at)
}

// readSomewhere reports whether somebody has read a notice since it changed, at whichever
// of its addresses: a copy that comes later is nothing to be read again.
func readSomewhere(read map[uint64]time.Time, r *row) bool {
	if isRead(read, r.ID, r.Changed) {
		return true
	}
	return r.Group != nil && !r.Marks.IsApart() && slices.ContainsFunc(r.Group.IDs, func(id uint64) bool { return isRead(read, id, r.Changed) })
}

// Place returns how the person left the screens, nil when nothing is known; SetPlace
// keeps it.
func (h *Session) Place() (json.RawMessage, error) { return personal.Place(h.Store, h.Name) }

// SetPlace is described at Place.
func (h *Session) SetPlace(v json.RawMessage) error {
	if err := h.May(auth.Personal); err != nil {
		return err
	}
	if len(v) > longestPlace {
		return fmt.Errorf("how the screens were left takes %d bytes; at most %d are kept", len(v), longestPlace)
	}
	return personal.SetPlace(h.Store, h.Name, v)
}

const longestPlace = 64 << 10

// Views are the filters that somebody gave a name, oldest first. They are not to be
// changed.
func (h *Session) Views() []view.SavedView { return h.Decisions.State().Views }

// Yields are what every list has brought home, by the list's page, and behind which page
// each stands, also of those in between that brought nothing. The notices that came since
// they were asked for last are read.
func (h *Session) Yields(ctx context.Context) (map[uint64]view.ListYield, error) {
	now := h.Now()
	heads, err := h.heads.all(ctx, h.Inbox, now)
	if err != nil {
		return nil, err
	}
	out := yields(heads, now)
	return out, chain(h.Store, out)
}

// List makes the list that is asked for; a filter with a mistake is a *filter.Error.
func (h *Session) List(ctx context.Context, ask view.InboxAsk) (*view.Inbox, error) {
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
