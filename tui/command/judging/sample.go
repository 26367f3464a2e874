package judging

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/crawl/view"
	"angler/tui/command/cli"
)

func sampleCommand() *cobra.Command {
	var f cli.Flags
	var fileURL string
	marks := func(use, short, what string, mark func(*decisions.Topic, context.Context, string, string) (view.SampleRow, error)) *cobra.Command {
		return &cobra.Command{
			Use: use, Short: short, Args: cli.Exactly(cobra.MinimumNArgs(2)),
			RunE: func(c *cobra.Command, args []string) error {
				return f.With(c.Context(), args[0], func(e *crawl.Engine) error {
					for _, s := range args[1:] {
						row, err := mark(e.Topic, c.Context(), s, fileURL)
						if err != nil {
							return err
						}
						fmt.Fprintf(c.OutOrStdout(), "%s %s · %s\n", what, row.URL, row.Title)
					}
					return nil
				})
			},
		}
	}
	add := marks("add DIR URL|FILE…", "Add sample pages", "sample", (*decisions.Topic).AddSample)
	negative := marks("negative DIR URL|FILE…", "Add negative samples: pages that look like the samples and are not wanted", "negative sample", (*decisions.Topic).AddNegative)
	negative.Aliases = []string{"anti"} // its name in older versions
	add.Flags().StringVar(&fileURL, "url", "", "address that a file came from")
	f.Fetching(add)
	remove := &cobra.Command{
		Use: "rm DIR URL…", Short: "Take samples and negative samples out", Args: cli.Exactly(cobra.MinimumNArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			return new(cli.Flags).With(c.Context(), args[0], func(e *crawl.Engine) error {
				for _, s := range args[1:] {
					if err := e.Topic.RemoveSample(s); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	list := &cobra.Command{
		Use: "list DIR", Short: "List the samples and negative samples", Args: cli.Exactly(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return new(cli.Flags).Reading(c.Context(), args[0], func(e *crawl.Engine) error {
				if err := e.Words(c.Context()); err != nil {
					return err
				}
				if advice := e.Topic.Advice(); advice != "" {
					fmt.Fprintln(c.ErrOrStderr(), "angler:", advice)
				}
				return cli.JSONLines(c.OutOrStdout(), e.Topic.Samples())
			})
		},
	}
	group := &cobra.Command{
		Use: "sample DIR add|negative|rm|list …", Short: "Add, remove or list sample pages and negative samples",
		Args: cli.Exactly(cobra.MinimumNArgs(2)),
		// The folder comes before the verb, as in every other command.
		RunE: func(c *cobra.Command, args []string) error {
			for _, sub := range []*cobra.Command{add, negative, remove, list} {
				if sub.Name() == args[1] || sub.HasAlias(args[1]) {
					rest := append([]string{args[0]}, args[2:]...)
					if err := sub.Args(sub, rest); err != nil {
						return err
					}
					sub.SetContext(c.Context())
					sub.SetOut(c.OutOrStdout())
					return sub.RunE(sub, rest)
				}
			}
			return cli.Misuse(fmt.Errorf("%q is none of add, negative, rm, list", args[1]))
		},
	}
	group.Flags().AddFlagSet(add.Flags())
	return group
}
