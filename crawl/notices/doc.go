// Package notices compares notices: is it a notice at all, which are the same, which
// belong to one project, and what changed between two versions.
//
// SimhashOf makes 16 bytes of a text by which the same notice is found at another
// address: SimHash over its words, and a hash of all its figures. Judge decides whether
// a page is a notice, by families of labels that notices of the topic hold, by likeness
// to accepted notices, and by what people judged. Relate groups all notices into
// duplicates and project threads, with their state and the deadline that holds.
// CompareTexts lists the lines that differ.
//
// All functions are pure and safe for concurrent use. Lengths are bounded.
package notices
