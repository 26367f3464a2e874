package settings

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"angler/store/config"
	"angler/store/secrets"
)

// This file remembers what settings were before a person changed them. Secrets are shown
// without what is secret in them, so who takes a change back knows only what was shown.

// remembered bounds how many changes of a person are remembered.
const remembered = 64

// former are the settings as they were before a change of one of them.
type former struct {
	key   string
	set   *config.Settings
	empty bool // the change left nothing of it
}

// keep remembers the settings before this person gives a key a value.
func (h *Editor) keep(key, value string, before *config.Settings) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.formers = append(h.formers, former{key, before, strings.TrimSpace(value) == ""})
	if n := len(h.formers); n > remembered {
		h.formers = slices.Delete(h.formers, 0, n-remembered)
	}
}

// known returns the settings that what is hidden in a value of key may be taken from:
// those in force, then those before this person's changes of that key, the last first.
func (h *Editor) known(key string) []*config.Settings {
	list := []*config.Settings{h.l.Now()}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range slices.Backward(h.formers) {
		if f.key == key {
			list = append(list, f.set)
		}
	}
	return list
}

// errHidden is why a value is refused that has a mark where a secret was.
var errHidden = errors.New("what the mark " + secrets.Masked + " stands for is not known any more: type it")

// marked reports whether a value has the mark where a secret belongs.
func marked(key, value string) bool {
	if _, name, ok := config.SplitHostKey(key); ok && name != "proxy" {
		items, err := config.Items(value)
		return err == nil && slices.ContainsFunc(items, func(item string) bool {
			return strings.HasSuffix(item, secrets.Masked) && config.Hidden(name, item) == item
		})
	} else if !ok && key != proxyKey {
		return false
	}
	return strings.Contains(value, secrets.Masked+"@") && secrets.RedactAddress(value) == value
}

// refill gives hosts that have come to the list of hosts in s the settings that they had
// when this person took them from it.
func (h *Editor) refill(s *config.Settings, before map[string]config.Host) {
	known := h.known(config.HostsKey)[1:]
	hosts := maps.Clone(s.Host)
	for name := range hosts {
		if _, ok := before[name]; ok {
			continue
		}
		for _, was := range known {
			if old, ok := was.Host[name]; ok {
				hosts[name] = old
				break
			}
		}
	}
	s.Host = hosts
}
