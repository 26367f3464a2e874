package sshd

import (
	"io"
	"slices"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/tui/report"
)

// This file implements the command workers.

// orders are the orders of an admin to workers.
var orders = []string{"drain", "resume", "stop", "ban"}

// parseWorkers parses the arguments of workers: nothing, --json, or an order and names.
func parseWorkers(words []string) (request, error) {
	r := request{verb: "workers"}
	if len(words) == 1 && words[0] == "--json" {
		r.json = true
		return r, nil
	}
	if len(words) == 0 {
		return r, nil
	}
	if r.order, r.names = words[0], words[1:]; !slices.Contains(orders, r.order) || len(r.names) == 0 {
		return request{}, misused(r.verb)
	}
	return r, nil
}

// workers lists the workers, or sends an order.
func (x *session) workers(r request, out io.Writer) error {
	e := x.s.c.Engine.As(x.who)
	m := e.Snapshot().Machines
	if m == nil {
		return crawl.ErrNoWorkers
	}
	if r.order == "" {
		if r.json {
			return report.JSON(out, m)
		}
		report.Workers(out, m, e.Snapshot().At)
		return nil
	}
	hand := e.Machines
	switch r.order {
	case "drain":
		return hand.OrderWorkers(r.names, decisions.WorkerDrained)
	case "ban":
		return hand.OrderWorkers(r.names, decisions.WorkerBanned)
	case "resume":
		return hand.OrderWorkers(r.names, "")
	}
	return hand.StopWorkers(r.names)
}
