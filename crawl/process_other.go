//go:build !linux

package crawl

import "angler/crawl/run"

// Other systems have other interfaces; the metrics leave these figures out.

func descriptors() (open, most int, ok bool) { return 0, 0, false }

func resident() (bytes int64, ok bool) { return 0, false }

func usage() run.ProcessUsage { return run.ProcessUsage{} }
