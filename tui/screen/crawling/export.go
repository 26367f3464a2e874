package crawling

import (
	"context"
	"errors"
	"io/fs"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/query"
	"angler/store/export"
	"angler/tui/screen"
	"angler/tui/ui"
)

// This file is the export dialogue of screen 5: what, in which format, to which
// file; and whether to replace one that is there.

func (s *Harvest) chooseExport() {
	notes := map[string]string{
		"pages": "every stored page with its score and label", "aggregations": "the list pages above θ",
		"notices": "every notice with its text and attachments", "frontier": "what is not fetched yet, and why", "links": "who links to whom",
	}
	var items []ui.Item
	for _, what := range query.Exports {
		items = append(items, ui.Item{Name: what, Note: notes[what], Do: func() tea.Cmd { s.chooseFormat(what); return nil }})
	}
	items = append(items, ui.Item{Name: backup, Note: "the whole workspace in one file, keys among it", Do: func() tea.Cmd {
		s.askPath(query.ExportPlan{What: backup}, "backup.tar")
		return nil
	}})
	s.ui.Choose(ui.NewChooser("export", items))
}

func (s *Harvest) chooseFormat(what string) {
	var items []ui.Item
	for _, format := range query.ExportFormats(what) {
		plan := query.ExportPlan{What: what, Format: format}
		add := func(name, note string, plan query.ExportPlan) {
			items = append(items, ui.Item{Name: name, Note: note, Do: func() tea.Cmd { s.askPath(plan, what+"."+format); return nil }})
		}
		switch format {
		case export.JSONL:
			add("JSON lines", "every field, for programs", plan)
		case export.CSV:
			add("CSV", "a table, for programs", plan)
			plan.BOM = true
			add("CSV for spreadsheets", "with a byte order mark, which Excel needs to read Chinese", plan)
		case export.Atom:
			add("Atom feed", s.shared.F("the newest %s, for feed readers", ui.Count(export.DefaultNewest)), plan)
		}
	}
	s.ui.Choose(ui.NewChooser(s.shared.F("export %s as", s.shared.T(what)), items))
}

func (s *Harvest) askPath(plan query.ExportPlan, path string) {
	p := &ui.Prompt[string]{
		Editor: ui.Editor{Label: s.shared.F("write %s to:", s.shared.T(plan.What)), Hint: "a file · enter writes, esc leaves"},
		Check:  ui.SomeText("type a file name"),
		Do:     func(v string) tea.Cmd { return s.export(plan, v, false) },
	}
	p.Preset(path)
	s.ui.Ask(p)
}

// backup is what is chosen to write the workspace itself.
const backup = "backup"

// existsMsg says that the file of an export is there already.
type existsMsg struct {
	owner *Harvest
	plan  query.ExportPlan
	path  string
}

func (s *Harvest) export(plan query.ExportPlan, path string, replace bool) tea.Cmd {
	notices, backups, sh := s.store, s.backups, s.shared
	return s.ui.Run("exporting", func(ctx context.Context) tea.Msg {
		var n int
		var err error
		if plan.What == backup {
			err = backups.BackupFile(ctx, path, replace)
		} else {
			n, err = notices.ExportFile(ctx, plan, path, replace)
		}
		switch {
		case err == nil && plan.What == backup:
			return screen.ActMsg{What: sh.F("%s written to %s", sh.T(backup), ui.Clean(path))}
		case err == nil:
			return screen.ActMsg{What: sh.F("%s written to %s", sh.N(n, "row"), ui.Clean(path))}
		case errors.Is(err, fs.ErrExist) && !replace:
			return existsMsg{s, plan, path}
		case errors.Is(err, context.Canceled):
			err = errors.New("it was cancelled, nothing was written")
		}
		return screen.ActMsg{What: sh.F("the export of %s", sh.T(plan.What)), Err: err}
	})
}

// askReplace asks before a file is lost; the key that confirms is not the one
// that asked.
func (s *Harvest) askReplace(m existsMsg) {
	s.ui.Choose(ui.NewChooser(s.shared.F("%s is there already", ui.Clean(m.path)), []ui.Item{
		{Name: "choose another name", Do: func() tea.Cmd { s.askPath(m.plan, m.path); return nil }},
		{Name: "replace it", Do: func() tea.Cmd { return s.export(m.plan, m.path, true) }},
	}))
}
