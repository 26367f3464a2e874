package keymap

import "angler/crawl/auth"

// Notices, in the list and in the reader.
var (
	Star = add(Entry{ID: "star", Place: Notices, Keys: []string{"m"}, Action: auth.Star,
		Help: "give the notice a star for the team, or take it", Foot: 20, Row: true})
	Done = add(Entry{ID: "done", Place: Notices, Keys: []string{"d"}, Action: auth.Done,
		Help: "the notice is done, or no longer", Foot: 21, Row: true})
	Note = add(Entry{ID: "note", Place: Notices, Keys: []string{";"}, Action: auth.Note,
		Help: "write a note on the notice, for the team", Foot: 22, Row: true})
	Unread = add(Entry{ID: "unread", Place: Notices, Keys: []string{"r"}, Action: auth.Own("read"),
		Help: "you have read the notice, or not; each person has their own", Foot: 23, Row: true})
	FetchFiles = add(Entry{ID: "fetch_files", Place: Notices, Keys: []string{"F"}, Action: auth.FetchFiles,
		Help: "fetch the documents of the notice, or of the marked ones", Foot: 24, Row: true})
	ToView = add(Entry{ID: "views", Place: Notices, Keys: []string{"o"}, Action: auth.Own("views"),
		Help: "views: go to one, save the filter as one, change or remove one", Foot: 12})
	NextView = add(Entry{ID: "next_view", Place: Notices, Keys: []string{")"}, Action: auth.Own("view"),
		Help: "next view: all, unread, starred, due, done, the last 7 days, the team's own"})
	LastView = add(Entry{ID: "last_view", Place: Notices, Keys: []string{"("}, Action: auth.Own("view"),
		Help: "view before"})
	Unfold = add(Entry{ID: "unfold", Place: Notices, Keys: []string{"right"}, Show: "→", Action: auth.Own("unfold"),
		Help: "show the copies that are folded under the notice", Row: true})
	Fold = add(Entry{ID: "fold", Place: Notices, Keys: []string{"left"}, Show: "←", Action: auth.Own("fold"),
		Help: "fold the copies again", Row: true})
	Kin = add(Entry{ID: "kin", Place: Notices, Verb: "project", Keys: []string{"t"}, Action: auth.Own("project"),
		Help: "the project and the other addresses of the notice: go to one, detach, cut or join", Row: true})
	Filter = add(Entry{ID: "filter_notices", Place: Notices, Verb: "filter", Keys: []string{"/"},
		Action: auth.Own("filter"),
		Help:   "filter the notices: words of title and text, site:ntu date>=2026-01 age<7d is:unread -word", Foot: 60})
)

// The reader.
var (
	NextNotice = add(Entry{ID: "next_notice", Place: Reader, Verb: "down", Keys: []string{"j", "down"}, Show: "j ↓",
		Action: auth.Own("next notice"), Help: "read the next notice", Foot: 1})
	LastNotice = add(Entry{ID: "last_notice", Place: Reader, Verb: "up", Keys: []string{"k", "up"}, Show: "k ↑",
		Action: auth.Own("next notice"), Help: "read the notice before", Foot: 1})
	ReadDown = add(Entry{ID: "read_down", Place: Reader, Keys: []string{" "}, Show: "space", Action: auth.Own("page"),
		Help: "a page down; at the end the next notice", Foot: 2})
	NextField = add(Entry{ID: "next_field", Place: Reader, Keys: []string{"}"}, Verb: step, Action: auth.Own("field"),
		Help: "go to the next field of the notice: where it stands, and how sure it is", Foot: 3})
	LastField = add(Entry{ID: "last_field", Place: Reader, Keys: []string{"{"}, Verb: step, Action: auth.Own("field"),
		Help: "go to the field before", Foot: 3})
	Correct = add(Entry{ID: "correct", Place: Reader, Keys: []string{"="}, Action: auth.Correct,
		Help: "correct a field of the notice, for the team: the one that is chosen, else any", Foot: 4})
	ReadUp = add(Entry{ID: "read_up", Place: Reader, Keys: []string{"b"}, Action: auth.Own("page"), Help: "a page up",
		Foot: 2})
)

// Every list.
var Columns = add(Entry{ID: "columns", Place: Rows, Keys: []string{"|"}, Action: auth.Own("columns"),
	Help: "choose the columns of the list"})
