package crawl

import (
	"errors"
	"slices"
	"strings"

	"angler/crawl/order"
	"angler/crawl/urls"
	"angler/store"
)

// SettingRows lists the settings in force, in the order of angler.toml.
func (e *Engine) SettingRows() []store.SettingRow {
	s := e.Settings()
	return s.Rows()
}

// CheckSetting says what is wrong with a value, without any effect.
func (e *Engine) CheckSetting(key, value string) error {
	_, err := checked(e.Settings(), key, value)
	return err
}

func checked(set store.Settings, key, value string) (store.Settings, error) {
	set, err := set.With(key, value)
	if err != nil {
		return set, errors.New(strings.TrimPrefix(err.Error(), "angler.toml: "+key+": "))
	}
	switch table, _, _ := strings.Cut(key, "."); table {
	case "scope", "seeds":
		if key == "seeds" {
			if err := CheckSeeds(&set); err != nil {
				return set, err
			}
		}
		_, err = urls.NewScope(set.Scope.Kind, set.Seeds, set.Scope.Include, set.Scope.Exclude)
	case "crawl":
		_, err = order.New(set.Crawl.Strategy)
	}
	return set, err
}

// SettingNeedsReopening lists the settings that a running program does not
// take up.
var SettingNeedsReopening = []string{"crawl.timeout", "crawl.proxy", "crawl.user_agent", "crawl.ignore_robots", "crawl.allow_private", "crawl.max_body_mb",
	"words.segmenter", "store.expected_urls", "store.false_positive"}

// ChangeSetting checks a value, writes it to angler.toml and puts it in force;
// later tells that it takes effect only when the workspace is opened again. A
// run under way keeps its depth and delay.
func (e *Engine) ChangeSetting(key, value string) (later bool, err error) {
	if err := e.CheckSetting(key, value); err != nil {
		return false, err
	}
	if _, err := e.ws.EditSetting(key, value); err != nil {
		return false, err
	}
	e.note("info", "%s: %s = %s", e.opt.By, key, value)
	if slices.Contains(SettingNeedsReopening, key) {
		return true, nil
	}
	e.desk.Lock()
	set, err := checked(e.set, key, value)
	if err == nil {
		e.set = set
		err = errors.Join(e.rescope(), e.rejudge())
	}
	e.deskRev++
	e.desk.Unlock()
	switch {
	case err != nil:
	case key == "crawl.workers":
		err = e.SetWorkers(set.Crawl.Workers)
	case key == "crawl.strategy":
		err = e.SetStrategy(set.Crawl.Strategy)
	}
	e.publish()
	return false, err
}
