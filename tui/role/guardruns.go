package role

import (
	"angler/crawl/decisions"
	"angler/crawl/view"
	"angler/tui/parts"
)

// runs guards what starts, drives and steers a run.
type runs struct {
	b parts.Runs
	r Role
}

func (g *runs) SteerCount(pattern string) (int, []string, error) { return g.b.SteerCount(pattern) }
func (g *runs) SteerRules() []decisions.Rule                     { return g.b.SteerRules() }

func (g *runs) Troubles() ([]view.FailureGroup, error) { return g.b.Troubles() }

func (g *runs) Retry(what string) (int, error) {
	return allowed(g.r, Retry, func() (int, error) { return g.b.Retry(what) })
}

func (g *runs) StartDiscovery() error {
	if err := g.r.check(Discovery); err != nil {
		return err
	}
	return g.b.StartDiscovery()
}

func (g *runs) StartProbe() error {
	if err := g.r.check(Probe); err != nil {
		return err
	}
	return g.b.StartProbe()
}

func (g *runs) StartHarvest() error {
	if err := g.r.check(Harvest); err != nil {
		return err
	}
	return g.b.StartHarvest()
}

func (g *runs) StartStored() error {
	if err := g.r.check(Harvest); err != nil {
		return err
	}
	return g.b.StartStored()
}

func (g *runs) Pause()     { g.r.may(Pause, g.b.Pause) }
func (g *runs) Resume()    { g.r.may(Resume, g.b.Resume) }
func (g *runs) Step()      { g.r.may(Step, g.b.Step) }
func (g *runs) Stop()      { g.r.may(Stop, g.b.Stop) }
func (g *runs) CancelJob() { g.r.may(CancelJob, g.b.CancelJob) }

func (g *runs) SetBudget(pages int) error {
	if err := g.r.check(Budget); err != nil {
		return err
	}
	return g.b.SetBudget(pages)
}

func (g *runs) Steer(pattern, action string) error {
	if err := g.r.check(Steer); err != nil {
		return err
	}
	return g.b.Steer(pattern, action)
}
