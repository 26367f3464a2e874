package inbox

import (
	"strconv"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/fields"
	"angler/crawl/filter"
	"angler/crawl/notices"
	"angler/topic"
)

type row = ListedNotice

// language returns the filter language of notices. found holds the notices with each word of the
// query. addFields adds the notices' fields.
func (in *Inbox) language(found map[filter.Word]*hits) *filter.Language[row] {
	is := func(flags map[string]func(*row) bool, also map[string]string) filter.Field[row] {
		return filter.Field[row]{Flags: flags, Shown: also}
	}
	judged := func(l topic.Label) func(*row) bool { return func(r *row) bool { return r.Marks.Judgement() == l } }
	state := is(map[string]func(*row) bool{
		"unread":    func(r *row) bool { return !r.Read },
		"read":      func(r *row) bool { return r.Read },
		"new":       func(r *row) bool { return r.New },
		"starred":   func(r *row) bool { return r.Marks.Starred() },
		"done":      func(r *row) bool { return r.Marks.IsDone() },
		"open":      func(r *row) bool { return !r.Marks.IsDone() },
		"corrected": func(r *row) bool { return r.Facts.Corrected() },
		"changed":   func(r *row) bool { return !r.Changed.IsZero() },
		"doubtful":  func(r *row) bool { return r.Doubt != nil },
		"copy":      func(r *row) bool { return r.Group != nil && r.Group.IDs[0] != r.ID && !r.Marks.IsApart() },
		"yes":       judged(topic.Yes), "no": judged(topic.No), "unsure": judged(topic.Unsure),
	}, map[string]string{"未读": "unread", "已读": "read", "新": "new", "星标": "starred", "★": "starred", "star": "starred",
		"已办": "done", "完成": "done", "未办": "open", "待办": "open", "改过": "corrected", "有变化": "changed", "变更过": "changed",
		"可疑": "doubtful", "存疑": "doubtful", "重复": "copy", "是": "yes", "否": "no", "待定": "unsure", "不确定": "unsure",
		"未完成": "open"})
	state.Name, state.Also, state.Help = "is", []string{"状态"},
		"is:unread, read, new, starred, done, open, corrected, changed, doubtful, copy, yes, no or unsure"
	has := is(map[string]func(*row) bool{
		"note":  func(r *row) bool { return r.Marks.Says() != "" },
		"files": func(r *row) bool { return r.Files > 0 },
		"text":  func(r *row) bool { return r.Text },
		"doubt": func(r *row) bool { return r.Facts.Doubts() },
		"date":  func(r *row) bool { return !r.Date.IsZero() },
	}, map[string]string{"备注": "note", "附件": "files", "正文": "text", "日期": "date", "存疑": "doubt"})
	has.Name, has.Also, has.Help = "has", []string{"有"}, "has:note, files, text, date, doubt or a field: has:budget"
	said := func(what string) func(*row) bool { return func(r *row) bool { return r.Said() == what } }
	model := is(map[string]func(*row) bool{"yes": said("yes"), "no": said("no"), "unsure": said("unsure"), "stale": said("stale")},
		map[string]string{"是": "yes", "否": "no", "不确定": "unsure", "过时": "stale"})
	model.Name, model.Also, model.Help = "assistant", []string{"模型"}, "assistant:yes, no, unsure or stale, what the model answered"
	l := &filter.Language[row]{
		Word: func(w filter.Word) func(*row) bool {
			ids := found[w].all() // a copy needs no lock
			return func(r *row) bool { return ids.Contains(r.ID) || r.Marks != nil && w.In(r.Marks.Note) }
		},
		Fields: []filter.Field[row]{
			{Name: "site", Also: []string{"网站", "站点", "来源"}, Help: "site:ntu, a part of the site's name or host",
				Text: func(r *row) []string { return []string{r.Host, r.Site} },
				Some: func(holds func(string) bool) func(*row) bool {
					return func(r *row) bool { return holds(r.Host) || holds(r.Site) }
				}},
			{Name: "title", Also: []string{"标题"}, Help: "title:招标",
				Text: func(r *row) []string { return []string{r.Title} }},
			{Name: "list", Also: []string{"列表"}, Help: "list:ztb, a part of the list's address",
				Text: func(r *row) []string { return []string{r.Source} }},
			{Name: "note", Also: []string{"备注"}, Help: "note:call, a part of the note",
				Text: func(r *row) []string { return []string{r.Marks.Says()} }},
			{Name: "by", Also: []string{"谁"}, Help: "by:wang, who starred, finished, judged or noted it", Text: people},
			state, has, model,
			{Name: "date", Also: []string{"日期"}, Help: "date>=2026-01-31, a day, a month or a year",
				Day: func(r *row) time.Time { return r.Date.Time }},
			{Name: "seen", Also: []string{"收到"}, Help: "seen:today, when it was first seen",
				Day: func(r *row) time.Time { return r.At }},
			{Name: "state", Also: []string{"阶段", "进展"},
				Help: "state:中标, how far the project is: 意向, 招标, 更正, 废标, 候选, 中标 or 合同", Text: func(r *row) []string {
					if r.State == notices.Stopped {
						return []string{r.State.String(), r.State.English(), fields.Stopped}
					}
					return []string{r.State.String(), r.State.English()}
				}},
			{Name: "thread", Also: []string{"项目线"},
				Help: "thread:DHU-2026-12, a part of the number or the name of a project of several notices",
				Text: threadOf},
			{Name: "changed", Also: []string{"变更"}, Help: "changed:today, when it was found to say something else",
				Day: func(r *row) time.Time { return r.Changed }},
			{Name: "age", Also: []string{"距今"}, Help: "age<7d, in h, d, w, m or y",
				Until: func(r *row) time.Time { return r.Shown() }},
			{Name: "score", Also: []string{"得分"}, Help: "score>=.5, of the list",
				Number: func(r *row) (float64, bool) { return r.Score, true }},
			{Name: "quality", Also: []string{"质量"}, Help: "quality>.6", Number: func(r *row) (float64, bool) {
				if r.Quality == nil {
					return 0, false
				}
				return r.Quality.Value, true
			}},
			{Name: "for-me", Also: []string{"适合我"}, Help: "for-me>.5, learned from your stars, dones and verdicts",
				Number: func(r *row) (float64, bool) { return r.ForMe, r.ForMe >= 0 }},
			{Name: "files", Also: []string{"附件"}, Help: "files>0, attachments",
				Number: func(r *row) (float64, bool) { return float64(r.Files), true }},
		},
	}
	in.addFields(l, &has)
	return l
}

func people(r *row) []string {
	m := r.Marks
	if m == nil {
		return nil
	}
	var out []string
	for _, x := range []*decisions.Remark{m.Star, m.Done, m.Noted, m.Judged} {
		if x != nil {
			out = append(out, x.By)
		}
	}
	return out
}

// threadOf returns the texts by which a project is found; none for a single notice.
func threadOf(r *row) []string {
	if r.Thread == nil {
		return nil
	}
	return []string{r.Thread.Number, r.Thread.Name, "#" + strconv.FormatUint(r.Thread.ID, 10)}
}
