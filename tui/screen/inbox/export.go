package inbox

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/inbox"
	"angler/crawl/query"
	"angler/store/export"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file is the export dialogue of screen 5: what, in which format, to which
// file; and whether to replace one that is there.

func (s *harvest) chooseExport() {
	notes := map[string]string{
		"pages": "every stored page with its score and label", "aggregations": "the list pages above θ",
		"notices": "every notice with its text and attachments", "frontier": "addresses not fetched yet, and why",
		"links":     "links between sites",
		"resources": "documents, images, animations and software that pages offer, by their context",
	}
	var items []widget.Item
	some := func(rows []*inbox.ListedNotice, name, note string) {
		if len(rows) > 0 {
			items = append(items, widget.Item{Name: name, Raw: true, Note: note, Do: func() tea.Cmd {
				s.chooseFormat(query.ExportPlan{What: "notices", IDs: idsOf(rows)})
				return nil
			}})
		}
	}
	if rows := s.notices.Marked(); rows != nil {
		some(rows, s.F("the %s marked", s.N(len(rows), "notice")), "in the order of the list")
	}
	if now := s.views.now(s.inbox.Views()); strings.TrimSpace(now.Query+s.views.query) != "" {
		rows := make([]*inbox.ListedNotice, len(s.book.Rows))
		for i := range rows {
			rows[i] = &s.book.Rows[i]
		}
		some(rows, s.F("the %s of this view", s.N(len(rows), "notice")),
			widget.Clean(strings.TrimSpace(label(s.Shared, &now)+" "+s.views.query)))
	}
	for _, what := range query.Exports {
		items = append(items,
			widget.Item{Name: what, Note: notes[what],
				Do: func() tea.Cmd { s.chooseFormat(query.ExportPlan{What: what}); return nil }})
	}
	items = append(items,
		widget.Item{Name: backup, Note: "the whole workspace in one file, keys among it", Do: func() tea.Cmd {
			s.askPath(query.ExportPlan{What: backup}, "backup.tar")
			return nil
		}})
	s.Offer("export", items)
}

// formats names the formats of exports.
var formats = map[string]struct{ name, note string }{
	export.JSONL:   {"JSON lines", "every field, for programs"},
	export.CSV:     {"CSV", "a table, for programs"},
	export.XLSX:    {"Excel workbook", "typed cells, links and a filter, for spreadsheets"},
	export.HTML:    {"HTML report", "one file with charts and a table, for browsers"},
	export.GraphML: {"GraphML", "a graph of pages and hosts, for Gephi and its like"},
	export.Atom:    {"Atom feed", "the newest %s, for feed readers"},
}

func (s *harvest) chooseFormat(plan query.ExportPlan) {
	what := plan.What
	plan.Lang = s.Code
	var items []widget.Item
	for _, format := range query.ExportFormats(what) {
		plan.Format = format
		add := func(name, note string, plan query.ExportPlan) {
			items = append(items,
				widget.Item{Name: name, Note: note,
					Do: screen.Do(func() { s.askPath(plan, what+"."+format) })})
		}
		note := formats[format].note
		if format == export.Atom {
			note = s.F(note, export.DefaultNewest)
		}
		add(formats[format].name, note, plan)
		if format == export.CSV {
			marked := plan
			marked.BOM = true
			add("CSV for spreadsheets", "with a byte order mark, which Excel needs to read Chinese", marked)
		}
	}
	s.Offer(s.F("export %s as", s.T(what)), items)
}

func (s *harvest) askPath(plan query.ExportPlan, path string) {
	s.AskPreset(path, &widget.Prompt[string]{
		Editor: widget.Editor{Label: s.F("write %s to:", s.T(plan.What)),
			Hint: "a file · enter writes, esc leaves"},
		Check: widget.SomeText("type a file name"),
		Do:    func(v string) tea.Cmd { return s.export(plan, v, false) },
	})
}

// backup is what is chosen to write the workspace itself.
const backup = "backup"

func (s *harvest) export(plan query.ExportPlan, path string, replace bool) tea.Cmd {
	notices, backups, sh := s.store, s.backups, s.Shared
	return s.Run("exporting", func(ctx context.Context) tea.Msg {
		var n int
		whole, err := filepath.Abs(path) // what is shown must be found again from anywhere
		if err != nil {
			whole = path
		}
		if plan.What == backup {
			err = backups.BackupFile(ctx, path, replace)
		} else {
			n, err = notices.ExportFile(ctx, plan, path, replace)
		}
		switch {
		case err == nil && plan.What == backup:
			return screen.ActMsg{What: sh.F("%s written to %s", sh.T(backup), widget.Clean(whole))}
		case err == nil:
			what := sh.F("%s written to %s", sh.N(n, "row"), widget.Clean(whole))
			if plan.What == "notices" && sh.Snap.Counts.Copies > 0 {
				what += sh.T(", one for each address of a notice")
			}
			return screen.ActMsg{What: what}
		case errors.Is(err, fs.ErrExist) && !replace:
			return screen.Reply{Take: screen.Do(func() { s.askReplace(plan, path) })}
		case errors.Is(err, context.Canceled):
			err = errors.New("it was cancelled, nothing was written")
		}
		return screen.ActMsg{What: sh.F("the export of %s", sh.T(plan.What)), Err: err}
	})
}

// askReplace asks before a file is lost; the key that confirms is not the one
// that asked.
func (s *harvest) askReplace(plan query.ExportPlan, path string) {
	s.Offer(s.F("%s is there already", widget.Clean(path)), []widget.Item{
		{Name: "choose another name", Do: screen.Do(func() { s.askPath(plan, path) })},
		{Name: "replace it", Do: func() tea.Cmd { return s.export(plan, path, true) }},
	})
}
