package settings

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"angler/store/config"
	"angler/store/secrets"
)

// This file remembers earlier settings of a person's changes. Secrets are shown masked, so an undo contains only the
// masked text.

// maxRemembered is the maximum number of changes kept per person.
const maxRemembered = 64

// earlierSettings holds the settings before the change of one key.
type earlierSettings struct {
	key   string
	set   *config.Settings
	empty bool // the change removed the value
}

// remember records the settings before this person changes a key.
func (h *Editor) remember(key, value string, before *config.Settings) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.earlier = append(h.earlier, earlierSettings{key, before, strings.TrimSpace(value) == ""})
	if n := len(h.earlier); n > maxRemembered {
		h.earlier = slices.Delete(h.earlier, 0, n-maxRemembered)
	}
}

// unmaskSources returns the settings that may supply a masked secret of key. These are the present settings, then those
// before this person's changes of that key, newest first.
func (h *Editor) unmaskSources(key string) []*config.Settings {
	list := []*config.Settings{h.l.Now()}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range slices.Backward(h.earlier) {
		if f.key == key {
			list = append(list, f.set)
		}
	}
	return list
}

// errHidden rejects a value with a mask in place of a secret.
var errHidden = errors.New("what the mark " + secrets.Masked + " stands for is not known any more: type it")

// marked reports whether a value contains a mask in place of a secret.
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

// restoreHosts restores the settings of hosts that this person removed from the list and added again.
func (h *Editor) restoreHosts(s *config.Settings, before map[string]config.Host) {
	known := h.unmaskSources(config.HostsKey)[1:]
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
