package keymap

import "angler/crawl/auth"

// ProposedSeeds opens the proposals of seeds over the screen Crawl.
var ProposedSeeds = add(Crawl, "seeds_proposed", "o", Entry{Verb: "proposed seeds", Action: auth.Own("proposed seeds"),
	Help: "hosts that are proposed as seeds: look for more, accept, reject", Foot: 42})

// The proposals of seeds.
var (
	SeedsAccept = add(Seeding, "seeds_accept", "a", Entry{Action: auth.AcceptSeeds,
		Help: "proposed seeds: make the marked hosts seeds", Foot: 1})
	SeedsReject = add(Seeding, "seeds_reject", "r", Entry{Action: auth.RejectSeeds,
		Help: "proposed seeds: reject the marked hosts; they are not proposed again", Foot: 2})
	SeedsSearch = add(Seeding, "seeds_search", "W", Entry{Action: auth.SuggestSeeds.As("search the web"),
		Help: "proposed seeds: search the web for words by a SearXNG server", Foot: 3})
	SeedsFrom = add(Seeding, "seeds_from", "A", Entry{Action: auth.SuggestSeeds.As("read a list"),
		Help: "proposed seeds: take the hosts of a list: OPML, RSS, sitemap, page of links, lines of addresses",
		Foot: 4})
	SeedsLinks = add(Seeding, "seeds_links", "L", Entry{Action: auth.SuggestSeeds.As("count links"),
		Help: "proposed seeds: count the hosts that relevant pages link to", Foot: 5})
	SeedsState = add(Seeding, "seeds_state", "t", Entry{Action: auth.Own("open/judged"),
		Help: "proposed seeds: show the open, the accepted, the rejected or all", Foot: 6})
	SeedsCancel = add(Seeding, "seeds_cancel", "esc", Entry{Verb: back, Action: auth.Own("cancel"),
		Help: "proposed seeds: cancel the search; hosts found so far stay", Foot: 8})
	SeedsClose = add(Seeding, "seeds_close", "esc", Entry{Verb: back, Action: auth.Own("back to the crawl"),
		Help: "proposed seeds: back to the screen", Foot: 9})
	SeedsLeave = add(Seeding, "seeds_leave", "o", Entry{Action: auth.Own("back"),
		Help: "proposed seeds: back to the screen, while it is being looked for too"})
)
