package keymap

import "angler/crawl/auth"

// Notices, in the list and in the reader.
var (
	Star = add(Notices, "star", "m", Entry{Action: auth.Star,
		Help: "give the notice a star for the team, or take it", Foot: 20, Row: true})
	Done = add(Notices, "done", "d", Entry{Action: auth.Done,
		Help: "the notice is done, or no longer", Foot: 21, Row: true})
	Note = add(Notices, "note", ";", Entry{Action: auth.Note,
		Help: "write a note on the notice, for the team", Foot: 22, Row: true})
	Unread = add(Notices, "unread", "r", Entry{Action: auth.Own("read"),
		Help: "you have read the notice, or not; each person has their own", Foot: 23, Row: true})
	FetchFiles = add(Notices, "fetch_files", "F", Entry{Action: auth.FetchFiles,
		Help: "fetch the documents of the notice, or of the marked ones", Foot: 24, Row: true})
	ToView = add(Notices, "views", "o", Entry{Action: auth.Own("views"),
		Help: "views: go to one, save the filter as one, change or remove one", Foot: 12})
	NextView = add(Notices, "next_view", ")", Entry{Action: auth.Own("view"),
		Help: "next view: all, unread, starred, due, done, the last 7 days, the team's own"})
	LastView = add(Notices, "last_view", "(", Entry{Action: auth.Own("view"), Help: "view before"})
	Unfold   = add(Notices, "unfold", "right", Entry{Show: "→", Action: auth.Own("unfold"),
		Help: "show the copies that are folded under the notice", Row: true})
	Fold = add(Notices, "fold", "left", Entry{Show: "←", Action: auth.Own("fold"),
		Help: "fold the copies again", Row: true})
	Kin = add(Notices, "kin", "t", Entry{Verb: "project", Action: auth.Own("project"),
		Help: "the project and the other addresses of the notice: go to one, detach, cut or join", Row: true})
	Filter = add(Notices, "filter_notices", "/", Entry{Verb: "filter", Action: auth.Own("filter"),
		Help: "filter the notices: words of title and text, site:ntu date>=2026-01 age<7d is:unread -word", Foot: 60})
)

// The reader.
var (
	NextNotice = add(Reader, "next_notice", "j down", Entry{Show: "j ↓", Verb: "down", Action: auth.Own("next notice"),
		Help: "read the next notice", Foot: 1})
	LastNotice = add(Reader, "last_notice", "k up", Entry{Show: "k ↑", Verb: "up", Action: auth.Own("next notice"),
		Help: "read the notice before", Foot: 1})
	ReadDown = add(Reader, "read_down", "space", Entry{Action: auth.Own("page"),
		Help: "a page down; at the end the next notice", Foot: 2})
	NextField = add(Reader, "next_field", "}", Entry{Verb: step, Action: auth.Own("field"),
		Help: "go to the next field of the notice: where it stands, and how sure it is", Foot: 3})
	LastField = add(Reader, "last_field", "{", Entry{Verb: step, Action: auth.Own("field"),
		Help: "go to the field before", Foot: 3})
	Correct = add(Reader, "correct", "=", Entry{Action: auth.Correct,
		Help: "correct a field of the notice, for the team: the one that is chosen, else any", Foot: 4})
	ReadUp = add(Reader, "read_up", "b", Entry{Action: auth.Own("page"), Help: "a page up", Foot: 2})
)

// Every list.
var Columns = add(Rows, "columns", "|", Entry{Action: auth.Own("columns"), Help: "choose the columns of the list"})
