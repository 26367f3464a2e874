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

// Lists tells which aggregation pages stopped to tell and who is told of notices, and
// takes from a person that an alarm is muted. It is safe for concurrent use.
type Lists struct {
	*decisions.NoticeEditor
	*query.ListHealth
	notify *alerts.Notifier
}

// TellRows says how every row of [[notify]] stands. It returns at once. Where a row leads,
// and why it failed, is left out for those who may not see the settings.
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

// TestTelling sends a test message by the row of a name.
func (l *Lists) TestTelling(ctx context.Context, name string) error {
	if err := l.May(auth.TestTelling); err != nil {
		return err
	}
	return l.notify.Test(ctx, name)
}

// openTelling makes what tells people of notices and of lists that broke.
func (c *core) openTelling() {
	c.notify = alerts.NewNotifier(alerts.NotifierConfig{Store: c.ws, Workspace: filepath.Base(c.ws.Dir()), Settings: c.settings.Now,
		Inbox: c.inbox.SessionOf(auth.Actor{}), Facts: c.facts, Lists: c.health, Events: &c.events,
		Env:      alerts.WayEnv{Dir: c.ws.Dir(), Getenv: os.Getenv, Now: c.opt.Now},
		Language: languageOf(os.Getenv), Now: c.opt.Now, AfterFunc: c.opt.AfterFunc})
}

// listWatch keeps what is wrong with the lists for those who must not wait.
type listWatch struct {
	asked view.Signal // the lists are to be looked at
	found atomic.Pointer[foundLists]
}

// foundLists are the alarms that were found last and that are not muted.
type foundLists struct {
	worst []view.ListAlarm // at most mostShown
	cut   int              // how many of all show more than could be followed
}

// mostShown alarms stand in a snapshot.
const mostShown = 200

// known are the alarms that were found last and that are not muted, and how many
// of them tell of lists that show more than could be followed.
func (l *listWatch) known() (worst []view.ListAlarm, cut int) {
	if f := l.found.Load(); f != nil {
		return f.worst, f.cut
	}
	return nil, 0
}

// lookEvery is how often the lists are looked at while nothing happens: dates stop
// by themselves. It is real time, because no crawl waits for it.
const lookEvery = time.Hour

// watchLists looks at the lists when they are known after the opening, after every
// run, and after what a person has muted.
func (c *core) watchLists() {
	select {
	case <-c.reader.Dict().Ready():
	case <-c.ctx.Done():
		return
	}
	for c.ctx.Err() == nil {
		all, err := c.health.Alarms(c.ctx)
		if err != nil && c.ctx.Err() == nil {
			c.events.Note("error", "the lists cannot be looked at: %v", err)
		}
		if err == nil {
			all = slices.DeleteFunc(all, func(a view.ListAlarm) bool { return a.Muted })
			f := &foundLists{worst: all[:min(len(all), mostShown)]}
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

// telling is the setting that has failed for longest.
func (c *core) telling() (t view.AlertStatus) {
	for _, r := range c.notify.Known() {
		if r.Tries > 0 && !r.Off && (t.Failing == "" || r.Failed.Before(t.Since)) {
			t = view.AlertStatus{Failing: r.Name, Why: r.Why, Since: r.Failed, Again: r.Again}
		}
	}
	return t
}

// languageOf is the language of messages where the settings name none.
func languageOf(getenv func(string) string) string {
	if strings.HasPrefix(strings.ToLower(cmp.Or(getenv("LC_ALL"), getenv("LC_MESSAGES"), getenv("LANG"))), "zh") {
		return "zh"
	}
	return "en"
}
