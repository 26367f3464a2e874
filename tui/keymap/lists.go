package keymap

import "angler/crawl/auth"

// Movement, search and panes.
var (
	Down = add(Entry{ID: "down", Place: Panes, Keys: []string{"j", "down"}, Show: "j ↓", Action: auth.Own("down"),
		Help: "next row"})
	Up = add(Entry{ID: "up", Place: Panes, Keys: []string{"k", "up"}, Show: "k ↑", Action: auth.Own("up"),
		Help: "row before"})
	First = add(Entry{ID: "first", Place: Panes, Keys: []string{"g", "home"}, Show: "g home",
		Action: auth.Own("first"), Help: "first row"})
	Last = add(Entry{ID: "last", Place: Panes, Keys: []string{"G", "end"}, Show: "G end", Action: auth.Own("last"),
		Help: "last row"})
	PageDown = add(Entry{ID: "page_down", Place: Panes, Keys: []string{"pgdown", "ctrl+f"}, Action: auth.Own("page"),
		Help: "one page down"})
	PageUp = add(Entry{ID: "page_up", Place: Panes, Keys: []string{"pgup", "ctrl+b"}, Action: auth.Own("page"),
		Help: "one page up"})
	HalfDown = add(Entry{ID: "half_down", Place: Panes, Keys: []string{"ctrl+d"}, Action: auth.Own("half"),
		Help: "half a page down"})
	HalfUp = add(Entry{ID: "half_up", Place: Panes, Keys: []string{"ctrl+u"}, Action: auth.Own("half"),
		Help: "half a page up"})
	Search = add(Entry{ID: "filter", Place: Panes, Keys: []string{"/"}, Action: auth.Own("filter"),
		Help: "filter the rows (several words, Chinese too; !word hides); search in a text", Foot: 60})
	NextHit = add(Entry{ID: "next_hit", Place: Panes, Keys: []string{"n"}, Action: auth.Own("next"),
		Help: "next hit of the filter or search"})
	LastHit = add(Entry{ID: "last_hit", Place: Panes, Keys: []string{"N"}, Action: auth.Own("before"),
		Help: "hit before"})
	NextPane = add(Entry{ID: "next_pane", Place: Panes, Keys: []string{"tab"}, Action: auth.Own("pane"),
		Help: "next pane", Foot: 70})
	LastPane = add(Entry{ID: "last_pane", Place: Panes, Keys: []string{"shift+tab"}, Action: auth.Own("pane"),
		Help: "pane before"})
	Zoom = add(Entry{ID: "zoom", Place: Panes, Keys: []string{"z"}, Action: auth.Own("zoom"),
		Help: "zoom this pane, and back", Foot: 71})
	Open = add(Entry{ID: "open", Place: Panes, Keys: []string{"enter"}, Action: auth.Own("open"),
		Help: "open the row under the cursor", Foot: 57, Row: true})
	Close = add(Entry{ID: "close", Place: Panes, Keys: []string{"esc"}, Verb: back, Action: auth.Own("close"),
		Help: "close the open pane", Foot: 3})
	Clear = add(Entry{ID: "clear_filter", Place: Panes, Keys: []string{"esc"}, Verb: back,
		Action: auth.Own("clear filter"), Help: "clear the filter", Foot: 59})
	Sort = add(Entry{ID: "sort", Place: Panes, Keys: []string{">"}, Action: auth.Own("sort"),
		Help: "sort by the next column; a click on its head does too", Foot: 62})
	SortBack = add(Entry{ID: "sort_back", Place: Panes, Keys: []string{"<"}, Action: auth.Own("sort"),
		Help: "sort by the column before"})
	Reverse = add(Entry{ID: "reverse", Place: Panes, Keys: []string{"R"}, Action: auth.Own("reverse"),
		Help: "reverse the sort order"})
)

// Marks: actions apply to the marked rows.
var (
	Mark = add(Entry{ID: "mark", Place: Rows, Keys: []string{" "}, Show: "space", Action: auth.Own("mark"),
		Help: "mark the row, or no longer: actions go to the marked rows", Foot: 63, Row: true})
	Range = add(Entry{ID: "mark_range", Place: Rows, Keys: []string{"V"}, Action: auth.Own("range"),
		Help: "mark from here on; {mark_range} again ends the range", Row: true})
	MarkAll = add(Entry{ID: "mark_all", Place: Rows, Keys: []string{"*"}, Action: auth.Own("all"),
		Help: "mark every row that the filter shows, or none"})
	Unmark = add(Entry{ID: "unmark", Place: Rows, Keys: []string{"esc"}, Verb: back, Action: auth.Own("unmark"),
		Help: "take all marks away", Foot: 58})
)

// Actions on pages and notices in any list.
var (
	Yes = add(Entry{ID: "yes", Place: Pages, Keys: []string{"y"}, Action: auth.Label.As("yes"),
		Help: "label the page: yes (again: no label)", Foot: 30, Row: true})
	No = add(Entry{ID: "no", Place: Pages, Keys: []string{"x"}, Action: auth.Label.As("no"),
		Help: "label the page: no (again: no label)", Foot: 31, Row: true})
	Unsure = add(Entry{ID: "unsure", Place: Pages, Keys: []string{"-"}, Action: auth.Label.As("unsure"),
		Help: "label the page: unsure (again: no label)", Foot: 32, Row: true})
	Copy = add(Entry{ID: "copy", Place: Pages, Keys: []string{"c"}, Action: auth.Own("copy URL"),
		Help: "copy the URL to the clipboard (OSC 52)", Foot: 80})
	Browse = add(Entry{ID: "browse", Place: Pages, Keys: []string{"O"}, Action: auth.Own("browser"),
		Help: "open the page in a browser, which fetches it", Foot: 81})
)

// Actions on a page shown beside a list.
var (
	View = add(Entry{ID: "view", Place: Shown, Keys: []string{"v"}, Action: auth.Own("view"),
		Help: "preview: records, text, score, the blocks and why, or the HTML source", Foot: 40})
	ViewBefore = add(Entry{ID: "view_before", Place: Shown, Keys: []string{"ctrl+v"}, Action: auth.Own("view"),
		Help: "preview: the view before"})
	ScrollDown = add(Entry{ID: "scroll_down", Place: Shown, Keys: []string{"J"}, Action: auth.Own("scroll"),
		Help: "scroll the preview down"})
	ScrollUp = add(Entry{ID: "scroll_up", Place: Shown, Keys: []string{"K"}, Action: auth.Own("scroll"),
		Help: "scroll the preview up"})
)
