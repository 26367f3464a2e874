// Package turns finds how a list turns to another of its pages where no link does: a form
// that is sent, a postback that carries the state of its page.
//
// Nothing here is sent by itself. Whoever has judged the page to be a list takes a Turn
// and asks for it, and what cannot be read becomes an Unfollowed, so that people are told.
// Input is hostile; forms, fields and bytes are bounded.
package turns

// Turn is a request that brings another page of the list that its page shows.
type Turn struct {
	URL         string // canonical, without fragment
	Method      string // "GET" or "POST"
	Body        string // of a POST
	ContentType string // of Body
	Page        int    // which page it brings, from 1; 0 = unknown
	Name        string // short and readable, the same for the same page at every visit: "post:page=2"; see urls.Address. "" = the URL says it all
	Source      string // what was read: Form, Postback
	Expires     bool   // carries what the server gave out with this page, so it is good for a while only
}

// What a Turn or an Unfollowed was read from.
const (
	Form     = "form"
	Postback = "postback"
	Script   = "script"
	Frame    = "frame"
	Data     = "data"
	Pager    = "pager"
)

// Unfollowed is something on a page that leads to more entries, or says that there are
// more, and was not followed. All texts are plain English for people; Text may stem from
// the page and is cleaned and short.
type Unfollowed struct {
	Kind string `json:"kind"`           // Form, Postback, Script, Frame, Data or Pager
	Text string `json:"text"`           // what the page shows or calls: "下一页", "toPage(2)", "共 30 页"
	Why  string `json:"why"`            // why it was not followed: "the function is not defined in the page or its scripts"
	Help string `json:"help,omitempty"` // what would help: "a recipe", "rendering"
}
