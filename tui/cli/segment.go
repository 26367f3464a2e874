package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/dict"
	"angler/tui/report"
	"angler/tui/widget"
)

func segmentCommand() *cobra.Command {
	var f engineFlags
	var dir, engine string
	c := &cobra.Command{
		Use: "segment [TEXT…]", Short: "Cut text or standard input into words with their class",
		Example: "  angler text segment 招标公告",
		RunE: func(c *cobra.Command, args []string) error {
			text := strings.Join(args, " ")
			if text == "" {
				b, err := readDocument("-")
				if err != nil {
					return err
				}
				text = string(b)
			}
			if dir == "" {
				d := dict.Open(dict.Options{Engine: engine})
				if err := d.Wait(c.Context()); err != nil {
					return misuse(err)
				}
				return writeTokens(c.OutOrStdout(), d.Segment, text, wantsJSON(c))
			}
			return f.reading(c, dir, func(e *crawl.Engine) error {
				return writeTokens(c.OutOrStdout(), e.Topic.Segment, text, wantsJSON(c))
			})
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "cut with the words of this workspace")
	c.Flags().StringVar(&engine, "segmenter", dict.EngineFlat, dict.EngineFlat+" or "+dict.EngineGse)
	return jsonFlag(c)
}

// writeTokens prints a line of words for each line of text.
func writeTokens(w io.Writer, cut func(string) []dict.Token, text string, asJSON bool) error {
	for line := range strings.Lines(text) {
		tokens := cut(strings.TrimRight(line, "\r\n"))
		if asJSON {
			if err := report.JSON(w, tokens...); err != nil {
				return err
			}
			continue
		}
		words := widget.Map(tokens, func(t dict.Token) string { return t.Text + "/" + t.POS })
		fmt.Fprintln(w, strings.Join(words, " "))
	}
	return nil
}
