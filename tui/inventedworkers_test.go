package tui

import (
	"time"

	"angler/crawl/view"
	"angler/tui/tuitest"
)

// inventedWorkers returns four machines: one at work, one in another network, one being drained,
// one banned.
func inventedWorkers() *view.Machines {
	at := tuitest.Start
	return &view.Machines{Crew: view.Crew{Workers: 2, Slots: 80, Busy: 48, Rate: 391.6, Idle: 2}, Invite: "angler workers join nats://192.0.2.1:4222 --token-file FILE", Rows: []view.Worker{
		{Name: "e1", State: view.WorkerWorks, Tags: []string{"东区"}, Version: "1.4.0", Slots: 64, Busy: 41, Hosts: 118, Rate: 388.2, Done: 12_408, CPU: 1.42, Memory: 187 << 20, Since: at.Add(-time.Hour), Seen: at.Add(-time.Second),
			Failed: []view.FailedKind{{Kind: view.Gone, N: 22}, {Kind: view.Unreachable, N: 9}}},
		{Name: "e2", State: view.WorkerWorks, Tags: []string{"内网", "浏览器"}, Version: "1.4.0", Slots: 16, Busy: 7, Hosts: 4, Rate: 3.4, Done: 212, Bad: 1, Late: 2, CPU: .08, Memory: 96 << 20, Since: at.Add(-26 * time.Hour), Seen: at.Add(-9 * time.Second),
			Failed: []view.FailedKind{{Kind: view.Refused, N: 3}}, Errors: []view.WorkerError{{At: at.Add(-time.Minute), What: "429 · http://zb.nanping.test/zbgg/ · asked again in 30s", N: 3}}},
		{Name: "b7", State: view.WorkerDrains, Version: "1.4.0", Slots: 16, Busy: 3, Hosts: 9, Rate: 21, Done: 931, CPU: .61, Memory: 120 << 20, Since: at.Add(-2 * time.Hour), Seen: at},
		{Name: "x-9", State: view.WorkerBanned, Version: "1.3.2", Done: 12, Bad: 12, Seen: at.Add(-3 * time.Hour)},
	}}
}
