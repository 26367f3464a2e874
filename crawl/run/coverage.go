package run

import (
	"cmp"
	"slices"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/htmldoc"
	"angler/crawl/listpage"
	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/store/records"
	"angler/topic"
)

// coverageVisit is a page that was read.
type coverageVisit struct {
	Store    *store.Workspace
	State    *decisions.State // that judged the page
	URL      *store.URL
	Page     *page.Page
	Doc      *topic.Doc   // its words
	Relevant bool         // it was judged an aggregation page
	Known    bool         // it was stored before
	Followed []store.Link // the links that were chosen of it
	Expects  bool         // it is read again in this run, when a file has come that its rows need: no warning comes before
	Now      time.Time
}

// coverageVerdict is what a visit has found.
type coverageVerdict struct {
	Row     *records.MissingEntries // to be stored with the page; without things it takes away what is stored, nil leaves it
	Lacking bool                    // people are to know that something of the list is missing
	Untold  []records.MissingEntry  // what no event has told yet
}

// judgeCoverage judges a page that was read. When the store cannot be read it judges as if
// nothing were stored.
func judgeCoverage(v *coverageVisit) coverageVerdict {
	seen := left(v.Followed, v.Page)
	out := v.missing(seen)
	if len(seen) == 0 || v.Expects {
		return out
	}
	if v.Relevant || v.State.Confirmed(v.URL.ID, v.URL.URL) || IsWanted(v.State, v.URL, v.Page.Head, v.Doc) {
		out.tell(v.State, v.URL, func(frame string) bool { return has(v.Followed, frame) || knows(v.Store, frame) })
	}
	return out
}

// missing is the verdict on things that are missing of a page, before people are told.
func (v *coverageVisit) missing(seen []records.MissingEntry) coverageVerdict {
	switch {
	case len(seen) > 0:
		row := &records.MissingEntries{ID: v.URL.ID, Seen: seen, Since: v.Now}
		if was, err := records.MissingOf(v.Store, v.URL.ID); err == nil && was != nil {
			row.Since, row.Told = was.Since, was.Told
		}
		return coverageVerdict{Row: row}
	case v.Known:
		return coverageVerdict{Row: &records.MissingEntries{}}
	}
	return coverageVerdict{}
}

// judgeCoverageAgain judges an aggregation page that is as it was, by what is stored: it may have
// become one only since.
func judgeCoverageAgain(w *store.Workspace, s *decisions.State, u *store.URL) coverageVerdict {
	row, err := records.MissingOf(w, u.ID)
	if err != nil || row == nil {
		return coverageVerdict{}
	}
	out := coverageVerdict{Row: row}
	if out.tell(s, u, func(frame string) bool { return knows(w, frame) }); len(out.Untold) == 0 {
		out.Row = nil
	}
	return out
}

// knows tells that an address is one of the crawl.
func knows(w *store.Workspace, address string) bool {
	_, known := w.Lookup(address)
	return known
}

// tell has people know, unless one of them has said that this is fine. Of a frame that is
// followed it is unknown whether its page is a list: MissingBeyondLists says so later.
func (v *coverageVerdict) tell(s *decisions.State, u *store.URL, followed func(frame string) bool) {
	if s == nil || s.Labels[u.ID] == topic.No || s.Remarks[u.ID].Mutes() == view.UnfollowedMark(v.Row.Kinds()) {
		return
	}
	told := slices.Clone(v.Row.Told)
	for _, x := range v.Row.Seen {
		if x.Kind == listpage.KindFrame && followed(x.Text) {
			continue
		}
		v.Lacking = true
		if !slices.Contains(v.Row.Told, x.Kind) {
			v.Untold = append(v.Untold, x)
			told = append(told, x.Kind)
		}
	}
	if len(v.Untold) > 0 {
		row := *v.Row
		row.Told = told
		v.Row = &row
	}
}

// IsWanted reports whether people are to hear that nothing of a page's list could be
// read, although it is no aggregation page: a page without entries can be none. They
// are if they have named the page, as a seed, a sample or by a label, if its words are
// those of the topic, or if it is called like the notices. d is what its words are; nil
// where it is unknown.
func IsWanted(s *decisions.State, u *store.URL, title string, d *topic.Doc) bool {
	switch {
	case s.Labels[u.ID] == topic.No:
		return false
	case u.Depth == 0 || s.Confirmed(u.ID, u.URL):
		return true
	case s.Patterns != nil && (s.Patterns.Match(title) || s.Patterns.Match(u.Anchor)):
		return true
	case s.Model == nil || d == nil || s.Model.Err() != nil:
		return false
	}
	list := *d // as it would be with its entries
	list.Front, list.Records, list.Dated = false, leastEntries, leastEntries
	return s.Relevant(&list, s.Model.Score(&list))
}

// leastEntries with dates make a page a list.
const leastEntries = 3

// decodeMissing is what a stored row tells, what hides most of a list first; nil for no row.
func decodeMissing(r *records.MissingEntries) (seen []listpage.MissingEntries) {
	if r == nil {
		return nil
	}
	for _, x := range r.Seen {
		seen = append(seen, listpage.MissingEntries{Kind: x.Kind, Text: x.Text, Why: x.Why, Help: listpage.HelpFor(x.Kind)})
	}
	slices.SortStableFunc(seen, func(a, b listpage.MissingEntries) int {
		return cmp.Compare(slices.Index(listpage.MissingKinds, a.Kind), slices.Index(listpage.MissingKinds, b.Kind))
	})
	return seen
}

// MissingBeyondLists is what of it is missing when some pages are lists: a frame whose page is one
// brings its entries home.
func MissingBeyondLists(
	w *store.Workspace, seen []listpage.MissingEntries, list func(id uint64) bool,
) []listpage.MissingEntries {
	return slices.DeleteFunc(slices.Clone(seen), func(x listpage.MissingEntries) bool {
		if x.Kind != listpage.KindFrame {
			return false
		}
		id, known := w.Lookup(x.Text)
		return known && list(id)
	})
}

// AllMissing is what pages show and nothing follows, by their id.
func AllMissing(w *store.Workspace) (map[uint64][]listpage.MissingEntries, error) {
	all, err := records.AllMissing(w)
	if err != nil {
		return nil, err
	}
	out := make(map[uint64][]listpage.MissingEntries, len(all))
	for _, r := range all {
		out[r.ID] = decodeMissing(r)
	}
	return out, nil
}

// StoredMissing is what is stored of a page, as decodeMissing tells it; nil for nothing, or when it
// cannot be read.
func StoredMissing(w *store.Workspace, id uint64) []listpage.MissingEntries {
	row, err := records.MissingOf(w, id)
	if err != nil {
		return nil
	}
	return decodeMissing(row)
}

// left are the things of a page to which its followed links do not lead.
func left(followed []store.Link, p *page.Page) (out []records.MissingEntry) {
	for i := range p.Unfollowed {
		x := &p.Unfollowed[i]
		out = append(out, records.MissingEntry{Kind: x.Kind, Text: x.Text, Why: x.Why})
	}
	if p.Type == page.List && len(out) == 0 {
		if l := refused(followed, p); l != nil {
			out = append(out, records.MissingEntry{Kind: listpage.KindPager, Text: l.Anchor + " " + l.URL, Why: listpage.OutOfScope})
		}
	}
	return out
}

// refused is the first link of a pager all of whose links are left out; nil for none.
func refused(followed []store.Link, p *page.Page) (first *htmldoc.Link) {
	for i := range p.Links {
		l := &p.Links[i]
		if !l.Pager || l.URL == "" || l.URL == p.URL {
			continue
		}
		if has(followed, l.URL) {
			return nil
		}
		if first == nil {
			first = l
		}
	}
	return first
}

func has(links []store.Link, url string) bool {
	return slices.ContainsFunc(links, func(l store.Link) bool { return l.URL == url })
}

// notPublicAddress is why an address is not followed that is none of the public Internet.
const notPublicAddress = "it is no public address"

// judgeRedirect judges a page that its server sends to another address: where private says that
// it is none of the public Internet people hear of it, if the page is one that they have
// named or that a list leads to: its next page, its frame. v.Page is not looked at.
// private may take a question to a name server, so it is asked last.
func judgeRedirect(v *coverageVisit, address string, private func() error) coverageVerdict {
	if urls.HostOf(address) == urls.HostOf(v.URL.URL) || !IsReferenced(v.Store, v.State, v.URL) || private() == nil {
		return v.missing(nil)
	}
	out := v.missing([]records.MissingEntry{{Kind: listpage.KindBarred, Text: address, Why: notPublicAddress}})
	out.tell(v.State, v.URL, func(string) bool { return false })
	return out
}

// IsReferenced reports whether an address that brings no page concerns people, see IsWanted, or
// a list leads to it.
func IsReferenced(w *store.Workspace, s *decisions.State, u *store.URL) bool {
	if s == nil || s.Labels[u.ID] == topic.No {
		return false
	}
	behind := func(l store.Inlink) bool { return l.Pager && l.Relevant && s.Labels[l.Source] != topic.No }
	return IsWanted(s, u, "", nil) || slices.ContainsFunc(slices.Collect(u.Inlinks), behind) || FrameHolderOf(w, s, u).ID != 0
}
