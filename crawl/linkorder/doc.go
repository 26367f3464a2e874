// Package linkorder decides which waiting URL is fetched first, and why.
//
// A Strategy turns the features of a link (anchor text, page, block, depth) into one number. The frontier fetches
// higher numbers first. Strategies are chosen by name, can be switched during a crawl, and name the terms of each
// value. Priorities holds the active strategy with its knowledge. It adds the rules of scope and analysts, which
// outrank every strategy.
//
// Valuing a link costs at most 2 µs in a strategy and about 5 µs in all, ten times per page. Ranking the frontier
// takes at most a tenth of one core. The memory of each strategy is bounded. Learned knowledge is stored, and can be
// learned again from the stored pages.
//
// A strategy that trusts its parents or its knowledge too much follows one rich region and starves the rest. Every
// strategy therefore keeps terms that can be inspected. Topic and scope may change while a URL is ranked: a caller
// that pushes into a frontier checks afterwards whether they did (see run.admit).
//
// P0 … P4: see docs/papers.md.
package linkorder
