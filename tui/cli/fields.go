package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/extract"
	"angler/crawl/fields"
	"angler/crawl/seeds"
)

// fieldsCommand measures how fields are read, and lists them.
func fieldsCommand() *cobra.Command {
	var topic, gold string
	var misses bool
	c := &cobra.Command{
		Use: "fields [DIR]", Short: "List the fields of notices, or measure their extraction",
		Example: "  angler text fields --topic jobs\n  angler text fields DIR --gold gold.jsonl --misses",
		Long: "fields lists the fields of notices: those of a topic, or of the workspace in DIR.\n" +
			"\n" +
			"--gold FILE measures their extraction: precision and recall by field. A line whose url is a\n" +
			"notice of the workspace is compared with the stored values, including corrections. Other lines\n" +
			"need a text or a file.",
		RunE: func(c *cobra.Command, args []string) error {
			set, err := seeds.ReadFieldSet(topic, strings.Join(args, ""))
			if err != nil {
				return misuse(err)
			}
			if gold == "" {
				writeFieldList(c.OutOrStdout(), set)
				return nil
			}
			x, err := extract.New("", time.Now(), readDocument)
			if err != nil {
				return err
			}
			x.Fields = set
			f, err := openList(gold)
			if err != nil {
				return err
			}
			defer f.Close()
			var r *extract.FieldReport
			measure := func(stored func(string) (*fields.PlainNotice, error)) (err error) {
				if r, err = x.MeasureFields(f, filepath.Dir(gold), stored); err != nil {
					return fmt.Errorf("%s: %w", gold, err)
				}
				return nil
			}
			if len(args) == 0 {
				err = measure(nil)
			} else {
				err = new(engineFlags).reading(c, args[0], func(e *crawl.Engine) error {
					return measure(func(url string) (*fields.PlainNotice, error) { return e.Facts.At(url) })
				})
			}
			return printed(c, []*extract.FieldReport{r}, err,
				func(w io.Writer) { writeFieldScores(w, r, misses) })
		},
	}
	c.Flags().StringVar(&topic, "topic", "",
		"whose fields: "+strings.Join(fields.Topics(), ", ")+
			"; without it those of the workspace's notices, else of tenders")
	c.Flags().StringVar(&gold, "gold", "",
		`measure on notices with their right values: {"url":… or "title":…,"text":… or "file":…,"fields":{"number":…}} a line`)
	c.Flags().BoolVar(&misses, "misses", false, "with --gold: list the wrong answers")
	return jsonFlag(c)
}
