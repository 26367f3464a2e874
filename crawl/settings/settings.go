// Package settings holds the present settings of angler.toml with their scope and filter, and changes them at run
// time.
//
// Readers load a pointer and never block. A change is checked whole, written to the file with its comments, and then
// applied. Only dependent parts are rebuilt: the filter keeps its traps and counters. Whether a seed may have
// private addresses depends on the person who named it, see seeds.go.
package settings

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/frontier"
	"angler/crawl/linkorder"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/dict"
	"angler/store"
	"angler/store/config"
)

// Config holds the dependencies of Live.
type Config struct {
	Store    *store.Workspace
	Resolver *urls.Resolver
	Events   *view.EventLog
	Override func(*config.Settings) // for this process only, before the check; nil = none
	Now      func() time.Time
}

// Hooks are called after changes, without a lock. Set them before the first change.
type Hooks struct {
	// Changed runs after every change and applies it to a running crawl.
	Changed func(old, now *config.Settings) error
	// Seeded runs after seeds were added.
	Seeded func(canonical []string) error
	// Filter checks a filter of notices; nil means no check.
	Filter func(text string) error
}

// Live holds the present settings. It is safe for concurrent use.
type Live struct {
	Config
	Hooks  Hooks
	filter *urls.Filter
	mu     sync.Mutex      // one change at a time; guards file
	file   config.Settings // applied contents of angler.toml, without overrides
	now    atomic.Pointer[config.Settings]
	scope  atomic.Pointer[urls.Scope]
}

// Open reads and checks the settings of a workspace.
func Open(c Config) (*Live, error) {
	file := c.Store.Settings()
	set := file.Clone()
	if c.Override != nil {
		c.Override(&set)
	}
	if err := Check(&set); err != nil {
		var bad *config.SettingError
		if errors.As(err, &bad) {
			bad.Given = c.Override != nil && Check(&file) == nil
		}
		return nil, err
	}
	scope, err := scopeOf(&set)
	if err != nil {
		return nil, err
	}
	l := &Live{Config: c, file: file, filter: urls.NewFilter(scope, revisit.NotBehind(c.Now))}
	l.filter.BoundHosts(set.Crawl.HostURLs, func(u string) bool {
		_, known := c.Store.Lookup(u)
		return known
	})
	l.scope.Store(scope)
	l.now.Store(&set)
	return l, nil
}

// Now returns the present settings with overrides. They are shared: do not change them.
func (l *Live) Now() *config.Settings { return l.now.Load() }

// Scope returns the present scope.
func (l *Live) Scope() *urls.Scope { return l.scope.Load() }

// Filter returns the filter, which follows the scope.
func (l *Live) Filter() *urls.Filter { return l.filter }

// MaxBody returns the maximum number of bytes read of a body.
func (l *Live) MaxBody() int { return l.Now().Crawl.MaxBodyMB << 20 }

// apply applies checked settings. The caller holds the lock.
func (l *Live) apply(set *config.Settings) error {
	old := l.now.Load()
	if !slices.Equal(old.Seeds, set.Seeds) || !reflect.DeepEqual(old.Scope, set.Scope) {
		scope, err := scopeOf(set)
		if err != nil {
			return err
		}
		l.scope.Store(scope)
		l.filter.Rescope(scope)
	}
	l.filter.BoundHosts(set.Crawl.HostURLs, nil)
	l.now.Store(set)
	return nil
}

func scopeOf(set *config.Settings) (*urls.Scope, error) {
	scope, err := urls.NewScope(set.Scope.Kind, set.Seeds, set.Scope.Include, set.Scope.Exclude)
	if err != nil {
		return nil, fmt.Errorf("angler.toml: scope: %w", err)
	}
	return scope, nil
}

// Check returns an error for the first invalid setting.
func Check(set *config.Settings) error {
	if err := set.Validate(); err != nil {
		return err
	}
	constants, err := linkorder.OrderConstants(set)
	if err != nil {
		return fmt.Errorf("angler.toml: %w", err)
	}
	if err := constants.Check(); err != nil {
		return &config.SettingError{Key: "crawl.constants", Why: err.Error()}
	}
	if err := linkorder.CheckName(set.Crawl.Strategy); err != nil {
		return &config.SettingError{Key: "crawl.strategy", Why: err.Error()}
	}
	if _, err := frontier.Assignment(set.Crawl.Queues, set.Crawl.QueueCount); err != nil {
		return fmt.Errorf("angler.toml: crawl.queues: %w", err)
	}
	if _, err := revisit.Plan(&set.Revisit); err != nil {
		return err
	}
	if set.Terms.Method != dict.Ruled && set.Terms.Method != dict.Loose {
		return &config.SettingError{Key: "terms.method", Why: fmt.Sprintf("%q is neither %s nor %s", set.Terms.Method,
			dict.Ruled, dict.Loose)}
	}
	if _, err := dict.Patterns(dict.Ruled, set.Terms.Patterns); err != nil {
		return fmt.Errorf("angler.toml: terms.patterns: %w", err)
	}
	if list := choices["harvest.method"]; !slices.Contains(list, set.Harvest.Method) {
		return fmt.Errorf("angler.toml: harvest.method: %q is none of %s", set.Harvest.Method, strings.Join(list, ", "))
	}
	_, err = scopeOf(set)
	return err
}

// change checks changed settings, writes them to angler.toml and applies them. It returns the old and the new
// settings.
func (l *Live) change(change func(*config.Settings)) (old, set *config.Settings, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	old = l.now.Load()
	next := old.Clone()
	change(&next)
	if err := Check(&next); err != nil {
		return old, old, err
	}
	if err := l.Store.ChangeSettings(change); err != nil {
		return old, old, err
	}
	change(&l.file)
	return old, &next, l.apply(&next)
}
