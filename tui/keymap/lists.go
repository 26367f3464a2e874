package keymap

import "angler/crawl/auth"

// Movement, search and panes.
var (
	Down     = add(Panes, "down", "j down", Entry{Show: "j ↓", Action: auth.Own("down"), Help: "next row"})
	Up       = add(Panes, "up", "k up", Entry{Show: "k ↑", Action: auth.Own("up"), Help: "row before"})
	First    = add(Panes, "first", "g home", Entry{Show: "g home", Action: auth.Own("first"), Help: "first row"})
	Last     = add(Panes, "last", "G end", Entry{Show: "G end", Action: auth.Own("last"), Help: "last row"})
	PageDown = add(Panes, "page_down", "pgdown ctrl+f", Entry{Action: auth.Own("page"), Help: "one page down"})
	PageUp   = add(Panes, "page_up", "pgup ctrl+b", Entry{Action: auth.Own("page"), Help: "one page up"})
	HalfDown = add(Panes, "half_down", "ctrl+d", Entry{Action: auth.Own("half"), Help: "half a page down"})
	HalfUp   = add(Panes, "half_up", "ctrl+u", Entry{Action: auth.Own("half"), Help: "half a page up"})
	Search   = add(Panes, "filter", "/", Entry{Action: auth.Own("filter"),
		Help: "filter the rows (several words, Chinese too; !word hides); search in a text", Foot: 60})
	NextHit  = add(Panes, "next_hit", "n", Entry{Action: auth.Own("next"), Help: "next hit of the filter or search"})
	LastHit  = add(Panes, "last_hit", "N", Entry{Action: auth.Own("before"), Help: "hit before"})
	NextPane = add(Panes, "next_pane", "tab", Entry{Action: auth.Own("pane"), Help: "next pane", Foot: 70})
	LastPane = add(Panes, "last_pane", "shift+tab", Entry{Action: auth.Own("pane"), Help: "pane before"})
	Zoom     = add(Panes, "zoom", "z", Entry{Action: auth.Own("zoom"), Help: "zoom this pane, and back", Foot: 71})
	Open     = add(Panes, "open", "enter", Entry{Action: auth.Own("open"),
		Help: "open the row under the cursor", Foot: 57, Row: true})
	Close = add(Panes, "close", "esc", Entry{Verb: back, Action: auth.Own("close"),
		Help: "close the open pane", Foot: 3})
	Clear = add(Panes, "clear_filter", "esc", Entry{Verb: back, Action: auth.Own("clear filter"),
		Help: "clear the filter", Foot: 59})
	Sort = add(Panes, "sort", ">", Entry{Action: auth.Own("sort"),
		Help: "sort by the next column; a click on its head does too", Foot: 62})
	SortBack = add(Panes, "sort_back", "<", Entry{Action: auth.Own("sort"), Help: "sort by the column before"})
	Reverse  = add(Panes, "reverse", "R", Entry{Action: auth.Own("reverse"), Help: "reverse the sort order"})
)

// Marks: actions apply to the marked rows.
var (
	Mark = add(Rows, "mark", "space", Entry{Action: auth.Own("mark"),
		Help: "mark the row, or no longer: actions go to the marked rows", Foot: 63, Row: true})
	Range = add(Rows, "mark_range", "V", Entry{Action: auth.Own("range"),
		Help: "mark from here on; {mark_range} again ends the range", Row: true})
	MarkAll = add(Rows, "mark_all", "*", Entry{Action: auth.Own("all"),
		Help: "mark every row that the filter shows, or none"})
	Unmark = add(Rows, "unmark", "esc", Entry{Verb: back, Action: auth.Own("unmark"),
		Help: "take all marks away", Foot: 58})
)

// Actions on pages and notices in any list.
var (
	Yes = add(Pages, "yes", "y", Entry{Action: auth.Label.As("yes"),
		Help: "label the page: yes (again: no label)", Foot: 30, Row: true})
	No = add(Pages, "no", "x", Entry{Action: auth.Label.As("no"),
		Help: "label the page: no (again: no label)", Foot: 31, Row: true})
	Unsure = add(Pages, "unsure", "-", Entry{Action: auth.Label.As("unsure"),
		Help: "label the page: unsure (again: no label)", Foot: 32, Row: true})
	Copy = add(Pages, "copy", "c", Entry{Action: auth.Own("copy URL"),
		Help: "copy the URL to the clipboard (OSC 52)", Foot: 80})
	Browse = add(Pages, "browse", "O", Entry{Action: auth.Own("browser"),
		Help: "open the page in a browser, which fetches it", Foot: 81})
)

// Actions on a page shown beside a list.
var (
	View = add(Shown, "view", "v", Entry{Action: auth.Own("view"),
		Help: "preview: records, text, score, the blocks and why, or the HTML source", Foot: 40})
	ViewBefore = add(Shown, "view_before", "ctrl+v", Entry{Action: auth.Own("view"), Help: "preview: the view before"})
	ScrollDown = add(Shown, "scroll_down", "J", Entry{Action: auth.Own("scroll"), Help: "scroll the preview down"})
	ScrollUp   = add(Shown, "scroll_up", "K", Entry{Action: auth.Own("scroll"), Help: "scroll the preview up"})
)
