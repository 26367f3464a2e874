package command

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"angler/crawl/extract"
	"angler/crawl/page"
	"angler/tui/report"
)

func (p *Program) extractCommand() *cobra.Command {
	var doc extract.Document
	var batch, gold, method string
	second := page.DefaultSecondPass
	var blocks, asJSON bool
	c := &cobra.Command{
		Use: "extract FILE|- [--url U] | --batch LIST.jsonl | --gold GOLD.jsonl", Short: "Extract title, date, text and records of pages",
		Args: exactly(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			x, err := extract.New(method, time.Now(), p.readDocument)
			if err != nil {
				return misuse(err)
			}
			if err := second.Check(); err != nil {
				return misuse(err)
			}
			x.Blocks, x.Second = blocks, second
			if gold != "" {
				if batch != "" || len(args) > 0 || blocks {
					return misuse(errors.New("--gold names its files itself: leave out FILE, --batch and --blocks"))
				}
				return p.extractGold(c, x, gold, asJSON)
			}
			switch {
			case batch != "" && len(args) == 0:
				list, err := p.openInput(batch)
				if err != nil {
					return err
				}
				defer list.Close()
				return x.Batch(c.Context(), list, c.OutOrStdout())
			case batch == "" && len(args) == 1:
				doc.File = args[0]
				out := x.Extract(doc)
				if out.Error != "" {
					return fmt.Errorf("%s: %s", doc.File, out.Error)
				}
				if blocks && !asJSON {
					return out.Blocks.Write(c.OutOrStdout())
				}
				return jsonLines(c.OutOrStdout(), []extract.Extracted{out})
			}
			return misuse(errors.New("name one file, - for standard input, --batch LIST.jsonl, or --gold GOLD.jsonl"))
		},
	}
	c.Flags().StringVar(&doc.URL, "url", "", "address the file came from")
	c.Flags().StringVar(&batch, "batch", "", `list of documents, {"file":…,"url":…} a line; - for standard input`)
	c.Flags().StringVar(&method, "method", "", "main text: "+strings.Join(page.Methods(), ", "))
	c.Flags().BoolVar(&blocks, "blocks", false, "show the block tree with scores, the record groups and the reasons")
	c.Flags().StringVar(&gold, "gold", "", `measure every main text method, or the one of --method, with and without the second pass, on documents with their right text: {"file":…,"url":…,"text":…} a line`)
	c.Flags().IntVar(&second.Marks, "punctuation", second.Marks, "α of the second pass: punctuation marks that a first result must exceed")
	c.Flags().IntVar(&second.LinkChars, "link-chars", second.LinkChars, "β of the second pass: link characters that it must stay below")
	c.Flags().BoolVar(&asJSON, "json", false, "with --blocks or --gold: JSON instead of a drawing")
	return c
}

// extractGold prints what every method reaches on a gold file.
func (p *Program) extractGold(c *cobra.Command, x *extract.Extractor, path string, asJSON bool) error {
	f, err := p.openInput(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := x.Compare(c.Context(), f, filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if asJSON {
		return jsonLines(c.OutOrStdout(), []*extract.Comparison{r})
	}
	return writeComparison(c.OutOrStdout(), r, x.Second)
}

// writeComparison draws P2's table 2.
func writeComparison(w io.Writer, r *extract.Comparison, s page.SecondPass) error {
	fmt.Fprintf(w, "main text of %d pages, means over them of precision, recall and F1 of %s\n", r.WithText, r.Unit)
	fmt.Fprintf(w, "second pass where a result has at most α = %d punctuation marks or at least β = %d link characters\n\n", s.Marks, s.LinkChars)
	t := report.Columns(w, 0)
	fmt.Fprintln(t, "method\tP\tR\tF1\tsecond pass: P\tR\tF1\tchanged")
	for _, m := range r.Methods {
		fmt.Fprintf(t, "%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%d\n", m.Method, m.First.P, m.First.R, m.First.F1, m.Second.P, m.Second.R, m.Second.F1, m.Changed)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if r.LeftOut > 0 {
		fmt.Fprintf(w, "\n%d lines without a text are left out.\n", r.LeftOut)
	}
	for i, f := range r.Failed {
		if i == 0 {
			fmt.Fprintf(w, "\n%d documents could not be read and count 0:\n", len(r.Failed))
		}
		fmt.Fprintln(w, " ", f)
	}
	return nil
}

// openInput opens a file, or standard input for "-".
func (p *Program) openInput(path string) (io.ReadCloser, error) {
	f, err := p.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the list: %w", err)
	}
	return f, nil
}

// maxDocument bounds a document read from a file.
const maxDocument = 64 << 20

func (p *Program) readDocument(path string) ([]byte, error) {
	f, err := p.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxDocument+1))
	if err == nil && len(b) > maxDocument {
		err = fmt.Errorf("longer than %d MB", maxDocument>>20)
	}
	return b, err
}
