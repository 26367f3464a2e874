// Package listpage finds the entries of a list page, how the list turns to its next
// page, and which entries no link leads to.
//
// RecordFinder chooses the group of repeated elements with the most title text and
// dates and the fewest other links. FindDataRows reads lists that stand as data in a
// script: an array of objects, with an address as a function or a template of the page
// builds it. PaginationFinder reads forms and postbacks that turn a list, and makes a
// PageRequest of each. FindMissing reports what a reader would miss: a pager that a
// script turns, rows that open on a click, entries that a script fetches, a login in
// the place of a list.
//
// ScriptReader follows handlers through assignments, conditions and concatenation of
// strings. It reads code and never runs it. parseScript has github.com/tdewolff/parse
// parse a handler or one function, and repairs broken code. scanner finds where a function,
// an expression or an array ends, with the lexer of the same library.
//
// Pages are hostile: bytes, depth, rows, fields, calls and tokens are bounded. Choosing
// records costs about as much as parsing the page; the rest costs almost nothing on a
// page that shows no sign of it. FindMissing must not raise false alarms: it ignores a
// list that says it is complete, a slide show, a calendar and a menu. A ScriptReader
// serves one page and one goroutine at a time.
//
// P0 … P4: see docs/papers.md.
package listpage
