package keymap

import "angler/crawl/auth"

// Crawl.
var (
	Strategy = add(Entry{ID: "strategy", Place: Crawl, Keys: []string{"L"}, Action: auth.Strategy,
		Help: "choose the order of the frontier", Foot: 33})
	Workers = add(Entry{ID: "workers", Place: Crawl, Keys: []string{"w"}, Action: auth.Workers,
		Help: "set the number of fetch workers", Foot: 34})
	Seeds = add(Entry{ID: "seeds", Place: Crawl, Keys: []string{"a", "+"}, Show: "a +", Action: auth.Seeds,
		Help: "add seed URLs", Foot: 33})
	Delay = add(Entry{ID: "delay", Place: Crawl, Keys: []string{"D"}, Action: auth.Delay,
		Help: "set the delay between two fetches of one host", Foot: 35})
	Depth = add(Entry{ID: "depth", Place: Crawl, Keys: []string{"l"}, Action: auth.Depth,
		Help: "set how many links from a seed a discovery goes", Foot: 36})
	Budget = add(Entry{ID: "budget", Place: Crawl, Keys: []string{"b"}, Action: auth.Budget,
		Help: "set after how many pages this run ends", Foot: 37})
	Scope = add(Entry{ID: "scope", Place: Crawl, Keys: []string{"B"}, Action: auth.Settings.As("scope"),
		Help: "edit the scope of the crawl (in the settings)", Foot: 40})
	Steer = add(Entry{ID: "steer", Place: Crawl, Keys: []string{"p"}, Action: auth.Steer,
		Help: "drop, boost or bury the waiting URLs that match a pattern", Foot: 38})
	Rules = add(Entry{ID: "rules", Place: Crawl, Keys: []string{"r"}, Action: auth.Steer.As("rules"),
		Help: "list the patterns that steer the frontier, and take one away", Foot: 39})
	Retry = add(Entry{ID: "retry", Place: Crawl, Keys: []string{"F"}, Action: auth.Retry,
		Help: "have failed URLs tried again at once: one, those of a host, those of a reason, or all", Foot: 41})
	TakeIn = add(Entry{ID: "take_in", Place: Crawl, Keys: []string{"I"}, Action: auth.Harvest.As("import"),
		Help: "import without a request: pages of a web archive, notices of stored pages", Foot: 42})
	Act = add(Entry{ID: "branch", Place: Crawl, Keys: []string{"A"}, Action: auth.Steer.As("act"),
		Help: "act on a host or a section: view a page; drop, boost, bury, delay or mute its pages", Foot: 9,
		Row: true})
	Workforce = add(Entry{ID: "worker_act", Place: Crawl, Keys: []string{"A"}, Verb: "branch",
		Action: auth.Workforce, Help: "act on a worker at another machine: drain it, let it go on, stop or ban it",
		Foot: 9, Row: true})
	Sections = add(Entry{ID: "sections", Place: Crawl, Keys: []string{"right"}, Show: "→",
		Action: auth.Own("sections"), Help: "open a host or a section, show its children", Foot: 8, Row: true})
	CloseSection = add(Entry{ID: "sections_close", Place: Crawl, Keys: []string{"left"}, Show: "←",
		Action: auth.Own("sections"), Help: "close it, or go to its parent", Row: true})
	Trouble = add(Entry{ID: "trouble", Place: Crawl, Keys: []string{"t"}, Action: auth.Own("trouble"),
		Help: "events: all, warnings and errors only, errors only", Foot: 49})
)

// Harvest.
var (
	Export = add(Entry{ID: "export", Place: Harvest, Keys: []string{"e"}, Action: auth.Export,
		Help: "export pages, notices, frontier or links to a file", Foot: 11})
	LessAlike = add(Entry{ID: "quality_lower", Place: Harvest, Keys: []string{"["}, Verb: step,
		Action: auth.Own("PageRank"), Help: "weight PageRank more (t −.05)", Foot: 44})
	MoreAlike = add(Entry{ID: "quality_raise", Place: Harvest, Keys: []string{"]"}, Verb: step,
		Action: auth.Own("similarity"), Help: "weight similarity more (t +.05)", Foot: 45})
	KeepShare = add(Entry{ID: "quality_save", Place: Harvest, Keys: []string{"w"}, Action: auth.Settings.As("save t"),
		Help: "save t as the setting harvest.similarity_share", Foot: 15})
)

// Lab.
var (
	Replay = add(Entry{ID: "replay", Place: Lab, Keys: []string{"r"}, Action: auth.Replay,
		Help: "lab: replay the stored crawl under the marked link orders", Foot: 1})
	Target = add(Entry{ID: "lab_target", Place: Lab, Keys: []string{"t"}, Action: auth.Own("target"),
		Help: "lab: choose the target", Foot: 4})
	Draws = add(Entry{ID: "lab_draws", Place: Lab, Keys: []string{"#"}, Action: auth.Own("draws"),
		Help: "lab: set how often each order runs, with another order of equals each time", Foot: 5})
	UseIt = add(Entry{ID: "lab_use", Place: Lab, Keys: []string{"L"}, Action: auth.Strategy.As("use it"),
		Help: "lab: crawl under the link order under the cursor", Foot: 6})
)
