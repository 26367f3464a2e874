package settings

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"angler/crawl/auth"
	"angler/crawl/linkorder"
	"angler/crawl/seeds"
	"angler/dict"
	"angler/message"
	"angler/store/config"
	"angler/store/secrets"
)

// Editor changes settings for one person and logs the changes under their name. It is safe for concurrent use.
type Editor struct {
	auth.Actor
	l *Live

	mu      sync.Mutex
	earlier []earlierSettings // settings before this person's changes, newest last
}

// EditorOf returns an Editor for a person. A remote person's values must not open this machine's network.
func (l *Live) EditorOf(actor auth.Actor) *Editor { return &Editor{Actor: actor, l: l} }

// Change checks settings, writes them to angler.toml and applies what a running crawl can use at once: link order,
// workers, delay, depth and scope. Proxy, user agent and fetch limits apply at the next opening. Settings given by
// flags keep their value in the file, unless change sets them.
func (h *Editor) Change(what message.Text, change func(*config.Settings)) error {
	return h.change(auth.Settings, what, change)
}

// change is Change with another action to permit.
func (h *Editor) change(do auth.Action, what message.Text, change func(*config.Settings)) error {
	if err := h.May(do); err != nil {
		return err
	}
	return h.write(what, change)
}

func (h *Editor) write(what message.Text, change func(*config.Settings)) error {
	old, set, err := h.l.change(change)
	if err != nil {
		return err
	}
	h.l.Events.Did(h.Name, what)
	return h.l.Hooks.Changed(old, set)
}

// Strategies returns the names that SetStrategy accepts.
func (h *Editor) Strategies() []string { return linkorder.Names() }

// SetStrategy changes the link order. A running discovery ranks its frontier again.
func (h *Editor) SetStrategy(name string) error {
	return h.change(auth.Strategy, message.Of("link order %s", name),
		func(s *config.Settings) { s.Crawl.Strategy = name })
}

// SetWorkers changes the number of concurrent fetches.
func (h *Editor) SetWorkers(n int) error {
	return h.change(auth.Workers, message.Of("%s = %d", "crawl.workers", n),
		func(s *config.Settings) { s.Crawl.Workers = n })
}

// SetDelay changes the pause between two fetches of one host.
func (h *Editor) SetDelay(d time.Duration) error {
	return h.change(auth.Delay, message.Of("delay %v", d), func(s *config.Settings) {
		s.Crawl.Delay = config.Duration(d)
	})
}

// SetDepth changes the maximum number of links from a seed.
func (h *Editor) SetDepth(n int) error {
	return h.change(auth.Depth, message.Of("depth %d", n), func(s *config.Settings) { s.Crawl.Depth = n })
}

// SettingRows returns the present settings in the order of angler.toml, without the proxy's password. A remote
// person sees only that a proxy is set. It is empty for persons who may not change settings.
func (h *Editor) SettingRows() []config.Row {
	if h.May(auth.Settings) != nil {
		return nil
	}
	s := h.l.Now()
	rows := s.Rows()
	for i := range rows {
		rows[i].Choices, rows[i].Later = choices[rows[i].Key], slices.Contains(NeedsReopening, rows[i].Key)
		if rows[i].Key == proxyKey {
			rows[i].Value = secrets.RedactAddress(rows[i].Value)
			if h.Remote && rows[i].Value != "" {
				rows[i].Value = "set on the server"
			}
		}
	}
	return append(rows, hostRows(s)...)
}

// choices lists the values of settings with fixed values.
var choices = map[string][]string{
	"scope.kind":      {"site", "host", "prefix", "pattern"},
	"crawl.strategy":  linkorder.Names(),
	"crawl.queues":    {"host", "hflp", "elf"},
	"harvest.method":  {"auto", "mass", "density", "pathratio"},
	"words.segmenter": {dict.EngineFlat, dict.EngineGse},
	"terms.method":    {dict.Ruled, dict.Loose},
	"terms.corpus":    {"all", "lists", "notices"},
}

// proxyKey is the setting that may contain a password.
const proxyKey = "crawl.proxy"

// unmask returns the intended value of an edited row. A masked secret stands for the present one, or for the one
// before the same person changed it.
func (h *Editor) unmask(key, value string) string {
	if key == proxyKey {
		return unmaskProxy(h.unmaskSources(key), value, func(s *config.Settings) string { return s.Crawl.Proxy })
	}
	if name, ok := notifyName(key); ok && strings.TrimSpace(value) != "" {
		if to, _, err := h.row(name, value); err == nil {
			return to.Text()
		}
	}
	return unmaskHost(h.unmaskSources(key), key, value)
}

// CheckSetting returns an error for an invalid value. It changes nothing.
func (h *Editor) CheckSetting(key, value string) error {
	if err := h.may(key, value); err != nil {
		return err
	}
	value = h.unmask(key, value)
	set, err := h.l.Now().With(key, value)
	if err == nil && marked(key, value) {
		err = errHidden
	}
	if err == nil && key == "seeds" {
		err = seeds.CheckSeeds(&set)
	}
	if name, ok := notifyName(key); ok && err == nil {
		err = h.checkRow(name, value)
	}
	if err == nil {
		err = Check(&set)
	}
	if err != nil {
		return errors.New(strings.TrimPrefix(strings.TrimPrefix(unprefixed(key, err.Error()), "angler.toml: "),
			key+": "))
	}
	return nil
}

// NeedsReopening lists the settings that apply at the next opening.
var NeedsReopening = []string{"crawl.timeout", "crawl.proxy", "crawl.user_agent", "crawl.ignore_robots",
	"crawl.allow_private", "crawl.max_body_mb",
	"words.segmenter", "store.expected_urls", "store.false_positive"}

// ChangeSetting checks a value, writes it to angler.toml and applies it. later reports that it applies at the next
// opening.
func (h *Editor) ChangeSetting(key, value string) (later bool, err error) {
	if err := h.CheckSetting(key, value); err != nil {
		return false, err
	}
	shown := value
	if value = h.unmask(key, value); key == proxyKey {
		shown = secrets.RedactAddress(value)
	} else if _, name, ok := config.SplitHostKey(key); ok {
		shown = maskHost(name, value)
	}
	what := message.Of("%s = %s", key, shown)
	if name, ok := notifyName(key); ok {
		what = describeRow(name, value)
	}
	h.remember(key, value, h.l.Now())
	err = h.write(what, func(s *config.Settings) {
		if set, err := s.With(key, value); err == nil { // already checked
			before, hosts := s.Seeds, s.Host
			*s = set
			switch key {
			case "seeds":
				fresh := slices.DeleteFunc(slices.Clone(s.Seeds),
					func(u string) bool { return slices.Contains(before, u) })
				h.trust(s, before, fresh)
			case config.HostsKey:
				h.restoreHosts(s, hosts)
			}
		}
	})
	return err == nil && slices.Contains(NeedsReopening, key), err
}
