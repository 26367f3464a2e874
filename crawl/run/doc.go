// Package run carries out one discovery or one harvest, from its first URL to its end.
//
// Workers take URLs from the frontier. page.go handles a page: fetch, adapt, parse, judge, store.
// One writer commits the pages; after the commit, new links enter the frontier. New receives all
// parts of a run; a run reports to a Listener and knows no caller.
//
// A run can end at any moment (pause, stop, crash). A URL is therefore leased before its fetch,
// until the commit that stores its page. After a kill, a few pages are fetched again and none is
// lost.
//
// This package also holds what only a run needs. Metrics counts fetches; History stores a row for
// each run. NoticeMaker turns records of a list into notices, and a Translator turns other replies
// into pages. Further files read script files and sitemaps, list failed URLs, and report missing
// list entries once.
//
// # A discovery's notices (provisional.go, final.go)
//
// After the commit of an aggregation page, each of its records becomes an errand. The URL moves
// from its host's link queue to frontier.Errands, which takes turns with the other queues by
// harvest.share. An errand whose page is stored is read from the store and costs no turn.
//
// After every commit rejudge compares the State. It adds lists that qualify now and returns notices
// of other lists to the link order. While fewer than 1,000 pages are known, it rebuilds the model
// as pages come.
//
// When nothing waits, finalize reads the lists again from the store, and withdraw deletes notices
// that no list announces. One table, tasks, serves both parts. docs/reliability.md says why.
//
// # A harvest (harvest.go)
//
// The frontier holds the aggregation pages. After the commit of a list its new records are pushed;
// visitNotice adds the main text and stores a notice. A notice that a discovery fetched is read
// from its stored body. Due known notices follow (knownnotices.go). If the text changed, one
// transaction replaces the row and stores the old one as a version.
//
// # Requests other than a plain GET (requests.go, redirects.go)
//
// Such a request has the address URL#name, such as http://h/list.aspx#post:page=2. It is a row like
// any other; scope, filter, robots.txt and links use the part before the fragment. A row of
// store/requests, stored with the list, holds the request. A row with a view state or a token
// expires with its run. A Translator turns the reply into a page, which is stored as the page's
// body.
//
// # Redirected notices (moved.go)
//
// A redirect, a refresh or a script may lead from a notice's address to another one. The target is
// a link like any other, and an errand while the notice waits for it. The notice is then read from
// the target's page and keeps the address from its list.
//
// # Frames, handlers, script files
//
// If a list stands in a frame, the frame's page is a link and an errand. Its notices count with the
// page that holds the frame (FrameHolderOf). crawl/listpage reads the handlers of rows and never
// runs them. A page names the script files that it needs; they wait in the frontier like pages.
// When a file is stored, the pages that need it are read again (scriptfiles.go).
//
// # How far fetches run ahead
//
// Links enter the frontier with the commit of their page. In a discovery with a topic, at most an
// eighth of a host's pages are between fetch and commit (frontier.Config). Up to 1,000 waiting URLs
// are ranked again before new links enter. So the order at a delay of 0 is that of a slow crawl.
//
// P0 … P4: see docs/papers.md.
package run
