// Package notices compares notices: whether a page is a notice, which notices are duplicates, which belong to one
// project, and what changed between versions.
//
// SimhashOf computes 16 bytes that identify the same notice at another address: SimHash over its words, and a hash
// of all its figures. Judge decides whether a page is a notice, from word families of the topic, similarity to
// accepted notices, and verdicts of people. Relate groups notices into duplicates and project threads, with their
// state and valid deadline. CompareTexts lists the lines that differ.
//
// All functions are pure and safe for concurrent use. Lengths are bounded.
package notices
