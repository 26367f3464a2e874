package settings

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"angler/crawl/auth"
	"angler/message"
	"angler/store/config"
)

// This file changes who is told of notices, [[notify]], by hand.

// NotifyRows are the rows of [[notify]] in force, without what may be a secret in their
// addresses: a row that still has such an address means the one that is there. It is
// empty for those who may not change settings.
func (h *Editor) NotifyRows() []config.Notify {
	if h.May(auth.Settings) != nil {
		return nil
	}
	set := h.l.Now().Clone()
	for i := range set.Notify {
		set.Notify[i].URL = hidden(set.Notify[i].URL)
	}
	return set.Notify
}

func hidden(address string) string {
	if address == "" {
		return ""
	}
	return config.HostOnly(address)
}

// row returns what a person makes of a row of [[notify]], and the row as it is, or as it
// was when the same person removed it; nil when there is none.
func (h *Editor) row(name, text string) (to, now *config.Notify, err error) {
	set := h.l.Now()
	next, err := set.With(config.NotifyOf(name), text)
	if err != nil {
		return nil, nil, err
	}
	to, now = told(&next, name), told(set, name)
	if to == nil || to.URL == "" {
		return to, now, nil
	}
	switch was, removed := h.before(name); {
	case now != nil && to.URL == hidden(now.URL):
		to.URL = now.URL
	case was != nil && to.URL == hidden(was.URL) && (now != nil || removed):
		to.URL = was.URL
		if now == nil {
			now = was // it is put back where it was
		}
	}
	return to, now, nil
}

// before is the row of that name as it was before this person's last change of it, nil =
// there was none, and whether that change removed it. Of a row that another person has
// removed meanwhile nothing comes back.
func (h *Editor) before(name string) (was *config.Notify, removed bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range slices.Backward(h.formers) {
		if f.key == config.NotifyOf(name) {
			return told(f.set, name), f.empty
		}
	}
	return nil, false
}

func told(s *config.Settings, name string) *config.Notify {
	if i := slices.IndexFunc(s.Notify, func(n config.Notify) bool { return n.Name == name }); i >= 0 {
		return &s.Notify[i]
	}
	return nil
}

// errPlace refuses a place set from another machine: a row can name a file or variable
// of this machine, whose contents would be sent away.
var errPlace = errors.New("where messages go is set at the server's own terminal or in angler.toml; over SSH a row can be muted, removed, and told what to tell and when")

// checkTold says what is wrong with a row besides what belongs to it.
func (h *Editor) checkTold(name, text string) error {
	to, now, err := h.row(name, text)
	if err != nil || to == nil {
		return err
	}
	if check := h.l.Hooks.Filter; check != nil && to.Filter != "" {
		if err := check(to.Filter); err != nil {
			return errors.New("filter: " + err.Error())
		}
	}
	if h.Remote && (now == nil || !samePlace(*now, *to)) {
		return errPlace
	}
	return nil
}

// samePlace reports whether two rows differ in what is told and when alone.
func samePlace(a, b config.Notify) bool {
	for _, n := range []*config.Notify{&a, &b} {
		n.Filter, n.Rhythm, n.At, n.Zone, n.Tell, n.Due, n.Language, n.Empty, n.Off = "", "", "", "", nil, 0, "", false, false
	}
	return reflect.DeepEqual(a, b)
}

// toldSetting is the name of the row that a setting is; not ok for other settings.
func toldSetting(key string) (name string, ok bool) {
	return strings.CutPrefix(key, config.NotifyOf(""))
}

// shownTold is a changed row as the log tells it: without addresses.
func shownTold(name, text string) message.Text {
	if strings.TrimSpace(text) == "" {
		return message.Of("notify %s removed", name)
	}
	return message.Of("notify %s set", name)
}
