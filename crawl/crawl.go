// Package crawl is the thin face over the rooms of a crawl: it opens a workspace,
// puts the rooms together, starts and stops runs, and publishes immutable
// snapshots to any number of viewers. What it hands out are the parts of an
// Engine, each for one kind of action and in the hands of one person.
//
// A page travels seed → frontier → fetch → reader (decode, parse once, segment) →
// score → one atomic commit → snapshot; its links go complete → canonical → scope
// and filter → seen? → priority → frontier. Workers fetch, read and score; one
// writer goroutine commits. What analysts decide is one immutable State behind an
// atomic pointer: a changed word or threshold swaps the pointer and stops nothing.
// The ways of a page, of a key press and of a setting, the goroutines and the
// locks stand in docs/architecture.md. P0 … P4: see docs/papers.md.
package crawl
