package listpage

// PageRequest is a request that brings another page of the list that its page shows.
type PageRequest struct {
	URL         string // canonical, without fragment
	Method      string // "GET" or "POST"
	Body        string // of a POST
	ContentType string // of Body
	Page        int    // which page it brings, from 1; 0 = unknown
	Name        string // short and readable, the same for the same page at every visit: "post:page=2"; see urls.Address. "" = the URL says it all
	Source      string // what was read: KindForm, KindPostback
	Expires     bool   // carries what the server gave out with this page, so it is good for a while only
}

// What a PageRequest or a MissingEntries was read from.
const (
	KindForm     = "form"
	KindPostback = "postback"
	KindScript   = "script"
	KindFrame    = "frame"
	KindData     = "data"
	KindPager    = "pager"
)

// MissingEntries is something on a page that leads to more entries, or says that there are
// more, and was not followed. All texts are plain English for people; Text may stem from
// the page and is cleaned and short.
type MissingEntries struct {
	Kind string `json:"kind"`           // KindForm, KindPostback, KindScript, KindFrame, KindData or KindPager
	Text string `json:"text"`           // what the page shows or calls: "下一页", "toPage(2)", "共 30 页"
	Why  string `json:"why"`            // why it was not followed: "the function is not defined in the page or its scripts"
	Help string `json:"help,omitempty"` // the remedy: "a recipe", "rendering"
}
