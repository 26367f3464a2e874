package alerts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"angler/crawl/inbox"
	"angler/crawl/notices"
	"angler/crawl/view"
	"angler/store/config"
	"angler/store/records"
)

// compose makes the digest of rows that a place did not receive yet. It also returns the marks to
// set after delivery.
func (n *Notifier) compose(
	ctx context.Context, x *config.Notify, place records.Place, now time.Time,
) (*Digest, map[records.MarkKey]uint64, error) {
	box, err := n.Inbox.List(ctx, inbox.Request{Query: x.Filter})
	if err != nil {
		return nil, nil, fmt.Errorf("filter: %w", err)
	}
	told, _, err := records.ToldOf(n.Store, place)
	if err != nil {
		return nil, nil, err
	}
	g := &digestBuilder{x: x, now: now, model: n.Settings().Assistant.On(), told: told,
		marks: map[records.MarkKey]uint64{}, items: map[string][]digestItem{},
		changed: map[uint64]bool{}}
	for i := range box.Rows {
		g.row(&box.Rows[i])
	}
	for _, list := range g.items {
		for i := range list {
			if it := &list[i]; g.changed[it.ID] {
				it.Change = n.changeOf(ctx, it.ID)
			}
		}
	}
	d := &Digest{Workspace: n.Workspace, Notify: x.Name, Language: n.language(x), At: now.In(x.Location())}
	if x.Tells(config.TellLists) {
		if g.lists, err = n.alarms(ctx, told, g.marks); err != nil {
			return nil, nil, err
		}
	}
	for _, tells := range sectionOrder {
		s := digestSection{Tells: tells, Items: g.items[tells]}
		slices.SortStableFunc(s.Items, func(a, b digestItem) int {
			if tells == config.TellDue {
				return a.Deadline.Compare(b.Deadline)
			}
			return cmp.Compare(modelRank(&a), modelRank(&b))
		})
		if tells == config.TellLists {
			s.Lists = g.lists
		}
		if len(s.Items)+len(s.Lists) > 0 {
			d.Sections = append(d.Sections, s)
		}
	}
	return d, g.marks, nil
}

// digestBuilder sorts inbox rows into sections.
type digestBuilder struct {
	x     *config.Notify
	now   time.Time
	model bool // items have the answers of the optional model
	told  map[records.MarkKey]uint64
	marks map[records.MarkKey]uint64
	items map[string][]digestItem
	lists []view.ListAlarm

	changed map[uint64]bool // items that were sent in another version before
}

func (g *digestBuilder) row(r *inbox.ListedNotice) {
	if r.Under != 0 { // sent with the notice that it repeats
		return
	}
	notice, due := records.MarkKey{Kind: records.MarkNotice, ID: r.ID}, records.MarkKey{Kind: records.MarkDue, ID: r.ID}
	version, known := g.told[notice]
	fresh := !known || version != r.Version
	it := itemOf(r)
	if g.model && r.Answer != nil && !r.Stale {
		it.Model, it.Quote = r.Answer.Said, r.Answer.Quote
	}
	tells := ""
	switch {
	case fresh && slices.Contains(awards, it.Kind) && g.x.Tells(config.TellWon):
		tells = config.TellWon
	case !known:
		tells = config.TellNew
	case fresh:
		tells = config.TellChanged
	}
	if !g.x.Tells(tells) {
		tells = ""
	}
	if left := it.Deadline.Sub(g.now); g.x.Tells(config.TellDue) && !it.Deadline.IsZero() && left > 0 &&
		left <= g.x.DueWithin() &&
		g.told[due] != uint64(it.Deadline.Unix()) && !r.Marks.IsDone() {
		tells = config.TellDue
		g.marks[due] = uint64(it.Deadline.Unix())
	}
	if tells == "" {
		return
	}
	if fresh {
		g.marks[notice] = r.Version
	}
	it.New = tells == config.TellDue && !known && g.x.Tells(config.TellNew)
	if known && fresh && (tells == config.TellChanged || tells == config.TellDue) {
		g.changed[r.ID] = true
	}
	g.items[tells] = append(g.items[tells], it)
}

// modelRank orders items by the answer of the optional model: yes, none or unsure, no.
func modelRank(it *digestItem) int {
	switch it.Model {
	case records.SaidYes:
		return 0
	case records.SaidNo:
		return 2
	}
	return 1
}

// awards are the kinds of notices that announce a winner.
var awards = []string{"中标", "成交", "award"}

// itemOf converts an inbox row into an item without Change.
func itemOf(r *inbox.ListedNotice) digestItem {
	text := func(field string) string { return strings.Join(r.Facts.Texts(field, r.Title), "、") }
	it := digestItem{ID: r.ID, Title: r.Title[:min(r.Cut, len(r.Title))], URL: r.URL, Site: r.Site, Kind: text("kind"),
		Buyer:    text("buyer"),
		Deadline: r.Due(), Winner: text("winner"), Also: r.Copies, Doubtful: r.Doubt != nil}
	it.Budget, _ = r.Facts.Number("budget")
	it.Amount, _ = r.Facts.Number("amount")
	if v := r.Facts.Values("deadline", r.Title); len(v) > 0 {
		it.Clocked = v[0].Clock
	}
	if !r.Date.IsZero() {
		it.Date = r.Date.Time.Format(time.DateOnly)
	}
	return it
}

// maxChanges bounds the changed lines in an item.
const maxChanges = 3

// changeOf returns the lines that the present version of a notice added.
func (n *Notifier) changeOf(ctx context.Context, id uint64) string {
	k, err := n.Inbox.Kindred(ctx, id)
	if err != nil || k == nil || len(k.Versions) == 0 {
		return ""
	}
	var out []string
	for _, l := range k.Versions[0].Lines {
		if l.Kind == notices.DiffAdded && strings.TrimSpace(l.Text) != "" && len(out) < maxChanges {
			out = append(out, strings.TrimSpace(l.Text))
		}
	}
	return strings.Join(out, " / ")
}

// maxMissing bounds the lists with missing entries in one message; the next message holds the rest.
const maxMissing = 30

// alarms returns the broken lists that were not reported yet. It marks repaired lists, so that a
// new failure is reported again.
func (n *Notifier) alarms(ctx context.Context, told, marks map[records.MarkKey]uint64) ([]view.ListAlarm, error) {
	all, err := n.Lists.Alarms(ctx)
	if err != nil {
		return nil, err
	}
	var out []view.ListAlarm
	broken, cut := map[uint64]bool{}, 0
	for _, a := range all {
		broken[a.ID] = true
		if a.Muted {
			continue
		}
		k := records.MarkKey{Kind: records.MarkList, ID: a.ID}
		if v := markOf(&a); told[k] != v {
			if a.Kind == view.ListUnfollowed {
				if cut++; cut > maxMissing {
					continue
				}
			}
			marks[k] = v
			out = append(out, a)
		}
	}
	for k, v := range told {
		if k.Kind == records.MarkList && v != 0 && !broken[k.ID] {
			marks[k] = 0
		}
	}
	return out, nil
}

func markOf(a *view.ListAlarm) uint64 {
	h := fnv.New64a()
	h.Write([]byte(a.Mark()))
	return h.Sum64() | 1
}

// ErrNone means that no setting has this name; test with errors.Is.
var ErrNone = errors.New("no such row in [[notify]]")

// Named returns a setting by its name.
func (n *Notifier) Named(name string) (*config.Notify, error) {
	if x := n.setting(name); x != nil {
		return x, nil
	}
	var names []string
	for _, x := range n.Settings().Notify {
		names = append(names, x.Name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%w: angler.toml has none yet; docs/daily.md shows how they look", ErrNone)
	}
	return nil, fmt.Errorf("%w: %q; there are %q", ErrNone, name, names)
}

// Preview returns the messages that a setting would send now. It sends and marks nothing.
func (n *Notifier) Preview(ctx context.Context, name string) ([]*Digest, error) {
	x, err := n.Named(name)
	if err != nil {
		return nil, err
	}
	if err := n.Facts.Idle(ctx); err != nil {
		return nil, err
	}
	place := records.PlaceOf(wayPlace(x))
	told, _, err := records.ToldOf(n.Store, place)
	if err != nil {
		return nil, err
	}
	d, _, err := n.compose(ctx, x, place, n.Now())
	if err != nil {
		return nil, err
	}
	if len(told) == 0 { // a new setting starts with notices found from now on
		d.Sections = slices.DeleteFunc(d.Sections,
			func(s digestSection) bool { return s.Tells != config.TellDue && s.Tells != config.TellLists })
	}
	return newWay(x, n.Env).split(d), nil
}

// maxTested bounds the notices in a test message.
const maxTested = 3

// Test sends a test message with a few notices that the filter selects. It marks nothing as sent.
func (n *Notifier) Test(ctx context.Context, name string) error {
	x, err := n.Named(name)
	if err != nil {
		return err
	}
	box, err := n.Inbox.List(ctx, inbox.Request{Query: x.Filter})
	if err != nil {
		return fmt.Errorf("filter: %w", err)
	}
	d := &Digest{Workspace: n.Workspace, Notify: x.Name, Language: n.language(x), At: n.Now().In(x.Location()),
		Test: true}
	s := digestSection{Tells: config.TellNew}
	for i := range box.Rows[:min(maxTested, len(box.Rows))] {
		s.Items = append(s.Items, itemOf(&box.Rows[i]))
	}
	if len(s.Items) > 0 {
		d.Sections = append(d.Sections, s)
	}
	m := &outgoing{Ref: "angler-test-" + newRef(), Digest: d}
	if err := newWay(x, n.Env).send(ctx, m); err != nil {
		return fmt.Errorf("notify %s: %w", x.Name, err)
	}
	n.Events.Note("info", "notify %s: the test message was sent", x.Name)
	return nil
}
