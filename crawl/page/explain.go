package page

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Explanation says how a page was understood: its blocks with their scores,
// the record groups that competed, and a line for every decision.
type Explanation struct {
	Blocks []BlockRow `json:"blocks"`
	Groups []GroupRow `json:"groups"` // best first, at most 8
	Why    []string   `json:"why"`
}

// BlockRow is one block of the tree, in document order.
type BlockRow struct {
	Depth     int     `json:"depth"` // blocks around it
	Path      string  `json:"path"`  // Block.Path
	Chars     int     `json:"chars"` // directly in it, without its inner blocks
	LinkChars int     `json:"link_chars"`
	Links     int     `json:"links"`
	Beta      float64 `json:"beta"`             // link characters ÷ other characters of it and its inner blocks (P4 3.3)
	Noise     bool    `json:"noise"`            // Block.Noise
	Mass      float64 `json:"mass"`             // share of the page's text mass in it and its inner blocks, 0 … 1
	Chosen    string  `json:"chosen,omitempty"` // "title", "records", "text", joined by "+"; the text also names every block inside it
	Text      string  `json:"text"`             // how it begins, at most 40 characters
}

// GroupRow is one group of candidate records.
type GroupRow struct {
	Path    string  `json:"path"` // of an item
	Items   int     `json:"items"`
	Dated   int     `json:"dated"`
	Targets int     `json:"targets"` // distinct links of all items
	Score   float64 `json:"score"`
	Chosen  bool    `json:"chosen"` // part of the records
	First   string  `json:"first"`  // title of the first item
}

// explainGroups bounds Explanation.Groups, explainText the beginnings of texts.
const (
	explainGroups = 8
	explainText   = 40
)

// Explain is Parse with the reasons: it costs about as much again. Without
// Options.Main it computes the main text by auto. The strings of the
// explanation hold no control characters; rows are bounded by the bounds of a
// page. Safe for concurrent use.
func Explain(src Source, opt Options) (*Page, *Explanation, error) {
	if opt.Main == "" {
		opt.Main = MethodAuto
	}
	t := trees.Get().(*tree)
	defer t.release()
	p, found, err := t.understand(src, &opt)
	if err != nil {
		return nil, nil, err
	}
	e := &Explanation{Blocks: t.blockRows(p, found, opt.Host)}
	e.Groups = t.groupRows()
	e.Why = t.reasons(p, found, e.Groups)
	return p, e, nil
}

// blockRows lists the blocks with what the extractors thought of them.
func (t *tree) blockRows(p *Page, found findings, host *Boilerplate) []BlockRow {
	if len(t.runs) > 0 {
		t.weigh(mainInput{tree: t, title: found.title, titleText: p.Title, host: host}, t.titleRun(found.title))
	}
	chosen := make([]string, len(p.Blocks))
	mark := func(node int32, as string) {
		if b := t.blockOf(node); b >= 0 && !strings.Contains(chosen[b], as) {
			chosen[b] = strings.TrimPrefix(chosen[b]+"+"+as, "+")
		}
	}
	if found.title >= 0 {
		mark(found.title, "title")
	}
	if len(p.Records) > 0 {
		for _, r := range p.Records {
			mark(t.hosts[r.Link], "records")
		}
	}
	for i := found.main.from; i < found.main.to; i++ {
		mark(i, "text")
	}
	rows := make([]BlockRow, len(p.Blocks))
	for i := range p.Blocks {
		b, n := &p.Blocks[i], &t.nodes[t.blockNodes[i]]
		r := BlockRow{Path: strings.Clone(b.Path), Chars: int(b.Chars), LinkChars: int(b.LinkChars), Links: int(b.Links), Noise: b.Noise,
			Beta: float64(n.linkChars) / float64(max(1, n.chars-n.linkChars)), Chosen: chosen[i], Text: line(t.text[n.from:min(n.to, n.from+400)], explainText)}
		if b.Parent >= 0 {
			r.Depth = rows[b.Parent].Depth + 1
		}
		if len(t.weight) == len(t.nodes) && t.weight[0] > 0 {
			r.Mass = t.weight[t.blockNodes[i]] / t.weight[0]
		}
		rows[i] = r
	}
	return rows
}

// blockOf returns the innermost kept block around a node, -1 outside all.
func (t *tree) blockOf(node int32) int32 {
	for ; node >= 0; node = t.nodes[node].parent {
		if i, ok := slices.BinarySearch(t.blockNodes, node); ok {
			return int32(i)
		}
	}
	return -1
}

// groupRows lists the best record groups.
func (t *tree) groupRows() []GroupRow {
	order := make([]int32, 0, len(t.groupList))
	for i := range t.groupList {
		if t.groupList[i].n > 0 {
			order = append(order, int32(i))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(t.groupList[b].score, t.groupList[a].score) })
	order = order[:min(len(order), explainGroups)]
	rows := make([]GroupRow, 0, len(order))
	for _, i := range order {
		g := &t.groupList[i]
		first := &t.cands[g.first]
		rows = append(rows, GroupRow{Path: t.pathOf(first.node), Items: int(g.n), Dated: int(g.dated), Targets: int(g.targets), Score: g.score,
			Chosen: slices.Contains(t.listParts, i), First: strings.Clone(clip(t.links[first.link].Anchor, explainText))})
	}
	return rows
}

// pathOf writes the innermost 3 elements of a node's path like Block.Path.
func (t *tree) pathOf(node int32) string {
	var levels []string
	for ; node >= 0 && len(levels) < 3; node = t.nodes[node].parent {
		h := t.nodes[node].html
		levels = append(levels, string(appendClass([]byte(h.Data[:min(len(h.Data), 32)]), attr(h, "class"))))
	}
	slices.Reverse(levels)
	return strings.Join(levels, "/")
}

// reasons writes a line for every decision.
func (t *tree) reasons(p *Page, found findings, groups []GroupRow) []string {
	why := []string{
		fmt.Sprintf("charset %s", p.Charset),
		fmt.Sprintf("type %s: %d of %d records are dated, β = %.2f over %d links", p.Type, p.Dated, len(p.Records), p.Beta, len(p.Links)),
		"title by " + orNone(p.TitleWhy),
		"date by " + orNone(p.DateWhy),
	}
	switch {
	case len(groups) == 0:
		why = append(why, "no records: no element with a link repeats")
	case len(groups) == 1:
		why = append(why, fmt.Sprintf("records: the only group, %s, with a score of %.1f", groups[0].Path, groups[0].Score))
	default:
		why = append(why, fmt.Sprintf("records: %s with a score of %.1f before %s with %.1f", groups[0].Path, groups[0].Score, groups[1].Path, groups[1].Score))
	}
	text := "text by " + p.MainMethod
	if found.main.why != "" {
		text += ": " + found.main.why
	}
	why = append(why, text)
	for _, l := range p.Limits {
		why = append(why, "limit hit: "+l)
	}
	return why
}

func orNone(s string) string {
	if s == "" {
		return "nothing: none was found"
	}
	return s
}

// Write prints an explanation for people: the reasons, the record groups, the
// tree of blocks with a line each.
func (e *Explanation) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, s := range e.Why {
		fmt.Fprintln(out, s)
	}
	fmt.Fprintln(out, "\nrecord groups   items  dated targets")
	for _, g := range e.Groups {
		mark := " "
		if g.Chosen {
			mark = "*"
		}
		fmt.Fprintf(out, "%s %12.1f %7d %6d %7d  %s  %s\n", mark, g.Score, g.Items, g.Dated, g.Targets, g.Path, g.First)
	}
	fmt.Fprintln(out, "\nblocks  chars  links      β  mass")
	for _, b := range e.Blocks {
		noise := " "
		if b.Noise {
			noise = "~"
		}
		beta := strconv.FormatFloat(min(b.Beta, 9999), 'f', 2, 64)
		label := b.Path[strings.LastIndexByte(b.Path, '/')+1:]
		if b.Chosen != "" {
			label += " [" + b.Chosen + "]"
		}
		fmt.Fprintf(out, "%s %11d %6d %6s %4.0f%%  %s%s  %s\n", noise, b.Chars, b.Links, beta, 100*b.Mass, strings.Repeat("  ", min(b.Depth, 20)), label, b.Text)
	}
	return out.Flush()
}
