package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/attachments"
	"angler/crawl/htmldoc"
	"angler/store"
	"angler/store/records"
	"angler/tui/report"
)

// documentRow is one document of one notice, as JSON.
type documentRow struct {
	Notice   string `json:"notice"` // its address
	Title    string `json:"title"`
	Doubtful bool   `json:"doubtful,omitempty"` // it may not be a notice
	attachments.DocumentJSON
}

// filesCommand lists, fetches and copies the documents that notices link to.
func filesCommand() *cobra.Command {
	var f engineFlags
	var fetch, text bool
	var save string
	c := &cobra.Command{
		Use: "files DIR [FILTER]", Short: "List, fetch or save the documents of notices",
		Long: "files lists the documents of the notices that a filter selects. --fetch fetches missing ones,\n" +
			"politely; the next --fetch or the workbench continues one that was interrupted.\n" + filterHelp,
		Example: "  angler notices files DIR 'is:starred 设备' --fetch --save files",
		RunE: func(c *cobra.Command, args []string) error {
			filter := strings.Join(args[1:], " ")
			if text && wantsJSON(c) {
				return misusef("--json has the texts; leave --text out")
			}
			do := func(e *crawl.Engine) error {
				if err := checkFilter(e, filter); err != nil {
					return misusef("the filter: %w", err)
				}
				if fetch {
					if err := fetchDocuments(c, e, filter); err != nil {
						return err
					}
				}
				if save != "" {
					n, err := e.Files.Save(c.Context(), filter, save)
					if err != nil {
						return err
					}
					c.PrintErrf("%d files in %s\n", n, save)
				}
				switch {
				case wantsJSON(c):
					return documentsJSON(c, e, filter)
				case text:
					return documentTexts(c, e, filter)
				case save == "" && !fetch:
					return documentList(c, e, filter)
				}
				return nil
			}
			if fetch {
				return f.with(c, args[0], do)
			}
			return f.reading(c, args[0], do)
		},
	}
	f.fetching(c)
	c.Flags().BoolVar(&fetch, "fetch", false, "fetch missing documents")
	c.Flags().BoolVar(&text, "text", false, "print the texts of the documents")
	c.Flags().StringVar(&save, "save", "",
		"copy the files into this folder under safe names; existing files stay")
	return jsonFlag(c)
}

// fetchDocuments fetches the documents that a filter selects, with a line of progress each.
func fetchDocuments(c *cobra.Command, e *crawl.Engine, filter string) error {
	n, err := e.Files.WantAll(c.Context(), filter)
	if err != nil {
		return err
	}
	done := 0
	sum, err := e.Files.FetchAll(c.Context(), func(r *records.Document) {
		done++
		said := r.Why
		if r.State == records.DocumentKept {
			said = fmt.Sprintf("%s, %.1f KB", r.Kind, float64(r.Size)/1024)
		}
		c.PrintErrf("%d/%d  %-6s  %s  (%s)\n", done, max(n, done), r.State,
			cmp.Or(htmldoc.CleanLine(r.Name, 80), r.URL), htmldoc.CleanLine(said, 200))
	})
	if err != nil {
		return fmt.Errorf("%w; %s so far, the next --fetch goes on", err, sum)
	}
	c.PrintErrln(sum)
	return e.Facts.Idle(c.Context())
}

func documentsJSON(c *cobra.Command, e *crawl.Engine, filter string) error {
	doubtful, err := doubts(c, e, filter)
	if err != nil {
		return err
	}
	return e.Files.Each(c.Context(), filter, func(n *store.Notice, i int) error {
		docs, err := e.Files.Export(n)
		if err != nil {
			return err
		}
		return report.JSON(c.OutOrStdout(), documentRow{n.URL, n.Title, doubtful[n.ID], docs[i]})
	})
}

func documentTexts(c *cobra.Command, e *crawl.Engine, filter string) error {
	return e.Files.Each(c.Context(), filter, func(n *store.Notice, i int) error {
		docs, err := e.Files.Export(n)
		if err != nil || docs[i].Text == "" {
			return err
		}
		_, err = io.WriteString(c.OutOrStdout(),
			"== "+htmldoc.CleanLine(docs[i].Name, 200)+"  "+htmldoc.CleanLine(docs[i].URL, 500)+"\n"+docs[i].Text+
				"\n\n")
		return err
	})
}

// documentList prints a table.
func documentList(c *cobra.Command, e *crawl.Engine, filter string) error {
	t := report.Columns(c.OutOrStdout(), "state\ttype\tKB\tletters\tname\tof the notice", 0, 1, 4, 5)
	count := map[string]int{}
	doubtful, err := doubts(c, e, filter)
	if err != nil {
		return err
	}
	err = e.Files.Each(c.Context(), filter, func(n *store.Notice, i int) error {
		docs, err := e.Files.Of(n)
		if err != nil {
			return err
		}
		d := docs[i]
		state, size, letters := cmp.Or(d.State, "-"), "", ""
		count[state]++
		if d.State == records.DocumentKept {
			size, letters = fmt.Sprintf("%.1f", float64(d.Size)/1024), fmt.Sprint(d.Letters)
		}
		name := htmldoc.CleanLine(cmp.Or(d.Name, d.URL), 200)
		title := htmldoc.CleanLine(n.Title, 200)
		if doubtful[n.ID] {
			title = "? " + title // may not be a notice
		}
		if d.Why != "" {
			name += " (" + htmldoc.CleanLine(d.Why, 200) + ")"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", state, cmp.Or(d.Kind, d.Class), size, letters,
			ansi.Truncate(name, 70, "…"), ansi.Truncate(title, 50, "…"))
		return err
	})
	if err != nil {
		return err
	}
	if len(count) == 0 {
		c.PrintErrln("no such notice links to a document")
		return nil
	}
	t.Flush()
	return nil
}
