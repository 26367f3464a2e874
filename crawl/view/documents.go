package view

import (
	"time"

	"angler/store"
)

// DocumentText is the text of a fetched document.
type DocumentText struct {
	Name string // as the notice names it
	Hash string // of the file
	Text string
}

// Document is what a notice links to, and what has become of it.
type Document struct {
	store.Attachment
	State   string // attached.Wanted …; "" = nobody has asked for it
	Why     string // of a failure, or why it has no text
	Kind    string // by its content; "" until it is here
	Size    int64  // bytes of the file
	Hash    string
	File    string // path below the workspace
	At      time.Time
	Read    bool // its text was looked for
	Letters int  // characters of the text
	Pages   int
	Cut     string // the bound at which reading its text ended
}

// DocumentJSON is an attachment of a notice in exports. What comes behind Class is
// there once the document was fetched.
type DocumentJSON struct {
	Name  string `json:"name"`
	URL   string `json:"url"`
	Class string `json:"class"`
	State string `json:"state,omitempty"`
	Why   string `json:"why,omitempty"`
	Type  string `json:"type,omitempty"`
	Size  int64  `json:"size,omitempty"`
	Hash  string `json:"hash,omitempty"` // SHA-256
	Path  string `json:"path,omitempty"` // below the workspace's folder
	Pages int    `json:"pages,omitempty"`
	Text  string `json:"text,omitempty"`
}

// DocumentsJSON are the attachments of a notice of which nothing is known but their
// addresses.
func DocumentsJSON(list []store.Attachment) []DocumentJSON {
	out := make([]DocumentJSON, len(list))
	for i, a := range list {
		out[i] = DocumentJSON{Name: a.Name, URL: a.URL, Class: a.Class}
	}
	return out
}

// ResourceRow is a document, image, animation, program, film, sound or archive that a
// stored page links to or shows, in exports (P3 2.3.1).
type ResourceRow struct {
	URL         string   `json:"url"`
	Class       string   `json:"class"`
	Score       *float64 `json:"score"`        // similarity of anchor text and context to the topic; nil without a topic
	Relevance   *float64 `json:"relevance"`    // of the link by P3 2.3.2: score, address, important domain, depth; nil without a topic
	AnchorScore *float64 `json:"anchor_score"` // of the anchor text alone
	Anchor      string   `json:"anchor"`
	Before      string   `json:"before"` // up to 100 characters of the page's text before it
	After       string   `json:"after"`  // and behind it
	Page        string   `json:"page"`   // the page that offers it
	State       string   `json:"state,omitempty"`
	Hash        string   `json:"hash,omitempty"`
	Path        string   `json:"path,omitempty"`
}
