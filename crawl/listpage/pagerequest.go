package listpage

// PageRequest is a request for another page of the list.
type PageRequest struct {
	URL         string // canonical, without fragment
	Method      string // "GET" or "POST"
	Body        string // of a POST
	ContentType string // of Body
	Page        int    // number of the requested page, from 1; 0 means unknown
	Name        string // short, equal at every visit: "post:page=2"; see urls.Address. "" means the URL suffices
	Source      string // KindForm, KindPostback or KindScript
	Expires     bool   // it holds values that the server issued with this page, so it is valid for a while only
}

// The kinds are the sources of a PageRequest or of MissingEntries.
const (
	KindForm     = "form"
	KindPostback = "postback"
	KindScript   = "script"
	KindFrame    = "frame"
	KindData     = "data"
	KindPager    = "pager"
	KindRows     = "rows"    // entries that open by a script
	KindLogin    = "login"   // a login in the place of a list
	KindCaptcha  = "captcha" // a captcha in the place of a list
	KindBarred   = "barred"  // a script or the server leads to an address that is not public
)

// MissingEntries describes an element of a page that leads to more entries, or states that there
// are more, and cannot be followed. All texts are plain English for people. Text may come from the
// page, and is clean and short.
type MissingEntries struct {
	Kind string `json:"kind"`           // one of MissingKinds
	Text string `json:"text"`           // text or call on the page: "下一页", "toPage(2)", "共 30 页"
	Why  string `json:"why"`            // why it cannot be followed: "it asks for a password"
	Help string `json:"help,omitempty"` // the remedy, a sentence
}
