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

// coverageVisit describes a page for the check of missing list entries.
type coverageVisit struct {
	Store    *store.Workspace
	State    *decisions.State // State that judged the page
	URL      *store.URL
	Page     *page.Page
	Doc      *topic.Doc   // words of the page
	Relevant bool         // judged an aggregation page
	Known    bool         // stored before
	Followed []store.Link // links chosen from the page
	// Expects means that a script file is still to come and that the page is read again then. No
	// warning is reported before.
	Expects bool
	Now     time.Time
}

// coverageVerdict is the result of a coverage check.
type coverageVerdict struct {
	// Row is stored with the page. A Row without entries deletes the stored one; nil keeps it.
	Row        *records.MissingEntries
	Lacking    bool                   // report that entries of the list are missing
	Unreported []records.MissingEntry // missing entries that no event reported yet
}

// judgeCoverage finds the missing entries of a page. If the store cannot be read, it assumes that
// nothing is stored.
func judgeCoverage(v *coverageVisit) coverageVerdict {
	seen := missingEntries(v.Followed, v.Page)
	out := v.missing(seen)
	if len(seen) == 0 || v.Expects {
		return out
	}
	if v.Relevant || v.State.Confirmed(v.URL.ID, v.URL.URL) || IsWanted(v.State, v.URL, v.Page.Head, v.Doc) {
		out.report(v.State, v.URL, func(frame string) bool { return has(v.Followed, frame) || knows(v.Store, frame) })
	}
	return out
}

// missing returns the verdict on missing entries before anything is reported.
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

// judgeCoverageAgain checks an unchanged aggregation page from its stored row, because the page may
// have qualified only since that was stored.
func judgeCoverageAgain(w *store.Workspace, s *decisions.State, u *store.URL) coverageVerdict {
	row, err := records.MissingOf(w, u.ID)
	if err != nil || row == nil {
		return coverageVerdict{}
	}
	out := coverageVerdict{Row: row}
	if out.report(s, u, func(frame string) bool { return knows(w, frame) }); len(out.Unreported) == 0 {
		out.Row = nil
	}
	return out
}

// knows reports whether the crawl knows an address.
func knows(w *store.Workspace, address string) bool {
	_, known := w.Lookup(address)
	return known
}

// report marks missing entries as reported unless an analyst muted them. A followed frame is
// skipped: its page may be a list, see MissingBeyondLists.
func (v *coverageVerdict) report(s *decisions.State, u *store.URL, followed func(frame string) bool) {
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
			v.Unreported = append(v.Unreported, x)
			told = append(told, x.Kind)
		}
	}
	if len(v.Unreported) > 0 {
		row := *v.Row
		row.Told = told
		v.Row = &row
	}
}

// IsWanted reports whether to warn that a page's list could not be read although the page is no
// aggregation page. A page without entries never qualifies as one. It is wanted if it is a seed, a
// sample or labelled, if its words fit the topic, or if its title or anchor matches the patterns. d
// holds the words of the page; nil means unknown.
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
	list := *d // the page as it would be with its entries
	list.Front, list.Records, list.Dated = false, minEntries, minEntries
	return s.Relevant(&list, s.Model.Score(&list))
}

// minEntries dated entries make a page a list.
const minEntries = 3

// decodeMissing returns the missing entries of a stored row, most important kind first; nil without
// a row.
func decodeMissing(r *records.MissingEntries) (seen []listpage.MissingEntries) {
	if r == nil {
		return nil
	}
	for _, x := range r.Seen {
		seen = append(seen, listpage.MissingEntries{Kind: x.Kind, Text: x.Text, Why: x.Why,
			Help: listpage.HelpFor(x.Kind)})
	}
	slices.SortStableFunc(seen, func(a, b listpage.MissingEntries) int {
		return cmp.Compare(slices.Index(listpage.MissingKinds, a.Kind), slices.Index(listpage.MissingKinds, b.Kind))
	})
	return seen
}

// MissingBeyondLists drops frames whose pages are lists: those lists supply the entries. list
// reports whether a page is a list.
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

// AllMissing returns the missing entries of all pages by page id.
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

// StoredMissing returns the missing entries of one page; nil if none are stored or the row cannot
// be read.
func StoredMissing(w *store.Workspace, id uint64) []listpage.MissingEntries {
	row, err := records.MissingOf(w, id)
	if err != nil {
		return nil
	}
	return decodeMissing(row)
}

// missingEntries returns the entries of a page that no followed link leads to.
func missingEntries(followed []store.Link, p *page.Page) (out []records.MissingEntry) {
	for i := range p.Unfollowed {
		x := &p.Unfollowed[i]
		out = append(out, records.MissingEntry{Kind: x.Kind, Text: x.Text, Why: x.Why})
	}
	if p.Type == page.List && len(out) == 0 {
		if l := refusedPager(followed, p); l != nil {
			out = append(out, records.MissingEntry{Kind: listpage.KindPager, Text: l.Anchor + " " + l.URL,
				Why: listpage.OutOfScope})
		}
	}
	return out
}

// refusedPager returns the first pagination link of a page if the filter refuses all of them, else
// nil.
func refusedPager(followed []store.Link, p *page.Page) (first *htmldoc.Link) {
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

// notPublicAddress says why a redirect to a private address is not followed.
const notPublicAddress = "it is no public address"

// judgeRedirect checks a page that redirects to address. If private returns an error, the address
// is not public, and the verdict reports a referenced page. v.Page is not read. private may query a
// name server, so it is called last.
func judgeRedirect(v *coverageVisit, address string, private func() error) coverageVerdict {
	if urls.HostOf(address) == urls.HostOf(v.URL.URL) || !IsReferenced(v.Store, v.State, v.URL) || private() == nil {
		return v.missing(nil)
	}
	out := v.missing([]records.MissingEntry{{Kind: listpage.KindBarred, Text: address, Why: notPublicAddress}})
	out.report(v.State, v.URL, func(string) bool { return false })
	return out
}

// IsReferenced reports whether to warn about an address without a page: it is wanted (see
// IsWanted), or it is a further page or a frame of a list.
func IsReferenced(w *store.Workspace, s *decisions.State, u *store.URL) bool {
	if s == nil || s.Labels[u.ID] == topic.No {
		return false
	}
	behind := func(l store.Inlink) bool { return l.Pager && l.Relevant && s.Labels[l.Source] != topic.No }
	return IsWanted(s, u, "", nil) || slices.ContainsFunc(slices.Collect(u.Inlinks), behind) ||
		FrameHolderOf(w, s, u).ID != 0
}
