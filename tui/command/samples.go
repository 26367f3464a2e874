package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"angler/crawl"
)

func sampleCommand() *cobra.Command {
	var f engineFlags
	var fileURL string
	c := &cobra.Command{
		Use: "sample DIR add|negative|rm|list …", Short: "Add, remove or list sample pages and negative samples",
		Long: "sample keeps the pages that say what is looked for. Negative samples look like the samples and are not\n" +
			"wanted:\n\n" +
			"  angler sample DIR add URL|FILE…\n" +
			"  angler sample DIR negative URL|FILE…\n" +
			"  angler sample DIR rm URL…\n" +
			"  angler sample DIR list",
		Args: arguments(2, -1),
		RunE: func(c *cobra.Command, args []string) error {
			dir, verb, rest := args[0], args[1], args[2:]
			takes, what := "URL|FILE…", ""
			switch verb {
			case "add":
				what = "sample"
			case "negative", "anti": // its name in older versions
				what = "negative sample"
			case "rm":
				takes = "URL…"
			case "list":
				if len(rest) > 0 {
					return misuse(fmt.Errorf("list takes no addresses; usage: angler sample %s list", dir))
				}
				return listSamples(c, dir)
			default:
				return misuse(fmt.Errorf("%q is none of add, negative, rm, list", verb))
			}
			if len(rest) == 0 {
				return missing(takes, fmt.Sprintf("angler sample %s %s %s", dir, verb, takes))
			}
			return f.With(c.Context(), dir, func(e *crawl.Engine) error {
				mark := e.Topic.AddSample
				if verb != "add" {
					mark = e.Topic.AddNegative
				}
				for _, s := range rest {
					if verb == "rm" {
						if err := e.Topic.RemoveSample(s); err != nil {
							return err
						}
						continue
					}
					row, err := mark(c.Context(), s, fileURL)
					if err != nil {
						return err
					}
					fmt.Fprintf(c.OutOrStdout(), "%s %s · %s\n", what, row.URL, row.Title)
				}
				return nil
			})
		},
	}
	c.Flags().StringVar(&fileURL, "url", "", "address that a file came from")
	f.Fetching(c)
	return c
}

func listSamples(c *cobra.Command, dir string) error {
	return new(engineFlags).Reading(c.Context(), dir, func(e *crawl.Engine) error {
		if err := e.Words(c.Context()); err != nil {
			return err
		}
		if advice := e.Topic.Advice(); advice != "" {
			fmt.Fprintln(c.ErrOrStderr(), "angler:", advice)
		}
		return jsonLines(c.OutOrStdout(), e.Topic.Samples())
	})
}
