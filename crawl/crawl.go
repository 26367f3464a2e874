// Package crawl is the engine: it opens a workspace, connects its parts, starts and stops runs, and publishes
// immutable snapshots to any number of viewers. Its parts, for one kind of action each, act for one person.
//
// A page goes seed → frontier → fetch → decode → parse → segment → score → one atomic commit → snapshot. Its links
// go complete → canonical → scope and filter → seen? → order → frontier. N workers fetch, parse and score; one
// writer goroutine commits. The topic model is behind an atomic pointer, so a changed word or threshold stops
// nothing. A run can end at any moment (pause, stop, crash). A URL is leased before its fetch until the commit that
// stores its page. After a kill, a few pages are fetched again and none is lost.
//
// P0 … P4: see docs/papers.md.
package crawl
