package role

import (
	"slices"
	"strings"
	"time"

	"angler/store/config"
	"angler/tui/parts"
)

// settings guards angler.toml and the load on the network.
type settings struct {
	b parts.Settings
	r Role
}

func (g *settings) Strategies() []string { return g.b.Strategies() }

// SettingRows shows the settings to those who may change some of them, without
// the password of a proxy.
func (g *settings) SettingRows() []config.Row {
	switch {
	case g.r == "":
		return g.b.SettingRows()
	case g.r.check(Settings) != nil:
		return nil
	}
	rows := slices.Clone(g.b.SettingRows())
	for i := range rows {
		if rows[i].Key == "crawl.proxy" && rows[i].Value != "" {
			rows[i].Value = "set on the server"
		}
	}
	return rows
}

// NotifyRows shows them to those who may change them.
func (g *settings) NotifyRows() []config.Notify {
	if g.r != "" && g.r.check(Settings) != nil {
		return nil
	}
	return g.b.NotifyRows()
}

func (g *settings) CheckSetting(key, value string) error {
	if err := g.may(key, value); err != nil {
		return err
	}
	return g.b.CheckSetting(key, value)
}

func (g *settings) ChangeSetting(key, value string) (bool, error) {
	if err := g.may(key, value); err != nil {
		return false, err
	}
	return g.b.ChangeSetting(key, value)
}

func (g *settings) may(key, value string) error {
	a := Settings
	if strings.HasPrefix(key, "terms.") {
		a = TuneTerms
	}
	if err := g.r.check(a); err != nil {
		return err
	}
	return g.r.open(key, value, g.b.SettingRows)
}

func (g *settings) AddSeeds(list []string) (int, error) {
	if err := g.r.check(Seeds); err != nil {
		return 0, err
	}
	if err := g.r.publicSeeds(list); err != nil {
		return 0, err
	}
	return g.b.AddSeeds(list)
}

func (g *settings) SetStrategy(name string) error {
	if err := g.r.check(Strategy); err != nil {
		return err
	}
	return g.b.SetStrategy(name)
}

func (g *settings) SetWorkers(n int) error {
	if err := g.r.check(Workers); err != nil {
		return err
	}
	return g.b.SetWorkers(n)
}

func (g *settings) SetDelay(d time.Duration) error {
	if err := g.r.check(Delay); err != nil {
		return err
	}
	return g.b.SetDelay(d)
}

func (g *settings) SetDepth(n int) error {
	if err := g.r.check(Depth); err != nil {
		return err
	}
	return g.b.SetDepth(n)
}
