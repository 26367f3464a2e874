package keymap

import "angler/crawl/auth"

// Crawl.
var (
	Strategy = add(Crawl, "strategy", "L", Entry{Action: auth.Strategy,
		Help: "choose the order of the frontier", Foot: 33})
	Workers = add(Crawl, "workers", "w", Entry{Action: auth.Workers,
		Help: "set the number of fetch workers", Foot: 34})
	Seeds = add(Crawl, "seeds", "a +", Entry{Show: "a +", Action: auth.Seeds, Help: "add seed URLs", Foot: 33})
	Delay = add(Crawl, "delay", "D", Entry{Action: auth.Delay,
		Help: "set the delay between two fetches of one host", Foot: 35})
	Depth = add(Crawl, "depth", "l", Entry{Action: auth.Depth,
		Help: "set how many links from a seed a discovery goes", Foot: 36})
	Budget = add(Crawl, "budget", "b", Entry{Action: auth.Budget,
		Help: "set after how many pages this run ends", Foot: 37})
	Scope = add(Crawl, "scope", "B", Entry{Action: auth.Settings.As("scope"),
		Help: "edit the scope of the crawl (in the settings)", Foot: 40})
	Steer = add(Crawl, "steer", "p", Entry{Action: auth.Steer,
		Help: "drop, boost or bury the waiting URLs that match a pattern", Foot: 38})
	Rules = add(Crawl, "rules", "r", Entry{Action: auth.Steer.As("rules"),
		Help: "list the patterns that steer the frontier, and take one away", Foot: 39})
	Retry = add(Crawl, "retry", "F", Entry{Action: auth.Retry,
		Help: "have failed URLs tried again at once: one, those of a host, those of a reason, or all", Foot: 41})
	TakeIn = add(Crawl, "take_in", "I", Entry{Action: auth.Harvest.As("import"),
		Help: "import without a request: pages of a web archive, notices of stored pages", Foot: 42})
	Act = add(Crawl, "branch", "A", Entry{Action: auth.Steer.As("act"),
		Help: "act on a host or a section: view a page; drop, boost, bury, delay or mute its pages",
		Foot: 9, Row: true})
	Workforce = add(Crawl, "worker_act", "A", Entry{Verb: "branch", Action: auth.Workforce,
		Help: "act on a worker at another machine: drain it, let it go on, stop or ban it", Foot: 9, Row: true})
	Sections = add(Crawl, "sections", "right", Entry{Show: "→", Action: auth.Own("sections"),
		Help: "open a host or a section, show its children", Foot: 8, Row: true})
	CloseSection = add(Crawl, "sections_close", "left", Entry{Show: "←", Action: auth.Own("sections"),
		Help: "close it, or go to its parent", Row: true})
	Trouble = add(Crawl, "trouble", "t", Entry{Action: auth.Own("trouble"),
		Help: "events: all, warnings and errors only, errors only", Foot: 49})
)

// Harvest.
var (
	Export = add(Harvest, "export", "e", Entry{Action: auth.Export,
		Help: "export pages, notices, frontier or links to a file", Foot: 11})
	LessAlike = add(Harvest, "quality_lower", "[", Entry{Verb: step, Action: auth.Own("PageRank"),
		Help: "weight PageRank more (t −.05)", Foot: 44})
	MoreAlike = add(Harvest, "quality_raise", "]", Entry{Verb: step, Action: auth.Own("similarity"),
		Help: "weight similarity more (t +.05)", Foot: 45})
	KeepShare = add(Harvest, "quality_save", "w", Entry{Action: auth.Settings.As("save t"),
		Help: "save t as the setting harvest.similarity_share", Foot: 15})
)

// Lab.
var (
	Replay = add(Lab, "replay", "r", Entry{Action: auth.Replay,
		Help: "lab: replay the stored crawl under the marked link orders", Foot: 1})
	Target = add(Lab, "lab_target", "t", Entry{Action: auth.Own("target"), Help: "lab: choose the target", Foot: 4})
	Draws  = add(Lab, "lab_draws", "#", Entry{Action: auth.Own("draws"),
		Help: "lab: set how often each order runs, with another order of equals each time", Foot: 5})
	UseIt = add(Lab, "lab_use", "L", Entry{Action: auth.Strategy.As("use it"),
		Help: "lab: crawl under the link order under the cursor", Foot: 6})
)
