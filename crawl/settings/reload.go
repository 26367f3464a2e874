package settings

import (
	"fmt"
	"slices"
	"strings"

	"angler/crawl/seeds"
	"angler/store"
	"angler/store/config"
)

// Reload applies changes of angler.toml since it was read, as if made in the workbench. Each changed line applies,
// also against a flag of this process. An event names settings that apply at the next opening. A broken file changes
// nothing and causes an event and an error. It returns the changed keys.
func (l *Live) Reload() ([]string, error) {
	old, set, changed, err := l.reread()
	if err != nil {
		l.Events.Note("error", "angler.toml was not taken up, the settings stay as they were: %v", err)
		return nil, err
	}
	if len(changed) == 0 {
		l.Events.Note("info", "angler.toml was read again: nothing has changed")
		return nil, nil
	}
	var keys, now, later []string
	for _, row := range changed {
		keys = append(keys, row.Key)
		if slices.Contains(NeedsReopening, row.Key) {
			later = append(later, row.Key)
		} else {
			now = append(now, row.Key+" = "+row.Value)
		}
	}
	if len(now) > 0 {
		l.Events.Note("info", "angler.toml was read again: %s", strings.Join(now, ", "))
	}
	if len(later) > 0 {
		l.Events.Note("warn", "angler.toml was read again: %s counts from the next start", strings.Join(later, ", "))
	}
	return keys, l.Hooks.Changed(old, set)
}

func (l *Live) reread() (old, set *config.Settings, changed []config.Row, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	old = l.now.Load()
	var next, read config.Settings
	err = store.RereadSettings(l.Store, func(file *config.Settings) error {
		if !slices.Equal(file.Seeds, l.file.Seeds) && len(file.Seeds) > 0 {
			if err := seeds.CheckSeeds(file); err != nil {
				return err
			}
		}
		next, changed = old.Overlay(&l.file, file)
		read = file.Clone()
		return Check(&next)
	})
	if err != nil || len(changed) == 0 {
		return old, old, nil, err
	}
	l.file = read
	if err := l.apply(&next); err != nil {
		return old, old, nil, fmt.Errorf("angler.toml: %w", err)
	}
	return old, &next, changed, nil
}
