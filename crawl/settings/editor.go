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
	"angler/dict/terms"
	"angler/message"
	"angler/store/config"
	"angler/store/redact"
)

// Editor changes settings on behalf of one person: what is changed through it is
// logged under that name. It is safe for concurrent use.
type Editor struct {
	auth.Actor
	l *Live

	mu      sync.Mutex
	formers []former // of this person's changes, the last one last
}

// EditorOf returns an Editor that acts for a person. What a remote one names must not
// open the network of this machine.
func (l *Live) EditorOf(actor auth.Actor) *Editor { return &Editor{Actor: actor, l: l} }

// Change changes settings: it checks them, writes them to angler.toml, and
// applies what a run under way can take up at once: link order, workers, delay,
// depth and scope. Proxy, user agent and limits of a fetch count from the next
// opening. Settings given by flags for this process stay as they are in the
// file, unless change sets them.
func (h *Editor) Change(what message.Text, change func(*config.Settings)) error {
	return h.change(auth.Settings, what, change)
}

// change is Change for an action of its own.
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

// Strategies lists the names that SetStrategy takes.
func (h *Editor) Strategies() []string { return linkorder.Names() }

// SetStrategy changes the link order; a running discovery ranks its frontier
// anew.
func (h *Editor) SetStrategy(name string) error {
	return h.change(auth.Strategy, message.Of("link order %s", name), func(s *config.Settings) { s.Crawl.Strategy = name })
}

// SetWorkers changes how many fetches run at once.
func (h *Editor) SetWorkers(n int) error {
	return h.change(auth.Workers, message.Of("%s = %d", "crawl.workers", n), func(s *config.Settings) { s.Crawl.Workers = n })
}

// SetDelay changes the time between two fetches of one host.
func (h *Editor) SetDelay(d time.Duration) error {
	return h.change(auth.Delay, message.Of("delay %v", d), func(s *config.Settings) {
		s.Crawl.Delay = config.Duration(d)
	})
}

// SetDepth changes how many links from a seed a discovery goes.
func (h *Editor) SetDepth(n int) error {
	return h.change(auth.Depth, message.Of("depth %d", n), func(s *config.Settings) { s.Crawl.Depth = n })
}

// SettingRows lists the settings in force, in the order of angler.toml, without
// the password of the proxy; a remote person learns only that there is a proxy. It is
// empty for those who may not change settings.
func (h *Editor) SettingRows() []config.Row {
	if h.May(auth.Settings) != nil {
		return nil
	}
	s := h.l.Now()
	rows := s.Rows()
	for i := range rows {
		rows[i].Choices, rows[i].Later = choices[rows[i].Key], slices.Contains(NeedsReopening, rows[i].Key)
		if rows[i].Key == proxyKey {
			rows[i].Value = redact.Address(rows[i].Value)
			if h.Remote && rows[i].Value != "" {
				rows[i].Value = "set on the server"
			}
		}
	}
	return append(rows, hostRows(s)...)
}

// choices are the values of settings that take no others.
var choices = map[string][]string{
	"scope.kind":      {"site", "host", "prefix", "pattern"},
	"crawl.strategy":  linkorder.Names(),
	"crawl.queues":    {"host", "hflp", "elf"},
	"harvest.method":  {"auto", "mass", "density", "pathratio"},
	"words.segmenter": {dict.EngineFlat, dict.EngineGse},
	"terms.method":    {terms.Ruled, terms.Loose},
	"terms.corpus":    {"all", "lists", "notices"},
}

// proxyKey is the setting that may hold a password.
const proxyKey = "crawl.proxy"

// meant returns the value that a person means who has edited a row: what still
// has the mark of the password means the password that is there, or was there before
// the same person changed it.
func (h *Editor) meant(key, value string) string {
	if key == proxyKey {
		return meantProxy(h.known(key), value, func(s *config.Settings) string { return s.Crawl.Proxy })
	}
	if name, ok := toldSetting(key); ok && strings.TrimSpace(value) != "" {
		if to, _, err := h.row(name, value); err == nil {
			return to.Text()
		}
	}
	return meantOfHost(h.known(key), key, value)
}

// CheckSetting says what is wrong with a value, without any effect.
func (h *Editor) CheckSetting(key, value string) error {
	if err := h.may(key, value); err != nil {
		return err
	}
	value = h.meant(key, value)
	set, err := h.l.Now().With(key, value)
	if err == nil && marked(key, value) {
		err = errHidden
	}
	if err == nil && key == "seeds" {
		err = seeds.CheckSeeds(&set)
	}
	if name, ok := toldSetting(key); ok && err == nil {
		err = h.checkTold(name, value)
	}
	if err == nil {
		err = Check(&set)
	}
	if err != nil {
		return errors.New(strings.TrimPrefix(strings.TrimPrefix(unprefixed(key, err.Error()), "angler.toml: "), key+": "))
	}
	return nil
}

// NeedsReopening lists the settings that a running program does not
// take up.
var NeedsReopening = []string{"crawl.timeout", "crawl.proxy", "crawl.user_agent", "crawl.ignore_robots", "crawl.allow_private", "crawl.max_body_mb",
	"words.segmenter", "store.expected_urls", "store.false_positive"}

// ChangeSetting checks a value, writes it to angler.toml and puts it in force;
// later tells that it takes effect only when the workspace is opened again.
func (h *Editor) ChangeSetting(key, value string) (later bool, err error) {
	if err := h.CheckSetting(key, value); err != nil {
		return false, err
	}
	shown := value
	if value = h.meant(key, value); key == proxyKey {
		shown = redact.Address(value)
	} else if _, name, ok := config.SplitHostKey(key); ok {
		shown = hideOf(name, value)
	}
	what := message.Of("%s = %s", key, shown)
	if name, ok := toldSetting(key); ok {
		what = shownTold(name, value)
	}
	h.keep(key, value, h.l.Now())
	err = h.write(what, func(s *config.Settings) {
		if set, err := s.With(key, value); err == nil { // it was checked
			before, hosts := s.Seeds, s.Host
			*s = set
			switch key {
			case "seeds":
				fresh := slices.DeleteFunc(slices.Clone(s.Seeds), func(u string) bool { return slices.Contains(before, u) })
				h.trust(s, before, fresh)
			case config.HostsKey:
				h.refill(s, hosts)
			}
		}
	})
	return err == nil && slices.Contains(NeedsReopening, key), err
}
