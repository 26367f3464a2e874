package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/tui/report"
)

func samplesNoun() *cobra.Command {
	add := markCommand("add", "sample", "Add sample pages", (*decisions.Topic).AddSample)
	add.Example = "  angler samples add DIR http://zbb.example.edu.cn/zbgg.htm\n" +
		"  angler samples add DIR list.html --url http://zbb.example.edu.cn/zbgg.htm"
	negative := markCommand("negative", "negative sample", "Add pages that look like samples and are not wanted",
		(*decisions.Topic).AddNegative)
	negative.Example = "  angler samples negative DIR http://xw.example.edu.cn/xwlb.htm"
	var f engineFlags
	remove := &cobra.Command{
		Use: "remove DIR URL…", Short: "Remove samples and negative samples",
		Example: "  angler samples remove DIR http://zbb.example.edu.cn/zbgg.htm",
		RunE: runs(f.with, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			for _, s := range args[1:] {
				if err := e.Topic.RemoveSample(s); err != nil {
					return err
				}
			}
			return nil
		}),
	}
	list := &cobra.Command{
		Use: "list DIR", Short: "List samples and negative samples as JSON lines",
		Example: "  angler samples list DIR",
		RunE: runs(f.readingWords, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			if advice := e.Topic.Advice(); advice != "" {
				c.PrintErrln("angler:", advice)
			}
			return report.JSON(c.OutOrStdout(), e.Topic.Samples()...)
		}),
	}
	c := noun("samples", "Add, remove or list the sample pages", list, add, negative, remove)
	c.Aliases = []string{"sample"}
	return c
}

// markCommand adds pages as samples of one kind.
func markCommand(verb, kind, short string, mark func(*decisions.Topic, context.Context, string,
	string) (decisions.SampleRow, error)) *cobra.Command {
	var f engineFlags
	var from string
	c := &cobra.Command{
		Use: verb + " DIR URL|FILE…", Short: short,
		RunE: runs(f.with, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			for _, s := range args[1:] {
				row, err := mark(e.Topic, c.Context(), s, from)
				if err != nil {
					return err
				}
				fmt.Fprintf(c.OutOrStdout(), "%s %s · %s\n", kind, row.URL, row.Title)
			}
			return nil
		}),
	}
	c.Flags().StringVar(&from, "url", "", "original address of a file")
	f.fetching(c)
	return c
}
