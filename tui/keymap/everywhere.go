package keymap

import "angler/crawl/auth"

// The runs, from every screen: shifted keys without another meaning.
var (
	Discovery = add(Everywhere, "discovery", "S", Entry{Action: auth.Discovery,
		Help: "start a discovery: crawl from the seeds", Foot: 50})
	Harvests = add(Everywhere, "harvest", "H", Entry{Action: auth.Harvest,
		Help: "start a harvest: visit the aggregation pages, fetch new notices", Foot: 51})
	Pause = add(Everywhere, "pause", "P", Entry{Action: auth.Pause,
		Help: "pause the run for everyone, or let it go on", Foot: 25})
	Step = add(Everywhere, "step", "T", Entry{Action: auth.Step,
		Help: "fetch one page while the run is paused", Foot: 26})
	Stop = add(Everywhere, "stop", "X", Entry{Action: auth.Stop,
		Help: "stop the run; fetches under way are broken off and their pages go on waiting", Foot: 27})
)

// Other actions of every screen.
var (
	Undo = add(Everywhere, "undo", "u", Entry{Action: auth.Undo,
		Help: "undo the last decision; asks before an old one or another person's", Foot: 90})
	Redo   = add(Everywhere, "redo", "ctrl+r", Entry{Action: auth.Redo, Help: "redo the last undone change"})
	Freeze = add(Everywhere, "freeze", "f", Entry{Action: auth.Own("freeze"),
		Help: "freeze this display (the crawl goes on), and back", Foot: 91})
	Mouse = add(Everywhere, "mouse", "M", Entry{Action: auth.Own("mouse"),
		Help: "leave the mouse to the terminal, for selecting text, and back"})
	Cancel = add(Everywhere, "cancel", "esc", Entry{Verb: back, Action: auth.Own("cancel"),
		Help: "cancel running work, background work too"})
	Explain = add(Everywhere, "explain", "i", Entry{Action: auth.Own("explain"),
		Help: "explain a number here in a sentence; again: the next one"})
	Decisions = add(Everywhere, "decisions", "@", Entry{Action: auth.Own("decisions"),
		Help: "decisions with person and time: samples, labels, words, thresholds"})
	Told = add(Everywhere, "told", "&", Entry{Action: auth.Own("told"),
		Help: "broken lists, and recipients of alerts: go to a list, mute it, send a test message"})
	Settings   = add(Everywhere, "settings", ",", Entry{Action: auth.Settings, Help: "edit the settings (angler.toml)"})
	Workspaces = add(Everywhere, "workspaces", "ctrl+o", Entry{Action: auth.Own("workspace"),
		Help: "go to another workspace, or make a new one"})
	Help = add(Everywhere, "help", "? f1", Entry{Show: "? f1", Action: auth.Own("help"),
		Help: "help with every key"})
	Palette = add(Everywhere, "palette", ": ctrl+p", Entry{Action: auth.Own("palette"),
		Help: "every action by name"})
	Redraw  = add(Everywhere, "redraw", "ctrl+l", Entry{Action: auth.Own("redraw"), Help: "draw the screen again"})
	Suspend = add(Everywhere, "suspend", "ctrl+z", Entry{Action: auth.Own("suspend"),
		Help: "suspend the workbench, its crawl too; fg in the shell goes on"})
	Quit = add(Everywhere, "quit", "q ctrl+c", Entry{Action: auth.Own("quit"),
		Help: "quit; asks once when a crawl is running"})
)

// Screens are the keys of the screens, by their numbers.
var Screens = [...]*Entry{
	add(Everywhere, "screen_home", "0", Entry{Action: auth.Own("Home"), Help: "go to Home"}),
	add(Everywhere, "screen_samples", "1", Entry{Action: auth.Own("Samples"), Help: "go to Samples"}),
	add(Everywhere, "screen_features", "2", Entry{Action: auth.Own("Features"), Help: "go to Features"}),
	add(Everywhere, "screen_threshold", "3", Entry{Action: auth.Own("Threshold"), Help: "go to Threshold"}),
	add(Everywhere, "screen_crawl", "4", Entry{Action: auth.Own("Crawl"), Help: "go to Crawl"}),
	add(Everywhere, "screen_harvest", "5", Entry{Action: auth.Own("Harvest"), Help: "go to Harvest"}),
	add(Everywhere, "screen_label", "6", Entry{Action: auth.Own("Label"), Help: "go to Label"}),
	add(Everywhere, "screen_lab", "7", Entry{Action: auth.Own("Lab"), Help: "go to Lab"}),
}
