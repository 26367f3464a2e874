// Package article finds the main text of a notice or an article, and the date of its
// publication.
//
// TextExtractor runs several methods: density (P0), pathratio with its second pass (P2),
// mass, and two libraries in htmldoc's sandbox. MethodAuto chooses one (auto.go) or
// lets three of them vote on each line (lines.go). Our own methods cost as much as parsing
// the page; a library costs 4 ms.
//
// PublicationDate reads the date near the title, in metadata, labels and the address.
// FindDate reads dates in any text with a hand-written scanner, because a page has a hundred
// places for a date.
//
// OverlapOf compares an extracted text with a marked one: both are bags of character
// 4-grams after NFKC, so white space and punctuation do not count.
//
// Input is hostile; time and lengths are bounded. Functions are safe for concurrent use
// on different trees.
//
// P0 … P4: see docs/papers.md.
package article
