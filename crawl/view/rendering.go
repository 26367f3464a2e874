package view

import "time"

// Rendering holds figures of pages fetched with a browser since the workspace was opened.
type Rendering struct {
	Branches []string // rendered hosts and sections, "host/" and "host/section/"; do not change
	Pages    int      // pages rendered
	Failed   int
	Begun    int   // browser starts
	Killed   int   // of Begun: ended for excessive memory
	Memory   int64 // bytes used by all browser processes; 0 = not running
	Bound    int64 // limit of Memory
	Requests int   // answered requests of pages
	Took     time.Duration
	Err      string         // why the last page failed; "" = it succeeded
	Hosts    []RenderedHost // hosts with the most pages first, at most MostRendered
}

// MostRendered bounds Rendering.Hosts.
const MostRendered = 50

// RenderedHost holds the rendering figures of one host.
type RenderedHost struct {
	Host      string
	Pages     int
	Failed    int
	Requests  int
	Exchanges int // replies received as JSON
	Took      time.Duration
	Err       string // error of the last page; "" = it succeeded
}
