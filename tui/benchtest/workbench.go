package benchtest

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"angler/crawl/page"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/store"
	"angler/topic"
)

// This file answers what the screens ask beside scores, words and labels.

func settings() store.Settings {
	s := store.DefaultSettings()
	s.Name = "招标公告"
	for _, x := range schools {
		s.Seeds = append(s.Seeds, "http://"+x.host+"/")
	}
	return s
}

// StartProbe implements parts.Runs.
func (b *Bench) StartProbe() error {
	return b.run("StartProbe", func(s *view.Snapshot) { s.State, s.Task, s.Bound, s.Why = view.Running, "discovery", 180, "" })
}

// Source implements parts.Pages.
func (b *Bench) Source(_ context.Context, id uint64) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("Source"); err != nil {
		return "", err
	}
	i, ok := b.byID[id]
	if !ok {
		return "", errGone
	}
	p := b.pages[i].show
	var s strings.Builder
	fmt.Fprintf(&s, "<!DOCTYPE html>\n<html>\n<head><title>%s</title></head>\n<body>\n<ul>\n", p.Title)
	for _, r := range p.Records {
		fmt.Fprintf(&s, "\t<li><a href=\"%s\">%s</a><span>%s</span></li>\n", r.URL, r.Title, r.Date)
	}
	s.WriteString("</ul>\n</body>\n</html>\n")
	return s.String(), nil
}

// PagesLike implements parts.Pages.
func (b *Bench) PagesLike(_ context.Context, pattern string) ([]view.CandidateRow, error) {
	match, err := query.URLPattern(pattern)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("PagesLike"); err != nil {
		return nil, err
	}
	var out []view.CandidateRow
	for i := range b.pages {
		if match(b.pages[i].row.URL) {
			out = append(out, b.row(b.pages[i].row.ID))
		}
	}
	return out, nil
}

// AddSample implements parts.Topic: it knows the addresses of its own pages.
func (b *Bench) AddSample(_ context.Context, urlOrFile, _ string) (view.SampleRow, error) {
	return b.add("AddSample", urlOrFile, b.ToggleSample)
}

// AddNegative implements parts.Topic.
func (b *Bench) AddNegative(_ context.Context, urlOrFile, _ string) (view.SampleRow, error) {
	return b.add("AddNegative", urlOrFile, b.ToggleNegative)
}

func (b *Bench) add(name, urlOrFile string, toggle func(uint64) (bool, error)) (view.SampleRow, error) {
	b.mu.Lock()
	if err := b.called(name); err != nil {
		b.mu.Unlock()
		return view.SampleRow{}, err
	}
	for i := range b.pages {
		if r := b.pages[i].row; r.URL == urlOrFile {
			b.mu.Unlock()
			_, err := toggle(r.ID)
			return view.SampleRow{URL: r.URL, Title: r.Title, By: "wang", At: Start}, err
		}
	}
	b.mu.Unlock()
	return view.SampleRow{}, fmt.Errorf("%s answered with HTTP status 404; nothing was added", urlOrFile)
}

// LabelURLs implements parts.Labels.
func (b *Bench) LabelURLs(rows []topic.LabelRow, what string) (int, []string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("LabelURLs"); err != nil {
		return 0, nil, err
	}
	byURL := map[string]uint64{}
	for i := range b.pages {
		byURL[b.pages[i].row.URL] = b.pages[i].row.ID
	}
	b.remember(what)
	done := 0
	var unknown []string
	for _, r := range rows {
		id, ok := byURL[r.URL]
		if !ok {
			unknown = append(unknown, r.URL)
			continue
		}
		done++
		if b.label[id] = r.Label; r.Label == topic.NoLabel {
			delete(b.label, id)
		}
	}
	b.rebuild()
	b.publish(nil)
	return done, unknown, nil
}

// StopWord implements parts.Topic.
func (b *Bench) StopWord(word string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("StopWord"); err != nil {
		return err
	}
	b.remember("stop word " + word)
	b.stopped = append(b.stopped, word)
	c := b.conf.Clone()
	c.Off = append(c.Off, word) // what a recount does to it
	b.conf = c
	b.rebuild()
	b.publish(nil)
	return nil
}

// Stopped reports whether word became a stop word.
func (b *Bench) Stopped(word string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range b.stopped {
		if w == word {
			return true
		}
	}
	return false
}

// Notices implements parts.Notices.
func (b *Bench) Notices(_ context.Context, query string, most int) (*view.NoticeBook, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("Notices"); err != nil {
		return nil, err
	}
	book := &view.NoticeBook{Yields: map[uint64]view.ListYield{}}
	words := strings.Fields(strings.ToLower(query))
	for i, n := range b.snap.Notices {
		list := uint64(101 + i%6*8)
		y := book.Yields[list]
		y.Notices++
		if i%3 == 0 {
			y.New++
		}
		book.Yields[list] = y
		ok := true
		for _, w := range words {
			ok = ok && strings.Contains(n.Title, w)
		}
		if !ok {
			continue
		}
		n.Label = b.label[n.ID]
		book.Total++
		book.Rows = append(book.Rows, view.NoticeItem{NoticeRow: n, Source: b.row(list).URL, Score: .92 - float64(i%17)/40, Quality: b.quality(n.ID), Attachments: i % 3})
	}
	book.Rows = book.Rows[:min(len(book.Rows), most)]
	return book, nil
}

// Notice implements parts.Notices.
func (b *Bench) Notice(_ context.Context, id uint64) (*view.NoticeDetail, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("Notice"); err != nil {
		return nil, err
	}
	for i, n := range b.snap.Notices {
		if n.ID != id {
			continue
		}
		list := b.row(uint64(101 + i%6*8))
		return &view.NoticeDetail{NoticeItem: view.NoticeItem{NoticeRow: n, Source: list.URL, Score: .92, Quality: b.quality(n.ID), Attachments: 1},
			Text: "一、项目名称\t" + n.Title + "\n二、采购内容：详见招标文件。\n三、投标截止时间 2026-12-01 09:30。\n", Method: "mass", SourceTitle: list.Title, Theta: .3,
			Pattern: "招标", Files: []store.Attachment{{Name: "招标文件.docx", URL: "http://" + n.Host + "/files/1.docx", Class: "document"}}}, nil
	}
	return nil, errGone
}

// RankNotices implements parts.Notices: the first time ranks all notices.
func (b *Bench) RankNotices(context.Context) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("RankNotices"); err != nil {
		return false, err
	}
	was := b.ranked
	b.ranked = true
	return !was, nil
}

// quality is an invented one, by the settings' t; nil before RankNotices.
func (b *Bench) quality(id uint64) *view.Quality {
	if !b.ranked {
		return nil
	}
	t := b.set.Harvest.SimilarityShare
	q := &view.Quality{Similarity: .66 - float64(id%13)/40, PageRank: float64(id*7%20) / 20, T: t}
	q.Value = t*q.Similarity + (1-t)*q.PageRank
	return q
}

// ExportFile implements parts.Notices: nothing is written, Written tells what.
func (b *Bench) ExportFile(_ context.Context, plan query.ExportPlan, path string, replace bool) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("ExportFile"); err != nil {
		return 0, err
	}
	if err := plan.Check(); err != nil {
		return 0, err
	}
	written := plan.What + " " + plan.Format + " " + path
	if plan.BOM {
		written = "BOM " + written
	}
	if b.Written == written && !replace {
		return 0, fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	b.Written = written
	return 42, nil
}

// SettingRows implements parts.Settings.
func (b *Bench) SettingRows() []store.SettingRow {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.set.Rows()
}

// CheckSetting implements parts.Settings.
func (b *Bench) CheckSetting(key, value string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, err := b.set.With(key, value)
	return err
}

// ChangeSetting implements parts.Settings.
func (b *Bench) ChangeSetting(key, value string) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("ChangeSetting"); err != nil {
		return false, err
	}
	set, err := b.set.With(key, value)
	if err != nil {
		return false, err
	}
	b.set = set
	return key == "crawl.proxy", nil
}

// Settings returns the settings as they were changed.
func (b *Bench) Settings() store.Settings { b.mu.Lock(); defer b.mu.Unlock(); return b.set }

// Grow adds n list pages, for tests of big tables.
func (b *Bench) Grow(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	next := uint64(len(b.pages) + 10_000)
	for i := range n {
		s := schools[i%len(schools)]
		rec := []page.Record{{Title: things[i%len(things)] + "招标公告", Date: page.Date{Time: Start.AddDate(0, 0, -i%400), Precision: page.Day}}}
		b.addPage(next+uint64(i), fmt.Sprintf("http://%s/g%d/list.htm", s.host, i), s.host, fmt.Sprintf("%s %s 第%d栏", s.name, departments[i%len(departments)], i), page.List, rec, 1, 3)
	}
	b.publish(nil)
}

// Frontier returns n invented frontier rows.
func Frontier(n int) []view.FrontierRow {
	base := frontier()
	out := make([]view.FrontierRow, n)
	for i := range out {
		out[i] = base[i%len(base)]
		out[i].ID = uint64(1_000_000 + i)
		out[i].Priority = 1 - float64(i)/float64(n+1)
		out[i].Next = Start.Add(time.Duration(i%50) * time.Second)
	}
	return out
}

// Rename gives the pages other titles.
func (b *Bench) Rename(f func(i int, old string) string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.pages {
		p := &b.pages[i]
		p.row.Title = f(i, p.row.Title)
		p.show.Title = p.row.Title
	}
	b.publish(nil)
}
