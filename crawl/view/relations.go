package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"angler/crawl/notices"
	"angler/store"
)

// Kindred is what is known of a notice besides what it says: its other addresses, its
// project, what it said before, and whether it is a notice at all.
type Kindred struct {
	ID       uint64
	State    notices.ProjectState   // of its project; of one notice alone what its kind says
	Others   []NoticeRef            // its other addresses
	Why      notices.MatchReason    // by what they are one notice
	Detached *Remark                // somebody has said that it is no other address of another
	Cut      *Remark                // … that it is not of the project of the same number or name
	Joined   *Remark                // … that it is of the project
	Thread   *notices.ProjectThread // nil = it is alone
	Steps    []StepRow              // of the thread, in the order of their days
	Versions []Version              // what it said before, the newest first
	Check    *notices.Finding
	Families []string // that the notice holds
	Missing  []string // of the topic's families, the others
}

// NoticeRef names a notice.
type NoticeRef struct {
	ID    uint64    `json:"id"`
	URL   string    `json:"url"`
	Host  string    `json:"-"`
	Title string    `json:"title"`
	At    time.Time `json:"date"` // its date, else when it was first seen
}

// StepRow is one notice of a project.
type StepRow struct {
	NoticeRef
	Kind     notices.ProjectState
	Deadline time.Time
	Copies   int // its other addresses
}

// Version is what a notice said before it changed.
type Version struct {
	Number int                `json:"number"`
	Until  time.Time          `json:"until"` // when the change was found
	Title  string             `json:"title"`
	Text   string             `json:"text"`
	Files  []string           `json:"files,omitempty"`
	Lines  []notices.DiffLine `json:"changes"` // what the next version, or the notice as it is, says else
}

// Says is what of a notice counts when it is compared with another version.
func Says(n *store.Notice) notices.NoticeText {
	t := notices.NoticeText{Title: n.Title, Text: n.Text}
	for _, f := range n.Attachments {
		t.Files = append(t.Files, cmp.Or(f.Name, f.URL))
	}
	slices.Sort(t.Files)
	return t
}

// ExplainedRelations is the part of an explanation that tells what belongs to a notice.
type ExplainedRelations struct {
	Content  string      `json:"content,omitempty"` // how it was checked whether it is a notice
	Doubtful bool        `json:"doubtful"`
	Families []string    `json:"families,omitempty"` // kinds of words that it holds
	Like     float64     `json:"like,omitempty"`     // to accepted notices, or to the example
	State    string      `json:"state,omitempty"`    // of its project
	Deadline *time.Time  `json:"deadline,omitempty"` // that holds
	Project  []NoticeRef `json:"project,omitempty"`  // notices of its project
	By       string      `json:"project_by,omitempty"`
	Others   []NoticeRef `json:"same_as,omitempty"` // its other addresses
	SameBy   string      `json:"same_by,omitempty"`
	Versions []Version   `json:"versions,omitempty"`
}

// Explained is what an explanation and an export tell.
func (k *Kindred) Explained() *ExplainedRelations {
	if k == nil {
		return nil
	}
	x := &ExplainedRelations{Content: k.Content(), Families: k.Families, Others: k.Others, SameBy: string(k.Why), Versions: k.Versions, State: k.State.String()}
	if k.Check != nil {
		x.Doubtful, x.Like = k.Check.Doubtful, Round(k.Check.Like)
	}
	if k.Thread != nil {
		x.By = string(k.Thread.Why)
		if d := k.Thread.Deadline; !d.IsZero() {
			x.Deadline = &d
		}
		for _, s := range k.Steps {
			x.Project = append(x.Project, s.NoticeRef)
		}
	}
	return x
}

// Content says how it was checked whether something is a notice, "" where it was not.
func (k *Kindred) Content() string { return k.content(func(en, _ string) string { return en }) }

// ContentZh is Content in Chinese, without the names of the kinds of words.
func (k *Kindred) ContentZh() string { return k.content(func(_, zh string) string { return zh }) }

// content is Content in the language that in chooses.
func (k *Kindred) content(in func(en, zh string) string) string {
	f := k.Check
	if f == nil {
		return ""
	}
	n := f.Families.Count()
	en := fmt.Sprintf("%d of %d kinds of words that notices have, %d make one", n, n+len(k.Missing), f.Need)
	if n > 0 {
		en += ": " + strings.Join(k.Families, ", ")
	}
	found := in(en, fmt.Sprintf("公告常见的 %d 类用语中有 %d 类，有 %d 类即算公告", n+len(k.Missing), n, f.Need))
	switch f.Reason {
	case notices.CheckedByPerson:
		return in("judged by a person", "由人判断")
	case notices.CheckedByExample:
		return in(fmt.Sprintf("like notice %d, which was judged (likeness %.2f)", f.Example, f.Like), fmt.Sprintf("与一条已判断的公告相似（相似度 %.2f）", f.Like))
	case notices.CheckedByLike:
		return found + fmt.Sprintf(in("; its likeness to accepted notices is %.2f", "；与已接受公告的相似度为 %.2f"), f.Like)
	case notices.CheckedByTitle:
		return found + in("; the title announces something else", "；标题说的是别的事")
	case notices.CheckedByShort:
		return in("hardly a text, and the title is a notice's", "几乎没有正文，但标题是公告标题")
	case notices.CheckOff:
		return in("not checked: the topic has no words of its own; verdicts teach it", "未核查：该主题没有自己的用语")
	case notices.CheckedByNothing:
		return in("nobody has judged one like it", "还没有人判断过类似的公告")
	}
	return found
}

// write prints what belongs to a notice for people, a row each.
func (x *ExplainedRelations) write(row func(name, format string, args ...any)) {
	if x.Content != "" {
		verdict := "a notice"
		if x.Doubtful {
			verdict = "doubtful"
		}
		row("content", "%s: %s", verdict, x.Content)
	}
	if len(x.Project) > 0 {
		text := fmt.Sprintf("%s, %d notices: %s", cmp.Or(x.State, "state unknown"), len(x.Project), notices.MatchReason(x.By).Says())
		if x.Deadline != nil {
			text += ", deadline " + x.Deadline.Format("2006-01-02 15:04")
		}
		row("project", "%s", text)
		for _, n := range x.Project {
			row("", "%s  %s  %s", n.At.Format("2006-01-02"), printable(n.Title), n.URL)
		}
	}
	for _, n := range x.Others {
		row("same as", "%s: %s", n.URL, notices.MatchReason(x.SameBy).Says())
	}
	for _, v := range x.Versions {
		row("changed", "%s, version %d said:", v.Until.Format("2006-01-02 15:04"), v.Number)
		for _, l := range v.Lines {
			if l.Kind != notices.DiffGap {
				row("", "%s %s", l.Kind.Sign(), printable(l.Text))
			}
		}
	}
}
