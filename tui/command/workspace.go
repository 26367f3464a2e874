package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/crawl/setup"
	"angler/crawl/view"
	"angler/store"
	"angler/tui"
)

func (p *Program) newCommand() *cobra.Command {
	set := store.DefaultSettings()
	var seedFile, notices string
	var f flags
	var l look
	c := &cobra.Command{
		Use:   "new DIR --seed URL…",
		Short: "Make a workspace; without seeds a terminal asks for them",
		Args:  exactly(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if seedFile != "" {
				more, err := p.readSeeds(seedFile)
				if err != nil {
					return misuse(err)
				}
				set.Seeds = append(set.Seeds, more...)
			}
			if len(set.Seeds) == 0 && terminal() == nil {
				if !c.Flags().Changed("topic") {
					set.Name = ""
				}
				made, err := tui.Setup(c.Context(), setup.NewSetup(), setup.Plan{Dir: args[0], Topic: set.Name, Notices: notices}, true, p.options(&l, ""))
				if err != nil || made.Dir == "" {
					return err
				}
				return p.session(c.Context(), &f, &l, place{dir: made.Dir})
			}
			if notices == "" {
				notices = setup.KindOf(set.Name)
			}
			set.Harvest.Patterns = setup.NoticePatterns(notices)
			if err := setup.CheckSeeds(&set); err != nil {
				return misuse(err)
			}
			if err := store.Create(args[0], set); err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "made %s with %d seeds for notices: %s; next: angler %s, or angler sample %s add URL…\n", args[0], len(set.Seeds), notices, args[0], args[0])
			return nil
		},
	}
	l.flags(c)
	c.Flags().StringArrayVar(&set.Seeds, "seed", nil, "address where a discovery starts (repeat it)")
	c.Flags().StringVar(&seedFile, "seeds", "", "file with one seed a line")
	c.Flags().StringVar(&set.Name, "topic", set.Name, "what the workspace looks for")
	c.Flags().StringVar(&notices, "notices", "", "what a title on a mixed list must tell: tenders, jobs, prices, words of your own (水利,桥梁), or all; by the topic's name if it is left out")
	c.Flags().StringVar(&set.Scope.Kind, "scope", set.Scope.Kind, "site, host, prefix or pattern")
	c.Flags().StringArrayVar(&set.Scope.Include, "include", nil, "regular expression of addresses in scope")
	c.Flags().StringArrayVar(&set.Scope.Exclude, "exclude", nil, "regular expression of addresses out of scope")
	return c
}

func (p *Program) readSeeds(path string) ([]string, error) {
	b, err := p.readDocument(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the seed file: %w", err)
	}
	var seeds []string
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			seeds = append(seeds, line)
		}
	}
	return seeds, nil
}

func sampleCommand() *cobra.Command {
	var f flags
	var fileURL string
	marks := func(use, short, what string, mark func(*decisions.Topic, context.Context, string, string) (view.SampleRow, error)) *cobra.Command {
		return &cobra.Command{
			Use: use, Short: short, Args: exactly(cobra.MinimumNArgs(2)),
			RunE: func(c *cobra.Command, args []string) error {
				return f.with(c.Context(), args[0], func(e *crawl.Engine) error {
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
	f.fetching(add)
	remove := &cobra.Command{
		Use: "rm DIR URL…", Short: "Take samples and negative samples out", Args: exactly(cobra.MinimumNArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			return new(flags).with(c.Context(), args[0], func(e *crawl.Engine) error {
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
		Use: "list DIR", Short: "List the samples and negative samples", Args: exactly(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return new(flags).reading(c.Context(), args[0], func(e *crawl.Engine) error {
				if err := e.Words(c.Context()); err != nil {
					return err
				}
				if advice := e.Topic.Advice(); advice != "" {
					fmt.Fprintln(c.ErrOrStderr(), "angler:", advice)
				}
				return jsonLines(c.OutOrStdout(), e.Topic.Samples())
			})
		},
	}
	group := &cobra.Command{
		Use: "sample DIR add|negative|rm|list …", Short: "Add, remove or list sample pages and negative samples",
		Args: exactly(cobra.MinimumNArgs(2)),
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
			return misuse(fmt.Errorf("%q is none of add, negative, rm, list", args[1]))
		},
	}
	group.Flags().AddFlagSet(add.Flags())
	return group
}
