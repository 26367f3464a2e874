package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"angler/crawl/article"
	"angler/crawl/extract"
	"angler/crawl/fields"
	"angler/crawl/seeds"
	"angler/tui/report"
)

func textNoun() *cobra.Command {
	return noun("text", "Extract, cut and measure texts without a workspace", extractCommand(), fieldsCommand(),
		segmentCommand())
}

// shortExtractCommand is text extract under its short name.
func shortExtractCommand() *cobra.Command {
	c := extractCommand()
	c.Short = "Extract pages: the short form of text extract"
	c.Example = strings.ReplaceAll(c.Example, "text extract", "extract")
	return c
}

func extractCommand() *cobra.Command {
	var doc extract.Document
	var batch, gold, method string
	second := article.DefaultSecondPass
	var blocks, spans, table bool
	var topic, workspace string
	c := &cobra.Command{
		Use: "extract [FILE]", Short: "Extract title, date, text, records and fields of pages",
		Long: "extract reads FILE (- is standard input), or the documents of a list with --batch. --gold measures\n" +
			"the methods of main text on documents with their right text.",
		Example: "  angler text extract page.html --url http://www.example.edu.cn/zbgg/1.htm --fields tenders\n" +
			"  angler text extract --batch list.jsonl",
		RunE: func(c *cobra.Command, args []string) error {
			x, err := extract.New(method, time.Now(), readDocument)
			if err != nil {
				return misuse(err)
			}
			if err := second.Check(); err != nil {
				return misuse(err)
			}
			x.Blocks, x.Second, x.Spans = blocks, second, spans
			if topic != "" || workspace != "" {
				if x.Fields, err = seeds.ReadFieldSet(topic, workspace); err != nil {
					return misuse(err)
				}
			} else if spans || table {
				return misusef("--spans and --table go with --fields TOPIC")
			}
			if gold != "" {
				if batch != "" || len(args) > 0 || blocks {
					return misusef("--gold names its files itself: leave out FILE, --batch and --blocks")
				}
				return extractGold(c, x, gold)
			}
			switch {
			case batch != "" && len(args) == 0:
				list, err := openList(batch)
				if err != nil {
					return err
				}
				defer list.Close()
				if table {
					return misusef("--table is for one file; a batch writes JSON lines")
				}
				return x.Batch(c.Context(), list, c.OutOrStdout())
			case batch == "" && len(args) == 1:
				doc.File = args[0]
				out := x.Extract(doc)
				if out.Error != "" {
					return errors.New(out.Error)
				}
				if blocks && !wantsJSON(c) {
					return out.Blocks.Write(c.OutOrStdout())
				}
				if table {
					writeFieldValues(c.OutOrStdout(), x.Fields, &out, spans)
					return nil
				}
				return report.JSON(c.OutOrStdout(), out)
			}
			return misusef("name one file, - for standard input, --batch LIST.jsonl, or --gold GOLD.jsonl")
		},
	}
	c.Flags().StringVar(&doc.URL, "url", "", "original address of the file")
	c.Flags().StringVar(&batch, "batch", "", `list of documents, {"file":…,"url":…} a line; - for standard input`)
	c.Flags().StringVar(&method, "method", "", "main text: "+strings.Join(article.Methods(), ", "))
	c.Flags().BoolVar(&blocks, "blocks", false, "show the block tree with scores, the record groups and the reasons")
	c.Flags().StringVar(&topic, "fields", "",
		"read the fields of a topic: "+strings.Join(fields.Topics(), ", ")+
			"; a .txt file is a notice with its title in the first line")
	c.Flags().StringVar(&workspace, "workspace", "",
		"workspace whose settings add fields, and name the topic if --fields does not")
	c.Flags().BoolVar(&spans, "spans", false,
		"with --fields: place, printed form and confidence of each value, and doubtful values")
	c.Flags().BoolVar(&table, "table", false, "with --fields: a table for people instead of JSON")
	c.Flags().StringVar(&gold, "gold", "",
		`measure every main text method, or the one of --method, with and without the second pass, on documents with their right text: {"file":…,"url":…,"text":…} a line`)
	c.Flags().IntVar(&second.Marks, "punctuation", second.Marks,
		"α of the second pass: a first result with at most this many punctuation marks is extracted again")
	c.Flags().IntVar(&second.LinkChars, "link-chars", second.LinkChars,
		"β of the second pass: a first result with at least this many link characters is extracted again")
	return jsonFlag(c)
}

// extractGold prints the figures of every method on a gold file.
func extractGold(c *cobra.Command, x *extract.Extractor, path string) error {
	f, err := openList(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := x.Compare(c.Context(), f, filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return printed(c, []*extract.Comparison{r}, nil, func(w io.Writer) { writeMainTexts(w, r, x.Second) })
}

// writeMainTexts draws P2's table 2.
func writeMainTexts(w io.Writer, r *extract.Comparison, s article.SecondPass) {
	fmt.Fprintf(w, "main text of %d pages, means over them of precision, recall and F1 of %s\n", r.WithText, r.Unit)
	fmt.Fprintf(w,
		"second pass where a result has at most α = %d punctuation marks or at least β = %d link characters\n\n",
		s.Marks, s.LinkChars)
	t := report.Columns(w, "method\tP\tR\tF1\tsecond pass: P\tR\tF1\tchanged", 0)
	for _, m := range r.Methods {
		fmt.Fprintf(t, "%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%d\n", m.Method, m.First.P, m.First.R, m.First.F1,
			m.Second.P, m.Second.R, m.Second.F1, m.Changed)
	}
	t.Flush()
	if r.LeftOut > 0 {
		fmt.Fprintf(w, "\n%d lines without a text are left out.\n", r.LeftOut)
	}
	for i, f := range r.Failed {
		if i == 0 {
			fmt.Fprintf(w, "\n%d documents could not be read and count 0:\n", len(r.Failed))
		}
		fmt.Fprintln(w, " ", f)
	}
}
