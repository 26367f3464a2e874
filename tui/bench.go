package tui

import "angler/tui/screen"

// Bench is the engine as the workbench needs it; *crawl.Engine is one. Apart
// from Snapshot and Strategies its methods are called from Cmds only, never
// while a frame is made, because they may wait for a commit.
type Bench = screen.Bench
