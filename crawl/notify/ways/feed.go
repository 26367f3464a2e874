package ways

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"angler/crawl/notify/digest"
	"angler/store/config"
	"angler/store/export"
	"angler/store/modes"
)

// feed writes an Atom file of what was told last, whole or not at all.
type feed struct{ base }

func feedPath(n *config.Notify, env Env) string {
	if filepath.IsAbs(n.File) {
		return n.File
	}
	return filepath.Join(env.Dir, n.File)
}

// entrant is an item as a row of a feed.
type entrant struct {
	digest.Item
	at   time.Time
	text string
}

// Entry implements export.Entrant.
func (e entrant) Entry() export.Entry {
	return export.Entry{URL: e.URL, Title: e.Title, Updated: e.at, Text: e.text}
}

// Told is what a feed holds once a message was sent: its items before those of
// before, each address once.
func Told(m *Message, most int) []digest.Item {
	var out []digest.Item
	seen := map[string]bool{}
	add := func(it digest.Item) {
		if len(out) < most && !seen[it.URL] {
			seen[it.URL] = true
			out = append(out, it)
		}
	}
	for _, s := range m.Digest.Sections {
		for _, it := range s.Items {
			if it.Told.IsZero() {
				it.Told = m.Digest.At
			}
			add(it)
		}
		for i := range s.Lists {
			l := &s.Lists[i]
			add(digest.Item{Title: digest.Line(l.Name(), 200), URL: l.URL, Site: l.Host, Change: m.Digest.Alarm(l), Told: m.Digest.At})
		}
	}
	for _, it := range m.Feed {
		add(it)
	}
	return out
}

// Send implements Way.
func (f feed) Send(_ context.Context, m *Message) error {
	path := feedPath(&f.set, f.env)
	err := export.WriteFile(path, true, func(w io.Writer) error {
		x, err := export.New[entrant](w, export.Options{Format: export.Atom,
			Feed: export.Feed{ID: "urn:angler:" + digest.Line(m.Digest.Workspace, 80) + ":" + f.set.Name, Title: digest.Line(m.Digest.Workspace, 80) + " · " + f.set.Name, At: m.Digest.At, Newest: f.set.Entries()}})
		if err != nil {
			return err
		}
		for _, it := range Told(m, f.set.Entries()) {
			if err := x.Row(entrant{it, it.Told, m.Digest.About(&it)}); err != nil {
				return err
			}
		}
		return x.Close()
	})
	if err != nil {
		return fmt.Errorf("feed %s: %v", filepath.Base(path), modes.Cause(err))
	}
	return nil
}
