package command

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"angler/crawl/extract"
	"angler/crawl/page"
)

func (p *Program) extractCommand() *cobra.Command {
	var doc extract.Document
	var batch, method string
	var blocks, asJSON bool
	c := &cobra.Command{
		Use: "extract FILE|- [--url U] | --batch LIST.jsonl", Short: "Extract title, date, text and records of pages",
		Args: exactly(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			x, err := extract.New(method, time.Now(), p.readDocument)
			if err != nil {
				return misuse(err)
			}
			x.Blocks = blocks
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
			return misuse(errors.New("name one file, - for standard input, or --batch LIST.jsonl"))
		},
	}
	c.Flags().StringVar(&doc.URL, "url", "", "address the file came from")
	c.Flags().StringVar(&batch, "batch", "", `list of documents, {"file":…,"url":…} a line; - for standard input`)
	c.Flags().StringVar(&method, "method", "", "main text: "+strings.Join(page.Methods(), ", "))
	c.Flags().BoolVar(&blocks, "blocks", false, "show the block tree with scores, the record groups and the reasons")
	c.Flags().BoolVar(&asJSON, "json", false, "with --blocks: JSON instead of a drawing")
	return c
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
