package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"angler/crawl/listpage"
)

// The kinds of a ListAlarm.
const (
	ListFails = "fails" // the last visit brought no page
	ListLogin = "login" // the list answers with a login page
	ListMoved = "moved" // the list redirects elsewhere
	ListEmpty = "empty" // the list has no entries any more
	ListStale = "stale" // no new entry dates
	ListPager = "pager" // further pages were not visited

	ListUnfollowed = "unfollowed" // the list has content that could not be followed
)

// ListAlarm reports a fault of an aggregation page.
type ListAlarm struct {
	ID      uint64    `json:"id"`
	URL     string    `json:"url"`
	Title   string    `json:"title,omitempty"`
	Host    string    `json:"host"`
	Kind    string    `json:"kind"`
	Notices int       `json:"notices"`         // notices found through it so far
	Entries int       `json:"entries"`         // entries on it
	Days    int       `json:"days,omitempty"`  // stale: days since its newest entry
	Usual   int       `json:"usual,omitempty"` // stale: largest gap between two entries before, in days
	Newest  time.Time `json:"newest,omitzero"` // date of its newest entry
	Seen    time.Time `json:"seen,omitzero"`   // last visit
	Why     string    `json:"why,omitempty"`   // fails: the cause; moved, login: the target
	Muted   bool      `json:"muted,omitempty"` // a person muted this state

	// content that could not be followed, whatever Kind is; largest loss first; do not change
	Unfollowed []listpage.MissingEntries `json:"unfollowed,omitempty"`
}

// UnfollowedMark returns the mark of a list that lacks entries of these kinds.
func UnfollowedMark(kinds []string) string { return ListUnfollowed + " " + strings.Join(kinds, ",") }

// unfollowedNames holds the consequence of each kind of missing entries.
var unfollowedNames = map[string]string{
	listpage.KindPager:    "only its first page is read",
	listpage.KindForm:     "only its first page is read",
	listpage.KindPostback: "only its first page is read",
	listpage.KindRows:     "its entries are not read",
	listpage.KindScript:   "its entries are not read",
	listpage.KindData:     "its entries are not read",
	listpage.KindFrame:    "its frame is not read",
	listpage.KindLogin:    "it asks for a login",
	listpage.KindBarred:   "it leads elsewhere",
	listpage.KindCaptcha:  "it asks for a captcha",
}

// UnfollowedSays describes missing entries: consequence, reason, and the text on the page.
func UnfollowedSays(kind, text, why string) string {
	s := cmp.Or(unfollowedNames[kind], kind)
	if why != "" {
		s += ": " + why
	}
	if text = strings.TrimSpace(text); text != "" {
		s += " (" + text + ")"
	}
	return s
}

// UnfollowedLine describes all missing entries of a page on one line.
func UnfollowedLine(all []listpage.MissingEntries) string {
	var out []string
	for i := range all {
		out = append(out, UnfollowedSays(all[i].Kind, all[i].Text, all[i].Why))
	}
	return strings.Join(out, "; ")
}

// AlertStatus is the delivery state of alerts.
type AlertStatus struct {
	Failing string    // a [[notify]] setting whose messages fail; "" = none
	Why     string    // error of its last attempt
	Since   time.Time // first failed attempt
}

// Mark identifies the alarm's state. A muted list raises an alarm again when its mark changes.
func (a *ListAlarm) Mark() string {
	if a.Kind == ListStale {
		return a.Kind + " " + a.Newest.Format(time.DateOnly)
	}
	if a.Kind == ListUnfollowed {
		var kinds []string
		for i := range a.Unfollowed {
			kinds = append(kinds, a.Unfollowed[i].Kind)
		}
		slices.Sort(kinds)
		return UnfollowedMark(slices.Compact(kinds))
	}
	return a.Kind
}

// Help returns a remedy for missing entries as a sentence; "" means none is known.
func (a *ListAlarm) Help() string {
	for i := range a.Unfollowed {
		if a.Unfollowed[i].Help != "" {
			return a.Unfollowed[i].Help
		}
	}
	return ""
}

// OfRecipe reports whether an address belongs to a page of a recipe.
func OfRecipe(address string) bool { return strings.Contains(address, "#recipe:") }

// Name returns the list's title, else the end of its address.
func (a *ListAlarm) Name() string {
	if t := strings.TrimSpace(a.Title); t != "" {
		return t
	}
	_, rest, _ := strings.Cut(a.URL, "://")
	if _, path, ok := strings.Cut(rest, "/"); ok {
		return "/" + path
	}
	return a.URL
}

// Says describes the alarm in a few words.
func (a *ListAlarm) Says() string {
	switch a.Kind {
	case ListFails:
		if a.Why == "" {
			return "the last visit failed"
		}
		return "the last visit failed: " + a.Why
	case ListLogin:
		return "answers with a login page"
	case ListMoved:
		return "leads to another address: " + a.Why
	case ListEmpty:
		return fmt.Sprintf("shows no entries any more; it had %d notices", a.Notices)
	case ListStale:
		return fmt.Sprintf("newest entry of %s, %d days ago; never more than %d days apart before",
			a.Newest.Format(time.DateOnly), a.Days, a.Usual)
	case ListPager:
		return "not all of the pages behind it were visited"
	case ListUnfollowed:
		if len(a.Unfollowed) > 0 {
			x := &a.Unfollowed[0]
			return UnfollowedSays(x.Kind, x.Text, x.Why)
		}
	}
	return a.Kind
}
