package crawl

import (
	"errors"
	"slices"
	"strings"

	"angler/store"
)

// SettingRows lists the settings in force, in the order of angler.toml.
func (e *Engine) SettingRows() []store.SettingRow {
	s := e.Settings()
	return s.Rows()
}

// CheckSetting says what is wrong with a value, without any effect.
func (e *Engine) CheckSetting(key, value string) error {
	set, err := e.Settings().With(key, value)
	if err == nil && key == "seeds" {
		err = CheckSeeds(&set)
	}
	if err == nil {
		err = e.checkSettings(&set)
	}
	if err != nil {
		return errors.New(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "angler.toml: "), key+": "))
	}
	return nil
}

// SettingNeedsReopening lists the settings that a running program does not
// take up.
var SettingNeedsReopening = []string{"crawl.timeout", "crawl.proxy", "crawl.user_agent", "crawl.ignore_robots", "crawl.allow_private", "crawl.max_body_mb",
	"words.segmenter", "store.expected_urls", "store.false_positive"}

// ChangeSetting checks a value, writes it to angler.toml and puts it in force;
// later tells that it takes effect only when the workspace is opened again.
func (e *Engine) ChangeSetting(key, value string) (later bool, err error) {
	if err := e.CheckSetting(key, value); err != nil {
		return false, err
	}
	err = e.Change(key+" = "+value, func(s *store.Settings) {
		if set, err := s.With(key, value); err == nil { // it was checked
			before := s.Seeds
			if *s = set; key == "seeds" {
				fresh := slices.DeleteFunc(slices.Clone(s.Seeds), func(u string) bool { return slices.Contains(before, u) })
				e.vouch(s, before, fresh)
			}
		}
	})
	return err == nil && slices.Contains(SettingNeedsReopening, key), err
}
