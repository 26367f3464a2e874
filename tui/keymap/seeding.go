package keymap

import "angler/crawl/auth"

// ProposedSeeds opens the proposals of seeds over the screen Crawl.
var ProposedSeeds = add(Entry{ID: "seeds_proposed", Place: Crawl, Keys: []string{"o"}, Verb: "proposed seeds",
	Action: auth.Own("proposed seeds"), Help: "hosts that are proposed as seeds: look for more, accept, reject",
	Foot: 42})

// The proposals of seeds.
var (
	SeedsAccept = add(Entry{ID: "seeds_accept", Place: Seeding, Keys: []string{"a"}, Action: auth.AcceptSeeds,
		Help: "proposed seeds: make the marked hosts seeds", Foot: 1})
	SeedsReject = add(Entry{ID: "seeds_reject", Place: Seeding, Keys: []string{"r"}, Action: auth.RejectSeeds,
		Help: "proposed seeds: reject the marked hosts; they are not proposed again", Foot: 2})
	SeedsSearch = add(Entry{ID: "seeds_search", Place: Seeding, Keys: []string{"W"},
		Action: auth.SuggestSeeds.As("search the web"),
		Help:   "proposed seeds: search the web for words by a SearXNG server", Foot: 3})
	SeedsFrom = add(Entry{ID: "seeds_from", Place: Seeding, Keys: []string{"A"},
		Action: auth.SuggestSeeds.As("read a list"),
		Help:   "proposed seeds: take the hosts of a list: OPML, RSS, sitemap, page of links, lines of addresses",
		Foot:   4})
	SeedsLinks = add(Entry{ID: "seeds_links", Place: Seeding, Keys: []string{"L"},
		Action: auth.SuggestSeeds.As("count links"),
		Help:   "proposed seeds: count the hosts that relevant pages link to", Foot: 5})
	SeedsState = add(Entry{ID: "seeds_state", Place: Seeding, Keys: []string{"t"}, Action: auth.Own("open/judged"),
		Help: "proposed seeds: show the open, the accepted, the rejected or all", Foot: 6})
	SeedsCancel = add(Entry{ID: "seeds_cancel", Place: Seeding, Keys: []string{"esc"}, Verb: back,
		Action: auth.Own("cancel"), Help: "proposed seeds: cancel the search; hosts found so far stay", Foot: 8})
	SeedsClose = add(Entry{ID: "seeds_close", Place: Seeding, Keys: []string{"esc"}, Verb: back,
		Action: auth.Own("back to the crawl"), Help: "proposed seeds: back to the screen", Foot: 9})
	SeedsLeave = add(Entry{ID: "seeds_leave", Place: Seeding, Keys: []string{"o"}, Action: auth.Own("back"),
		Help: "proposed seeds: back to the screen, while it is being looked for too"})
)
