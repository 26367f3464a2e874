// Package linkorder decides which waiting URL is fetched first, and why.
//
// A Strategy turns the features of a link (anchor text, page, block, depth) into one
// number; the frontier fetches higher numbers first. Strategies are chosen by name, can
// be switched while a crawl runs, and name the terms of each value. Priorities holds
// the strategy in force with its knowledge, and adds the rules of scope and of
// analysts, which stand above every strategy.
//
// Valuing a link costs at most 2 µs in a strategy and some 5 µs in all, and is asked
// for ten times a page. Ranking the whole frontier again takes at most a tenth of one
// core. The memory of each strategy is bounded. What a strategy has learned is stored,
// and can be learned again from the stored pages.
//
// A strategy that trusts its parents, or what it learned, too much follows one rich
// region and starves the rest, so every strategy keeps terms that can be inspected.
// Topic and scope may change while a URL is ranked: callers that push into a frontier
// check afterwards whether they did (see run.admit).
//
// P0 … P4: see docs/papers.md.
package linkorder
