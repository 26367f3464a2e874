package keymap

import "angler/crawl/auth"

// The runs, from every screen: shifted keys without another meaning.
var (
	Discovery = add(Entry{ID: "discovery", Keys: []string{"S"}, Action: auth.Discovery,
		Help: "start a discovery: crawl from the seeds", Foot: 50})
	Harvests = add(Entry{ID: "harvest", Keys: []string{"H"}, Action: auth.Harvest,
		Help: "start a harvest: visit the aggregation pages, fetch new notices", Foot: 51})
	Pause = add(Entry{ID: "pause", Keys: []string{"P"}, Action: auth.Pause,
		Help: "pause the run for everyone, or let it go on", Foot: 25})
	Step = add(Entry{ID: "step", Keys: []string{"T"}, Action: auth.Step, Help: "fetch one page while the run is paused",
		Foot: 26})
	Stop = add(Entry{ID: "stop", Keys: []string{"X"}, Action: auth.Stop,
		Help: "stop the run; fetches under way are broken off and their pages go on waiting", Foot: 27})
)

// Other actions of every screen.
var (
	Undo = add(Entry{ID: "undo", Keys: []string{"u"}, Action: auth.Undo,
		Help: "undo the last decision; asks before an old one or another person's", Foot: 90})
	Redo   = add(Entry{ID: "redo", Keys: []string{"ctrl+r"}, Action: auth.Redo, Help: "redo the last undone change"})
	Freeze = add(Entry{ID: "freeze", Keys: []string{"f"}, Action: auth.Own("freeze"),
		Help: "freeze this display (the crawl goes on), and back", Foot: 91})
	Mouse = add(Entry{ID: "mouse", Keys: []string{"M"}, Action: auth.Own("mouse"),
		Help: "leave the mouse to the terminal, for selecting text, and back"})
	Cancel = add(Entry{ID: "cancel", Keys: []string{"esc"}, Verb: back, Action: auth.Own("cancel"),
		Help: "cancel running work, background work too"})
	Explain = add(Entry{ID: "explain", Keys: []string{"i"}, Action: auth.Own("explain"),
		Help: "explain a number here in a sentence; again: the next one"})
	Decisions = add(Entry{ID: "decisions", Keys: []string{"@"}, Action: auth.Own("decisions"),
		Help: "decisions with person and time: samples, labels, words, thresholds"})
	Told = add(Entry{ID: "told", Keys: []string{"&"}, Action: auth.Own("told"),
		Help: "broken lists, and recipients of alerts: go to a list, mute it, send a test message"})
	Settings = add(Entry{ID: "settings", Keys: []string{","}, Action: auth.Settings,
		Help: "edit the settings (angler.toml)"})
	Workspaces = add(Entry{ID: "workspaces", Keys: []string{"ctrl+o"}, Action: auth.Own("workspace"),
		Help: "go to another workspace, or make a new one"})
	Help = add(Entry{ID: "help", Keys: []string{"?", "f1"}, Show: "? f1", Action: auth.Own("help"),
		Help: "help with every key"})
	Palette = add(Entry{ID: "palette", Keys: []string{":", "ctrl+p"}, Show: ":", Action: auth.Own("palette"),
		Help: "every action by name"})
	Redraw = add(Entry{ID: "redraw", Keys: []string{"ctrl+l"}, Action: auth.Own("redraw"),
		Help: "draw the screen again"})
	Suspend = add(Entry{ID: "suspend", Keys: []string{"ctrl+z"}, Action: auth.Own("suspend"),
		Help: "suspend the workbench, its crawl too; fg in the shell goes on"})
	Quit = add(Entry{ID: "quit", Keys: []string{"q", "ctrl+c"}, Show: "q", Action: auth.Own("quit"),
		Help: "quit; asks once when a crawl is running"})
)

// Screens are the keys of the screens, by their numbers.
var Screens = [...]*Entry{
	add(Entry{ID: "screen_home", Keys: []string{"0"}, Action: auth.Own("Home"), Help: "go to Home"}),
	add(Entry{ID: "screen_samples", Keys: []string{"1"}, Action: auth.Own("Samples"), Help: "go to Samples"}),
	add(Entry{ID: "screen_features", Keys: []string{"2"}, Action: auth.Own("Features"), Help: "go to Features"}),
	add(Entry{ID: "screen_threshold", Keys: []string{"3"}, Action: auth.Own("Threshold"), Help: "go to Threshold"}),
	add(Entry{ID: "screen_crawl", Keys: []string{"4"}, Action: auth.Own("Crawl"), Help: "go to Crawl"}),
	add(Entry{ID: "screen_harvest", Keys: []string{"5"}, Action: auth.Own("Harvest"), Help: "go to Harvest"}),
	add(Entry{ID: "screen_label", Keys: []string{"6"}, Action: auth.Own("Label"), Help: "go to Label"}),
	add(Entry{ID: "screen_lab", Keys: []string{"7"}, Action: auth.Own("Lab"), Help: "go to Lab"}),
}
