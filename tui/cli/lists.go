package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/listpage"
	"angler/crawl/view"
)

func listsNoun() *cobra.Command {
	return noun("lists", "Report broken lists; recipes and logins for difficult ones",
		listShowCommand(), muteCommand("mute", "Stop reporting what is wrong with a list", true),
		muteCommand("unmute", "Report again what is wrong with a list", false), recipeNoun(), loginCommand())
}

func listShowCommand() *cobra.Command {
	return jsonFlag(&cobra.Command{
		Use: "show DIR", Short: "List the aggregation pages that broke, with the reason",
		Long: "show lists the aggregation pages that fail, ask for a login, redirect elsewhere, have lost their\n" +
			"entries, or have been silent for longer than ever. It also lists those with unvisited further\n" +
			"pages, and those with missing entries: a pager or a form without addresses, entries that a script\n" +
			"fetches, a frame.",
		Example: "  angler lists show DIR",
		RunE: runs(new(engineFlags).readingWords, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			all, err := e.Lists.Alarms(c.Context())
			return printed(c, all, err, func(w io.Writer) { writeAlarms(w, all) })
		}),
	})
}

// muteCommand mutes or unmutes a list.
func muteCommand(verb, short string, on bool) *cobra.Command {
	return &cobra.Command{
		Use: verb + " DIR URL", Short: short,
		Long: "A muted list is reported again when it breaks in another way. history undo DIR takes muting\n" +
			"back as well.",
		Example: "  angler lists " + verb + " DIR http://zbb.example.edu.cn/zbgg.htm",
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkURL(args[1]); err != nil {
				return err
			}
			return new(engineFlags).withWords(c, args[0], func(e *crawl.Engine) error {
				all, err := e.Lists.Alarms(c.Context())
				if err != nil {
					return err
				}
				for i := range all {
					if all[i].URL == args[1] {
						return e.Lists.MuteList(all[i], on)
					}
				}
				return misusef("%s is no broken list; see: angler lists show %s", args[1], args[0])
			})
		},
	}
}

func writeAlarms(w io.Writer, all []view.ListAlarm) {
	listing[view.ListAlarm]{
		None:  "no list is broken",
		Heads: "kind\tnotices\tvisited\twhat is wrong\tlist",
		Left:  []int{0, 2, 3, 4},
		Cells: func(a *view.ListAlarm) string {
			kind := a.Kind
			if a.Muted {
				kind += " (muted)"
			}
			return fmt.Sprintf("%s\t%d\t%s\t%s\t%s", kind, a.Notices, moment(a.Seen), a.Says(), a.URL)
		},
	}.table(w, all)
	writeHelp(w, all)
}

// writeHelp prints each remedy for lists with missing entries once.
func writeHelp(w io.Writer, all []view.ListAlarm) {
	kinds := map[string][]string{} // by remedy
	for i := range all {
		for _, x := range all[i].Unfollowed {
			if x.Help != "" && !slices.Contains(kinds[x.Help], x.Kind) {
				kinds[x.Help] = append(kinds[x.Help], x.Kind)
			}
		}
	}
	for _, help := range slices.Sorted(maps.Keys(kinds)) {
		slices.Sort(kinds[help])
		fmt.Fprintf(w, "\nremedy (%s): %s\n", strings.Join(kinds[help], ", "), listpage.PlainHelp(help))
	}
}
