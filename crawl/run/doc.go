// Package run carries out one discovery or one harvest, from its first URL to its end.
//
// Workers take URLs from the frontier; page.go is the way of a page: fetch, adapt, parse,
// judge, store. One writer commits the pages; after the commit, new links enter the
// frontier. A run is given the parts it works with, knows nothing of its caller, and
// reports to a Listener.
//
// A run can end at any moment (pause, stop, crash). A URL is therefore leased before it
// is fetched, and stays leased until the commit that stores its page. After a kill, a
// few pages are fetched again and none is lost.
//
// Beside the run itself this package holds what only a run needs: Metrics and the pace
// of a run are counted; script files and index files are followed; NoticeMaker turns records of a list
// into notices; a Translator reads replies that are no page; StoredFailures lists failed
// URLs; coverage compares what a list shows with what was followed, and reports missing
// entries once; History stores a row for each run while it goes on.
//
// # A discovery's notices (provisional.go, final.go)
//
// When an aggregation page is committed, each of its records becomes an errand: it moves
// from the queue of its host's links to frontier.Errands, which takes turns with the
// other queues by harvest.share. An errand whose page is stored is read from the store
// and costs no turn. After every commit rejudge compares the State: it adds lists
// that qualify now, and returns notices of lists that no longer do to the link order.
// While fewer than 1,000 pages are known, it rebuilds the model as they come. When
// nothing waits, finalize reads the lists again from the store, and withdraw takes back
// what no list announces. One table, tasks, holds the tasks of both parts. docs/reliability.md says why.
//
// # A harvest (harvest.go)
//
// The frontier holds the aggregation pages. After the commit of a list its new records
// are pushed; visitNotice adds the main text and stores a notice. A notice that a
// discovery fetched is read from its stored body. After the lists come known notices
// that are due (knownnotices.go): where one says something else now, its row is replaced and
// the old one becomes a version, in the same transaction.
//
// # Requests that are no plain GET (requests.go, redirects.go)
//
// Such a request has the address URL#name, such as http://h/list.aspx#post:page=2. It is
// a row like any other; scope, filter, robots.txt and links look at the part before the
// fragment. What to send is a row of store/records, stored with its list. A row that
// carries a view state or a token expires with its run. A Translator makes a page of the
// reply, which is stored as the page's body.
//
// # Notices whose addresses lead on (moved.go)
//
// A redirect, a refresh or a script may send the reader of a notice to another address. The
// target is a link like any other, and an errand once the notice waits for it. Then the notice
// is read from the target's page, under the address that its list gave.
//
// # Frames, handlers, script files
//
// Where a list stands in a frame, the page in the frame is a link and an errand; its
// notices count with the page that holds the frame (FrameHolderOf). Rows that open by a
// function are read by crawl/listpage and never run. A page names the script files that
// it needs; they wait in the frontier like pages, and when one is stored the pages that
// need it are read again (scriptfiles.go).
//
// # How far fetches run ahead
//
// Links enter the frontier with the commit of their page. In a discovery with a topic, a
// host has at most an eighth of its pages between fetch and commit (frontier.Config),
// and up to 1,000 waiting URLs are ranked again before new links enter. So the order at
// a delay of 0 is that of a patient crawl.
//
// P0 … P4: see docs/papers.md.
package run
