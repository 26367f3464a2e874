package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/lipgloss"

	"angler/crawl/htmldoc"
	"angler/crawl/inbox"
)

// FoundLine is a notice in JSON; lit holds ranges of highlighted characters in the snippet.
type FoundLine struct {
	Rank   int     `json:"rank"`
	ID     uint64  `json:"id"`
	URL    string  `json:"url"`
	Title  string  `json:"title"`
	Date   string  `json:"date,omitempty"`
	Site   string  `json:"site"`
	List   string  `json:"list,omitempty"`
	Score  float64 `json:"score"`
	Copies int     `json:"copies,omitempty"`
	// Doubtful means that it may not be a notice.
	Doubtful bool   `json:"doubtful,omitempty"`
	Loose    bool   `json:"loose,omitempty"`
	Snippet  string `json:"snippet"`
	// Document is the name of the snippet's document; "" means the notice.
	Document string   `json:"document,omitempty"`
	Lit      [][2]int `json:"lit"`
}

// FoundLines converts found notices for JSON.
func FoundLines(got *inbox.FoundNotices) []FoundLine {
	var out []FoundLine
	for i, r := range got.Rows {
		x := FoundLine{Rank: i + 1, ID: r.ID, URL: r.URL, Title: r.Title, Site: r.Site, List: r.Source, Score: r.Match,
			Copies: r.Copies, Doubtful: r.Doubt != nil, Loose: got.Loose, Snippet: r.Snippet, Document: r.Document,
			Lit: [][2]int{}}
		if !r.Date.IsZero() {
			x.Date = r.Date.String()
		}
		for _, s := range r.Lit {
			from := utf8.RuneCountInString(r.Snippet[:s.From])
			x.Lit = append(x.Lit, [2]int{from, from + utf8.RuneCountInString(r.Snippet[s.From:s.To])})
		}
		out = append(out, x)
	}
	return out
}

// Found prints found notices for people.
func Found(w io.Writer, got *inbox.FoundNotices) {
	render := lipgloss.NewRenderer(w)
	title, dim, hit := render.NewStyle().Bold(true), render.NewStyle().Faint(true),
		render.NewStyle().Bold(true).Foreground(lipgloss.Color("3"))
	for i, r := range got.Rows {
		head := cmp.Or(r.Title[:r.Cut], r.URL)
		facts := []string{r.Site}
		if r.Doubt != nil {
			facts = append(facts, "may be no notice")
		}
		if !r.Date.IsZero() {
			facts = append(facts, r.Date.String())
		}
		if r.Match > 0 {
			facts = append(facts, fmt.Sprintf("%.2f", r.Match))
		}
		if r.Copies > 0 {
			facts = append(facts, fmt.Sprintf("×%d", r.Copies+1))
		}
		fmt.Fprintf(w, "%3d  %s  %s\n", i+1, title.Render(htmldoc.CleanLine(head, 200)),
			dim.Render(htmldoc.CleanLine(strings.Join(facts, " · "), 200)))
		if r.Snippet != "" {
			var b strings.Builder
			at := 0
			for _, s := range r.Lit {
				b.WriteString(r.Snippet[at:s.From])
				b.WriteString(hit.Render(r.Snippet[s.From:s.To]))
				at = s.To
			}
			of := ""
			if r.Document != "" {
				of = dim.Render("in " + htmldoc.CleanLine(r.Document, 100) + ": ")
			}
			fmt.Fprintf(w, "     %s\n", of+b.String()+r.Snippet[at:])
		}
		fmt.Fprintf(w, "     %s\n", dim.Render(htmldoc.CleanLine(r.URL, 300)))
	}
}
