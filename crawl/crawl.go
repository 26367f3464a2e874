// Package crawl is the thin face over the rooms of a crawl: it opens a workspace,
// puts the rooms together, starts and stops runs, and publishes immutable
// snapshots to any number of viewers. What it hands out are the parts of an
// Engine, each for one kind of action and in the hands of one person.
//
// A page travels seed → frontier → fetch → decode → parse once → segment →
// score → one atomic commit → snapshot; its links go complete → canonical →
// scope and filter → seen? → order → frontier. N workers fetch, parse and
// score; one writer goroutine commits. The topic model sits behind an atomic
// pointer: a changed word or threshold swaps the pointer and stops nothing. A
// run can be cut off at any moment (pause, stop, crash). So a URL is leased
// before it is fetched and leaves that state only in the commit that stores its
// page: after a kill a few pages are fetched again and none is lost.
//
// P0 … P4: see docs/papers.md.
package crawl
