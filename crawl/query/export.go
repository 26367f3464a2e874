package query

import (
	"cmp"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"angler/crawl/auth"
	"angler/crawl/inbox"
	"angler/crawl/jobs"
	"angler/crawl/linkorder"
	"angler/crawl/revisit"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store"
	"angler/store/export"
)

// Exports lists the kinds of exports.
var Exports = []string{"pages", "aggregations", "notices", "frontier", "links", "resources"}

// ExportPlan describes an export.
type ExportPlan struct {
	What   string // one of Exports
	Format string // one of ExportFormats(What); "" = export.JSONL
	BOM    bool   // CSV: a byte order mark, which spreadsheets need for Chinese
	Newest int    // Atom: maximum number of entries; 0 = export.DefaultNewest

	// IDs selects these notices in this order; else Filter selects notices, see package inbox. Read marks are those
	// of By.
	IDs        []uint64
	Filter, By string

	// Fields selects columns of notices for a table, see fieldNames. nil means all fields of NoticeJSON, and
	// DefaultFields in formats for people.
	Fields []string
	Known  bool   // leave out fields that are not read yet, instead of reading them now
	Lang   string // XLSX, HTML: "zh" = Chinese column names
}

// maxNewest limits a feed: its entries are held in memory with their texts, and every viewer may request one.
const maxNewest = 10_000

// ExportFormats returns the formats of one of Exports.
func ExportFormats(what string) []string {
	switch what {
	case "notices", "aggregations":
		return export.Formats
	case "links":
		return []string{export.JSONL, export.CSV, export.XLSX, export.GraphML}
	}
	return []string{export.JSONL, export.CSV, export.XLSX, export.HTML}
}

// FormatOf returns the format of a file name's ending; "" if unknown.
func FormatOf(path string) string {
	switch ending := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), ".")); ending {
	case "json", "ndjson":
		return export.JSONL
	case "htm":
		return export.HTML
	default:
		if export.Known(ending) {
			return ending
		}
	}
	return ""
}

// Check returns an error for an invalid plan.
func (p ExportPlan) Check() error {
	switch {
	case !slices.Contains(Exports, p.What):
		return fmt.Errorf("cannot export %q; choose from: %s", p.What, strings.Join(Exports, ", "))
	case p.Format != "" && !export.Known(p.Format):
		return fmt.Errorf("format %q is unknown; choose from: %s", p.Format, strings.Join(ExportFormats(p.What), ", "))
	case p.Fields != nil && (p.What != "notices" || p.Format == export.Atom):
		return errors.New("fields are chosen for tables of notices")
	case p.Format != "" && !slices.Contains(ExportFormats(p.What), p.Format):
		return fmt.Errorf("%s are not written as %s; choose from: %s", p.What, p.Format,
			strings.Join(ExportFormats(p.What), ", "))
	case p.BOM && p.Format != export.CSV:
		return errors.New("a byte order mark is for csv alone")
	case p.Newest != 0 && p.Format != export.Atom:
		return errors.New("a number of newest entries is for atom alone")
	case p.Newest < 0 || p.Newest > maxNewest:
		return fmt.Errorf("%d entries are outside 1 … %d", p.Newest, maxNewest)
	case p.What != "notices" && (p.Filter != "" || p.IDs != nil):
		return fmt.Errorf("a filter is for notices; %s are written whole", p.What)
	}
	return nil
}

// Export writes rows of one kind and returns the number of rows read. Scores are those of the current model; wait
// for Words first. It holds one row at a time, except for Atom's newest entries.
func (q *Query) Export(ctx context.Context, p ExportPlan, w io.Writer) (int, error) {
	x := exporter{q: q, ctx: ctx}
	return x.run(p, w)
}

// ExportFile is Export to a file, which appears complete; see export.WriteFile. A Job shows its progress. A relative
// path starts at the program's working folder.
func (q *Query) ExportFile(ctx context.Context, p ExportPlan, path string, replace bool) (n int, err error) {
	if err := p.Check(); err != nil {
		return 0, err
	}
	if _, err := os.Stat(path); err == nil && !replace { // fail early, before words are counted
		return 0, fmt.Errorf("%s: %w; choose another name", path, fs.ErrExist)
	}
	if p.IDs != nil { // few notices, chosen on a screen with their qualities: no wait needed
		err = export.WriteFile(path, replace, func(w io.Writer) error { n, err = q.Export(ctx, p, w); return err })
		return n, err
	}
	if err := q.Decisions.Words(ctx); err != nil {
		return 0, err
	}
	c, total := q.Store.Counts(), 0
	switch p.What {
	case "notices":
		total = c.Notices
	case "frontier":
		total = c.URLs - c.Complete
	default:
		total = c.Pages
	}
	if ctx, err = q.Jobs.Begin(ctx, "exporting", total); err != nil {
		return 0, err
	}
	defer q.Jobs.End()
	err = export.WriteFile(path, replace, func(w io.Writer) error {
		x := exporter{q: q, ctx: ctx, done: &q.Jobs.Done}
		n, err = x.run(p, w)
		return err
	})
	return n, err
}

type exporter struct {
	q    *Query
	ctx  context.Context
	done *atomic.Int64 // pages, notices or URLs read; may be nil
	n    int           // rows written
}

func (x *exporter) run(p ExportPlan, w io.Writer) (int, error) {
	if err := cmp.Or(p.Check(), x.ctx.Err()); err != nil {
		return 0, err
	}
	if p.What == "notices" && p.IDs == nil {
		if err := x.q.Facts.Idle(x.ctx); err != nil {
			return 0, err
		}
	}
	o := export.Options{Format: p.Format, BOM: p.BOM, Feed: x.feed(p), Name: p.What, Lang: p.Lang, At: x.q.Now()}
	if p.Lang == "zh" {
		o.Heads = chineseHeads
	}
	if p.Format == export.HTML {
		what := p.What
		if p.Lang == "zh" {
			what = cmp.Or(chinese[what], what)
		}
		o.Name = x.q.Settings.Now().Name + " · " + what
	}
	var err error
	switch {
	case p.What == "links" && p.Format == export.GraphML:
		err = x.graph(w)
		return x.n, err
	case p.What == "notices" && (p.Fields != nil || p.Format == export.HTML || p.Format == export.XLSX):
		err = x.tabled(p, func(columns []export.Column) (export.TableSink, error) { return export.NewTable(w, o, columns) })
		return x.n, err
	}
	if p.What == "notices" && p.Format == export.CSV {
		o.More = x.q.Facts.Columns(p.Lang)
	}
	switch p.What {
	case "pages":
		err = written(w, o, func(put func(view.PageRow) error) error { return x.pages(false, put) })
	case "aggregations":
		err = written(w, o, func(put func(view.PageRow) error) error { return x.pages(true, put) })
	case "notices":
		err = written(w, o, func(put func(NoticeJSON) error) error { return x.notices(p, put) })
	case "frontier":
		err = written(w, o, x.frontier)
	case "links":
		err = written(w, o, x.links)
	case "resources":
		err = written(w, o, x.resources)
	}
	return x.n, err
}

// chinese holds the Chinese names of the exports.
var chinese = map[string]string{"pages": "网页", "aggregations": "列表页", "notices": "公告", "frontier": "待抓网址",
	"links": "链接", "resources": "资源"}

// chineseHeads holds the Chinese column names of all exports but notices.
var chineseHeads = map[string]string{"url": "网址", "status": "状态码", "type": "类型", "title": "标题", "date": "日期",
	"score": "得分", "aggregation": "列表页", "label": "标注",
	"depth": "深度", "anchor_ratio": "链接字符比", "records": "记录数", "fetched_at": "抓取时间", "quality": "质量",
	"unfollowed": "未跟进内容", "priority": "优先级", "host": "主机",
	"state": "状态", "why": "说明", "source": "来源网页", "target": "目标网址", "class": "类别", "relevance": "相关度",
	"anchor_score": "锚文本得分", "anchor": "锚文本",
	"before": "前文", "after": "后文", "page": "所在网页", "hash": "哈希", "path": "文件路径"}

// written passes rows to a writer of the format.
func written[T any](w io.Writer, o export.Options, rows func(put func(T) error) error) error {
	out, err := export.New[T](w, o)
	if err != nil {
		return err
	}
	defer export.Discard(out)
	if err := rows(out.Row); err != nil {
		return err
	}
	return out.Close()
}

// feed returns the head of an Atom feed. Its id is a UUID of version 5 (RFC 4122 4.3), built from data that stays
// equal between exports.
func (x *exporter) feed(p ExportPlan) export.Feed {
	set := x.q.Settings.Now()
	name := p.What + "\n" + set.Name
	if len(set.Seeds) > 0 {
		name += "\n" + set.Seeds[0]
	}
	h := sha1.Sum([]byte("angler feed\n" + name))
	h[6], h[8] = h[6]&0x0f|0x50, h[8]&0x3f|0x80
	return export.Feed{ID: fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16]),
		Title: set.Name + " · " + p.What, At: x.q.Now(), Newest: p.Newest}
}

// step counts an item read and returns the error of a cancelled export.
func (x *exporter) step() error {
	if x.done != nil {
		x.done.Add(1)
	}
	return x.ctx.Err()
}

// allPages yields the stored pages and counts each as an item read.
func (x *exporter) allPages() iter.Seq2[*store.Page, error] {
	return func(yield func(*store.Page, error) bool) {
		for p, err := range x.q.Store.Pages() {
			if !yield(p, cmp.Or(err, x.step())) {
				return
			}
		}
	}
}

// depth returns the depth of a page; 0 if it is unknown.
func (x *exporter) depth(id uint64) int {
	if u, err := x.q.Store.URL(id); err == nil && u != nil {
		return u.Depth
	}
	return 0
}

func (x *exporter) pages(aggregationsOnly bool, put func(view.PageRow) error) error {
	if _, err := x.q.RankNotices(x.ctx); err != nil {
		return err
	}
	_, quality := x.q.Inbox.ListQualities()
	rows := x.q.rows()
	visits := revisit.Believed{Now: x.q.Now()}
	missing, err := run.AllMissing(x.q.Store)
	if err != nil {
		return err
	}
	for p, err := range x.allPages() {
		if err != nil {
			return err
		}
		p.Fetched = visits.Time(p.Fetched)
		row := rows.page(p)
		if aggregationsOnly && !row.Aggregation {
			continue
		}
		row.Depth = x.depth(p.ID)
		if q := quality(p.ID); q != nil {
			row.Quality = rounded(q.Value)
		}
		row.Unfollowed = view.UnfollowedLine(missing[p.ID])
		x.n++
		if err := put(row); err != nil {
			return err
		}
	}
	return nil
}

func (x *exporter) notices(p ExportPlan, put func(NoticeJSON) error) error {
	first := revisit.Believed{Now: x.q.Now()}
	return x.stored(p, func(n *store.Notice, quality *inbox.Quality) error {
		n.FirstSeen = first.Time(n.FirstSeen) // a clock that was ahead would distort the feed for years
		row := NoticeJSONOf(n)
		if quality != nil {
			row.Quality = rounded(quality.Value)
		}
		if len(n.Attachments) > 0 {
			docs, err := x.q.Documents.Export(n)
			if err != nil {
				return err
			}
			row.Attachments = docs
		}
		values := x.q.Facts.Of
		if p.Known {
			values = x.q.Facts.Known
		}
		said, err := values(n.ID)
		if err != nil {
			return err
		}
		if said != nil && len(said.Set.Fields()) > 0 {
			plain := said.Plain()
			row.Fields = &plain
		}
		kindred, err := x.q.Inbox.Kindred(x.ctx, n.ID)
		if err != nil {
			return err
		}
		row.belongs(kindred)
		x.n++
		return put(row)
	})
}

// stored calls put for the notices of a plan, in its order or newest first.
func (x *exporter) stored(p ExportPlan, put func(*store.Notice, *inbox.Quality) error) error {
	if p.IDs == nil {
		if _, err := x.q.RankNotices(x.ctx); err != nil {
			return err
		}
	}
	quality := x.q.Inbox.Qualities()
	one := func(n *store.Notice) error {
		if err := x.step(); err != nil {
			return err
		}
		return put(n, quality(n.ID))
	}
	return x.q.Inbox.SessionOf(auth.Actor{Name: p.By}).Select(x.ctx, p.IDs, p.Filter, one)
}

func rounded(v float64) *float64 {
	v = view.Round(v)
	return &v
}

// exportBatch is the number of rows read per transaction. Rows are written after it: a slow reader must not keep it
// open.
const exportBatch = 512

// frontier writes incomplete URLs: waiting ones, best first, then failed ones. It keeps 24 bytes per URL and asks
// the link order twice for each.
func (x *exporter) frontier(put func(linkorder.URLRow) error) error {
	links, err := x.q.Order()
	if err != nil {
		return err
	}
	type waiting struct {
		id       uint64
		priority float64
		class    int8
		failed   int
	}
	var all []waiting
	for u, err := range jobs.Until(x.ctx, x.q.Store.URLs()) {
		if err != nil {
			return err
		}
		if u.State != store.Complete {
			entry, _ := links.Entry(u)
			failed := 0
			if u.State == store.Exception {
				failed = 1
			}
			all = append(all, waiting{u.ID, view.Round(entry.Priority), entry.Class, failed})
		}
	}
	slices.SortStableFunc(all, func(a, b waiting) int {
		return cmp.Or(cmp.Compare(a.failed, b.failed), cmp.Compare(b.class, a.class),
			cmp.Compare(b.priority, a.priority))
	})
	ids := make([]uint64, 0, exportBatch)
	rows := make([]linkorder.URLRow, 0, exportBatch)
	for batch := range slices.Chunk(all, exportBatch) {
		ids, rows = ids[:0], rows[:0]
		for _, w := range batch {
			ids = append(ids, w.id)
		}
		err := x.q.Store.EachURL(ids, func(u *store.URL) {
			if u.State != store.Complete { // completed since the first pass
				rows = append(rows, links.Row(u))
			}
		})
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := x.step(); err != nil {
				return err
			}
			x.n++
			if err := put(row); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *exporter) links(put func(LinkRow) error) error {
	var targets []string
	for p, err := range x.allPages() {
		if err != nil {
			return err
		}
		ids, err := x.q.Store.OutLinks(p.ID)
		if err != nil {
			return err
		}
		// Collect the links first. A slow reader must not keep the transaction open, because the file grows with
		// every commit meanwhile.
		targets = targets[:0]
		if err := x.q.Store.EachURL(ids, func(u *store.URL) { targets = append(targets, u.URL) }); err != nil {
			return err
		}
		for _, to := range targets {
			x.n++
			if err := put(LinkRow{Source: p.URL, Target: to}); err != nil {
				return err
			}
		}
	}
	return nil
}
