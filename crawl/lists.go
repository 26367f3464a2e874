package crawl

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"angler/crawl/alerts"
	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/query"
	"angler/crawl/view"
)

// Lists reports faulty aggregation pages and the state of alerts, and mutes alarms for a person. It is safe for
// concurrent use.
type Lists struct {
	*decisions.NoticeEditor
	*query.ListHealth
	notify *alerts.Notifier
}

// TellRows returns the state of every row of [[notify]]. It does not block. It hides addresses and error texts from
// persons who may not see the settings.
func (l *Lists) TellRows() []alerts.AlertRow {
	rows := l.notify.Known()
	if l.May(auth.Settings) == nil {
		return rows
	}
	out := slices.Clone(rows)
	for i := range out {
		if out[i].Where = ""; out[i].Why != "" {
			out[i].Why = "it failed"
		}
	}
	return out
}

// TestTelling sends a test message with the named row.
func (l *Lists) TestTelling(ctx context.Context, name string) error {
	if err := l.May(auth.TestTelling); err != nil {
		return err
	}
	return l.notify.Test(ctx, name)
}

// openAlerts creates the notifier for notices and broken lists.
func (c *core) openAlerts() {
	c.notify = alerts.NewNotifier(alerts.NotifierConfig{Store: c.ws, Workspace: filepath.Base(c.ws.Dir()),
		Settings: c.settings.Now,
		Inbox:    c.inbox.SessionOf(auth.Actor{}), Facts: c.facts, Lists: c.health, Events: &c.events,
		Env:      alerts.WayEnv{Dir: c.ws.Dir(), Getenv: os.Getenv, Now: c.opt.Now},
		Language: languageOf(os.Getenv), Now: c.opt.Now, AfterFunc: c.opt.AfterFunc})
}

// listWatch holds the newest list alarms for callers that must not wait.
type listWatch struct {
	asked view.Signal // requests a check of the lists
	found atomic.Pointer[foundLists]
}

// foundLists holds the unmuted alarms of the last check.
type foundLists struct {
	worst []view.ListAlarm // at most maxShown
	cut   int              // number of all lists with content that could not be followed
}

// maxShown is the maximum number of alarms in a snapshot.
const maxShown = 200

// known returns the unmuted alarms of the last check, and the number of lists with content that could not be
// followed.
func (l *listWatch) known() (worst []view.ListAlarm, cut int) {
	if f := l.found.Load(); f != nil {
		return f.worst, f.cut
	}
	return nil, 0
}

// lookEvery is the interval of checks without events, because dates may stop. It is real time; no crawl waits for
// it.
const lookEvery = time.Hour

// watchLists checks the lists after the opening, after every run, and after muting.
func (c *core) watchLists() {
	select {
	case <-c.reader.Dict().Ready():
	case <-c.ctx.Done():
		return
	}
	for c.ctx.Err() == nil {
		all, err := c.health.Alarms(c.ctx)
		if err != nil && c.ctx.Err() == nil {
			c.events.Note("error", "the lists cannot be checked: %v", err)
		}
		if err == nil {
			all = slices.DeleteFunc(all, func(a view.ListAlarm) bool { return a.Muted })
			f := &foundLists{worst: all[:min(len(all), maxShown)]}
			for i := range all {
				if all[i].Kind == view.ListUnfollowed {
					f.cut++
				}
			}
			if old := c.lists.found.Load(); !reflect.DeepEqual(old, f) {
				c.lists.found.Store(f)
				c.publisher.publish()
			}
		}
		later := time.NewTimer(lookEvery)
		select {
		case <-c.ctx.Done():
		case <-c.lists.asked:
		case <-later.C:
		}
		later.Stop()
	}
}

// alertStatus returns the state of the row that has failed for longest.
func (c *core) alertStatus() (t view.AlertStatus) {
	for _, r := range c.notify.Known() {
		if r.Tries > 0 && !r.Off && (t.Failing == "" || r.Failed.Before(t.Since)) {
			t = view.AlertStatus{Failing: r.Name, Why: r.Why, Since: r.Failed}
		}
	}
	return t
}

// languageOf returns the language of alerts if the settings name none.
func languageOf(getenv func(string) string) string {
	if strings.HasPrefix(strings.ToLower(cmp.Or(getenv("LC_ALL"), getenv("LC_MESSAGES"), getenv("LANG"))), "zh") {
		return "zh"
	}
	return "en"
}
