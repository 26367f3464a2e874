package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"angler/crawl/seeds"
	"angler/store"
	"angler/store/config"
	"angler/tui"
)

func (p *program) newCommand() *cobra.Command {
	set := config.Default()
	var seedFile, notices, words string
	var f engineFlags
	var l look
	c := &cobra.Command{
		Use: "new DIR", Short: "Create a workspace; a terminal asks for missing seeds",
		Example: "  angler new tenders --seed http://www.example.edu.cn/\n" +
			"  angler new tenders --seeds seeds.txt --notices tenders",
		RunE: func(c *cobra.Command, args []string) error {
			begin := seeds.NewSetup()
			if seedFile != "" {
				b, err := readDocument(seedFile)
				if err != nil {
					return misusef("cannot read the seed file: %w", err)
				}
				if err := checkText(seedFile, b); err != nil {
					return misusef("%w: a seeds file holds one URL per line, # starts a comment", err)
				}
				more, err := begin.SeedFile(seedFile, string(b))
				if err != nil {
					return misuse(err)
				}
				set.Seeds = append(set.Seeds, more...)
			}
			list, err := questions(words)
			if err != nil {
				return misuse(err)
			}
			set.Suggest.Words = list
			if len(set.Seeds) == 0 && len(list) == 0 && terminal() == nil {
				if !c.Flags().Changed("topic") {
					set.Name = ""
				}
				made, err := tui.Setup(c.Context(), begin,
					seeds.WorkspacePlan{Dir: args[0], Topic: set.Name, Notices: notices}, true, p.options(&l, ""))
				if err != nil || made.Dir == "" {
					return err
				}
				return p.session(c.Context(), &f, &l, place{dir: made.Dir})
			}
			if notices == "" {
				notices = seeds.KindOf(set.Name)
			}
			set.Harvest.Patterns = seeds.NoticePatterns(notices)
			set.Harvest.Fields = seeds.FieldsOf(notices)
			if err := begin.CheckStart(&set); err != nil {
				return misuse(err)
			}
			if err := store.Create(args[0], set); err != nil {
				return err
			}
			from, next := count(len(set.Seeds), "seed"), "angler "+args[0]
			if len(set.Seeds) == 0 {
				from, next = count(len(list), "search word"),
					fmt.Sprintf("angler seeds suggest %s --searxng URL", args[0])
			}
			fmt.Fprintf(c.OutOrStdout(), "Created %s (%s, notices: %s). Next: %s\n", args[0], from, notices, next)
			return nil
		},
	}
	l.flags(c)
	c.Flags().StringArrayVar(&set.Seeds, "seed", nil, "address where a discovery starts (repeat it)")
	c.Flags().StringVar(&seedFile, "seeds", "", "file with one seed a line")
	c.Flags().StringVar(&words, "words", "", "search for seeds with these words: a file with one query "+
		"a line, or \"WORD WORD\"")
	c.Flags().StringVar(&set.Name, "topic", set.Name, "name of the topic")
	c.Flags().StringVar(&notices, "notices", "",
		"titles that are notices: tenders, jobs, prices, your own words (水利,桥梁), or all; without it by the "+
			"name of the topic")
	c.Flags().StringVar(&set.Scope.Kind, "scope", set.Scope.Kind, "site, host, prefix or pattern")
	c.Flags().StringArrayVar(&set.Scope.Include, "include", nil, "regular expression of addresses in scope")
	c.Flags().StringArrayVar(&set.Scope.Exclude, "exclude", nil, "regular expression of addresses out of scope")
	return c
}
