// Package listpage finds the entries of a list page, the request for its next page, and the
// entries that no link leads to.
//
// RecordFinder chooses the group of repeated elements with the most title text and dates and the
// fewest other links. FindDataRows reads lists in scripts: arrays of objects. It builds their
// addresses with a function or a template of the page. PaginationFinder makes a PageRequest of a
// form or postback that turns a list. FindMissing reports the entries that a reader would miss:
// further pages behind a script, rows that open on a click, entries that a script fetches. It also
// reports a login in the place of a list.
//
// ScriptReader follows handlers through assignments, conditions and concatenation of strings. It
// reads code and never runs it. parseScript parses a handler or one function with
// github.com/tdewolff/parse, and repairs broken code. scanner finds the end of a function, an
// expression or an array with the lexer of the same library.
//
// Pages are hostile: bytes, depth, rows, fields, calls and tokens are bounded. Choosing records
// costs about as much as parsing the page. The rest costs almost nothing on a page without its
// signs. FindMissing must not raise false alarms: it ignores a list that states it is complete, a
// slide show, a calendar and a menu. A ScriptReader serves one page and one goroutine at a time.
//
// P0 … P4: see docs/papers.md.
package listpage
