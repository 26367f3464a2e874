package view

import "time"

// Rendering is what became of pages that are read through a browser, since the opening.
type Rendering struct {
	Branches []string // hosts and sections that are rendered, "host/" and "host/section/"; not to be changed
	Pages    int      // that were rendered
	Failed   int
	Begun    int   // times that the browser was begun
	Killed   int   // of those, ended for its memory
	Memory   int64 // bytes of all its processes; 0 = it does not run
	Peak     int64 // the most that was seen
	Bound    int64 // of Memory
	Requests int   // that pages made and that were answered
	Refused  int   // that were not
	Took     time.Duration
	Err      string         // why the last page was not rendered; "" = it was
	Hosts    []RenderedHost // those with the most pages first, at most MostRendered
}

// MostRendered bounds Rendering.Hosts.
const MostRendered = 50

// RenderedHost is what became of the pages of a host.
type RenderedHost struct {
	Host      string
	Pages     int
	Failed    int
	Requests  int
	Exchanges int // that were received as JSON
	Took      time.Duration
	Last      time.Time // zero = none yet
	Err       string    // of the last page; "" = it was rendered
}
