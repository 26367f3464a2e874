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
	ListFails = "fails" // its last visit brought no page
	ListLogin = "login" // it answers with a login page
	ListMoved = "moved" // it leads to another address
	ListEmpty = "empty" // it shows no entries any more
	ListStale = "stale" // its dates stopped
	ListPager = "pager" // pages behind it were not visited

	ListUnfollowed = "unfollowed" // it shows more than could be followed
)

// ListAlarm says that something is wrong with an aggregation page.
type ListAlarm struct {
	ID      uint64    `json:"id"`
	URL     string    `json:"url"`
	Title   string    `json:"title,omitempty"`
	Host    string    `json:"host"`
	Kind    string    `json:"kind"`
	Notices int       `json:"notices"`         // that it has brought home
	Entries int       `json:"entries"`         // that it shows
	Days    int       `json:"days,omitempty"`  // stale: since its newest entry
	Usual   int       `json:"usual,omitempty"` // stale: days between two entries that were the most so far
	Newest  time.Time `json:"newest,omitzero"` // date of its newest entry
	Seen    time.Time `json:"seen,omitzero"`   // when it was last visited
	Why     string    `json:"why,omitempty"`   // fails: what failed; moved, login: where it leads
	Muted   bool      `json:"muted,omitempty"` // a person does not want to hear of it in this state

	Unfollowed []listpage.MissingEntries `json:"unfollowed,omitempty"` // what it shows and nothing follows, whatever Kind is; what hides most first. Not to be changed
}

// UnfollowedMark names what a list lacks, by the kinds of it.
func UnfollowedMark(kinds []string) string { return ListUnfollowed + " " + strings.Join(kinds, ",") }

// unfollowedNames say what a list shows, by its kind.
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

// UnfollowedSays is something that a list shows and nothing follows, in a few words:
// what is missing, why, and how the page shows it.
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

// UnfollowedLine is all that a page shows and nothing follows, on one line.
func UnfollowedLine(all []listpage.MissingEntries) string {
	var out []string
	for i := range all {
		out = append(out, UnfollowedSays(all[i].Kind, all[i].Text, all[i].Why))
	}
	return strings.Join(out, "; ")
}

// AlertStatus is how people are told of notices.
type AlertStatus struct {
	Failing string    // a setting of [[notify]] whose messages do not arrive; "" = none
	Why     string    // what its last attempt failed of
	Since   time.Time // when the first attempt failed
	Again   time.Time // when it is tried again
}

// Mark names the state that the alarm is about: what is muted is told again when
// the list fails in another way.
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

// Help is what would help against what the list lacks, in a sentence; "" where nothing
// is known to.
func (a *ListAlarm) Help() string {
	for i := range a.Unfollowed {
		if a.Unfollowed[i].Help != "" {
			return a.Unfollowed[i].Help
		}
	}
	return ""
}

// OfRecipe reports whether an address is that of a page of a recipe.
func OfRecipe(address string) bool { return strings.Contains(address, "#recipe:") }

// Name is the list's title, or the end of its address.
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

// Says is the alarm in a few words.
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
		return fmt.Sprintf("shows no entries any more; it has brought home %d", a.Notices)
	case ListStale:
		return fmt.Sprintf("newest entry of %s, %d days ago; never more than %d days apart before", a.Newest.Format(time.DateOnly), a.Days, a.Usual)
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
