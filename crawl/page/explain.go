package page

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
)

// Explanation holds the reasons for the results of a parse: blocks with their scores, the record
// groups that competed, and a line for every decision.
type Explanation struct {
	Blocks []BlockRow `json:"blocks"`
	Groups []GroupRow `json:"groups"` // best first, at most 8
	Why    []string   `json:"why"`
}

// BlockRow is one block of the tree, in document order.
type BlockRow struct {
	Depth     int     `json:"depth"` // number of blocks around it
	Path      string  `json:"path"`  // Block.Path
	Chars     int     `json:"chars"` // without its inner blocks
	LinkChars int     `json:"link_chars"`
	Links     int     `json:"links"`
	Beta      float64 `json:"beta"`             // link characters ÷ other characters of it and its inner blocks (P4 3.3)
	Noise     bool    `json:"noise"`            // Block.Noise
	Mass      float64 `json:"mass"`             // share of the page's text mass in it and its inner blocks, 0 … 1
	Chosen    string  `json:"chosen,omitempty"` // "title", "records", "text", joined by "+"; the text also names every block inside it
	Text      string  `json:"text"`             // beginning, at most 40 characters
}

// GroupRow is one group of candidate records.
type GroupRow struct {
	Path    string  `json:"path"` // of an item
	Items   int     `json:"items"`
	Dated   int     `json:"dated"`
	Targets int     `json:"targets"` // number of distinct links in all items
	Score   float64 `json:"score"`
	Chosen  bool    `json:"chosen"` // part of the records
	First   string  `json:"first"`  // title of the first item
}

// explainGroups bounds Explanation.Groups. explainText bounds the beginnings of texts, in characters.
const (
	explainGroups = 8
	explainText   = 40
)

// Explain is Parse with an explanation, and costs twice as much. Without Options.Main it computes
// the main text by auto. The strings of the explanation hold no control characters. Safe for
// concurrent use.
func Explain(src Source, opt Options) (*Page, *Explanation, error) {
	if opt.Main == "" {
		opt.Main = article.MethodAuto
	}
	a := newAnalysis(src.URL)
	defer a.release()
	p, err := a.analyse(src, &opt)
	if err != nil {
		return nil, nil, err
	}
	e := &Explanation{Blocks: a.blockRows(p, opt.Host), Groups: a.groupRows()}
	e.Why = a.reasons(p, e.Groups)
	return p, e, nil
}

// blockRows lists the blocks with their text mass and their role.
func (a *analysis) blockRows(p *Page, host *HostProfile) []BlockRow {
	t := a.tree
	mass := a.text.Masses(a.textInput(p, repetitionsOf(host, nil)))
	chosen := a.chosen(p)
	rows := make([]BlockRow, len(p.Blocks))
	for i := range p.Blocks {
		b, n := &p.Blocks[i], &t.Nodes[a.layout.BlockNodes[i]]
		r := BlockRow{Path: strings.Clone(b.Path), Chars: int(b.Chars), LinkChars: int(b.LinkChars),
			Links: int(b.Links), Noise: b.Noise,
			Beta: float64(n.LinkChars) / float64(max(1, n.Chars-n.LinkChars)), Chosen: chosen[i],
			Text: htmldoc.CleanLine(t.Text[n.From:min(n.To, n.From+400)], explainText)}
		if b.Parent >= 0 {
			r.Depth = rows[b.Parent].Depth + 1
		}
		if len(mass) > 0 && mass[0] > 0 {
			r.Mass = mass[a.layout.BlockNodes[i]] / mass[0]
		}
		rows[i] = r
	}
	return rows
}

// chosen returns BlockRow.Chosen of each block.
func (a *analysis) chosen(p *Page) []string {
	chosen := make([]string, len(p.Blocks))
	mark := func(node int32, role string) {
		if b := a.layout.BlockAt(a.tree, node); b >= 0 && !strings.Contains(chosen[b], role) {
			chosen[b] = strings.TrimPrefix(chosen[b]+"+"+role, "+")
		}
	}
	if a.title >= 0 {
		mark(a.title, "title")
	}
	for _, r := range p.Records {
		if r.Link >= 0 && int(r.Link) < len(a.tree.Refs) { // other records come from a script
			mark(a.tree.Refs[r.Link].Node, "records")
		}
	}
	for i := a.main.From; i < a.main.To; i++ {
		mark(i, "text")
	}
	return chosen
}

// groupRows lists the best record groups.
func (a *analysis) groupRows() []GroupRow {
	groups := a.list.Groups(explainGroups)
	rows := make([]GroupRow, len(groups))
	for i, g := range groups {
		rows[i] = GroupRow{Path: htmldoc.BlockPath(a.tree, g.Node, 3), Items: g.Items, Dated: g.Dated,
			Targets: g.Targets, Score: g.Score,
			Chosen: g.Chosen, First: strings.Clone(htmldoc.Clip(a.layout.Links[g.Link].Anchor, explainText))}
	}
	return rows
}

// reasons writes a line for every decision.
func (a *analysis) reasons(p *Page, groups []GroupRow) []string {
	why := []string{
		fmt.Sprintf("charset %s", p.Charset),
		fmt.Sprintf("type %s: %d of %d records are dated, β = %.2f over %d links", p.Type, p.Dated, len(p.Records),
			p.Beta, len(p.Links)),
		"title by " + cmp.Or(p.TitleWhy, "nothing: none was found"),
		"date by " + cmp.Or(p.DateWhy, "nothing: none was found"),
	}
	switch {
	case len(groups) == 0:
		why = append(why, "no records: no element with a link repeats")
	case len(groups) == 1:
		why = append(why, fmt.Sprintf("records: the only group, %s, with a score of %.1f", groups[0].Path,
			groups[0].Score))
	default:
		why = append(why, fmt.Sprintf("records: %s with a score of %.1f before %s with %.1f", groups[0].Path,
			groups[0].Score, groups[1].Path, groups[1].Score))
	}
	text := "text by " + p.MainMethod
	if a.main.Why != "" {
		text += ": " + a.main.Why
	}
	why = append(why, text)
	for _, l := range p.Limits {
		why = append(why, "limit hit: "+l)
	}
	return why
}

// Write prints the reasons, the record groups and the tree of blocks, with a line each.
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
		fmt.Fprintf(out, "%s %11d %6d %6s %4.0f%%  %s%s  %s\n", noise, b.Chars, b.Links, beta, 100*b.Mass,
			strings.Repeat("  ", min(b.Depth, 20)), label, b.Text)
	}
	return out.Flush()
}
