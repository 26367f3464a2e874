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

// This file edits the rows of [[notify]] by hand.

// NotifyRows returns the present rows of [[notify]]. Their addresses show the host only, because the rest may be
// secret. A row that comes back with such an address keeps its real one. It is empty for persons who may not change
// settings.
func (h *Editor) NotifyRows() []config.Notify {
	if h.May(auth.Settings) != nil {
		return nil
	}
	set := h.l.Now().Clone()
	for i := range set.Notify {
		set.Notify[i].URL = maskAddress(set.Notify[i].URL)
	}
	return set.Notify
}

func maskAddress(address string) string {
	if address == "" {
		return ""
	}
	return config.HostOnly(address)
}

// row parses an edited row of [[notify]] as to. now is the present row, or the row before the same person removed
// it; nil means there is none.
func (h *Editor) row(name, text string) (to, now *config.Notify, err error) {
	set := h.l.Now()
	next, err := set.With(config.NotifyOf(name), text)
	if err != nil {
		return nil, nil, err
	}
	to, now = notifyRow(&next, name), notifyRow(set, name)
	if to == nil || to.URL == "" {
		return to, now, nil
	}
	switch was, removed := h.before(name); {
	case now != nil && to.URL == maskAddress(now.URL):
		to.URL = now.URL
	case was != nil && to.URL == maskAddress(was.URL) && (now != nil || removed):
		to.URL = was.URL
		if now == nil {
			now = was // restored after its removal
		}
	}
	return to, now, nil
}

// before returns the row before this person's last change of it, nil if there was none, and whether that change
// removed it. Rows that another person removed are not restored.
func (h *Editor) before(name string) (was *config.Notify, removed bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range slices.Backward(h.earlier) {
		if f.key == config.NotifyOf(name) {
			return notifyRow(f.set, name), f.empty
		}
	}
	return nil, false
}

func notifyRow(s *config.Settings, name string) *config.Notify {
	if i := slices.IndexFunc(s.Notify, func(n config.Notify) bool { return n.Name == name }); i >= 0 {
		return &s.Notify[i]
	}
	return nil
}

// errPlace rejects an address from a remote person. A row can name a local file or variable, whose contents would be
// sent away.
var errPlace = errors.New(
	"where messages go is set at the server's own terminal or in angler.toml; over SSH a row can be muted, removed, and told what to tell and when")

// checkRow checks a row's filter and address.
func (h *Editor) checkRow(name, text string) error {
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

// samePlace reports whether two rows have the same address; filter, schedule and texts may differ.
func samePlace(a, b config.Notify) bool {
	for _, n := range []*config.Notify{&a, &b} {
		n.Filter, n.Rhythm, n.At, n.Zone, n.Tell, n.Due, n.Language, n.Empty, n.Off = "", "", "", "", nil, 0, "", false, false
	}
	return reflect.DeepEqual(a, b)
}

// notifyName returns the name of the row in a setting's key; ok is false for other settings.
func notifyName(key string) (name string, ok bool) {
	return strings.CutPrefix(key, config.NotifyOf(""))
}

// describeRow describes a changed row for the log, without addresses.
func describeRow(name, text string) message.Text {
	if strings.TrimSpace(text) == "" {
		return message.Of("notify %s removed", name)
	}
	return message.Of("notify %s set", name)
}
