package command

import (
	"cmp"
	"errors"
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

func listsCommand() *cobra.Command {
	var asJSON, health bool
	var mute, unmute string
	c := &cobra.Command{
		Use: "lists DIR", Short: "Tell which aggregation pages broke, with the reason",
		Long: "lists tells which aggregation pages stopped to tell: those that fail, ask for a login, lead\n" +
			"elsewhere, show no entries any more, have not gone on for longer than they ever paused, or of\n" +
			"which pages behind the first were not visited; and which show more than could be followed: a\n" +
			"pager or a form without addresses, entries that a script fetches, a frame. A list that is muted is told of again when it\n" +
			"breaks in another way; muting is undone like any decision.",
		Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if mute != "" && unmute != "" {
				return misuse(errors.New("one of --mute and --unmute at a time"))
			}
			if address := mute + unmute; address != "" {
				return new(engineFlags).With(c.Context(), args[0], func(e *crawl.Engine) error { return hush(c, e, address, mute != "") })
			}
			return new(engineFlags).Reading(c.Context(), args[0], func(e *crawl.Engine) error {
				all, err := alarms(c, e)
				if err != nil {
					return err
				}
				if asJSON {
					return jsonLines(c.OutOrStdout(), all)
				}
				return writeAlarms(c.OutOrStdout(), all)
			})
		},
	}
	c.Flags().BoolVar(&health, "health", true, "what is wrong with the lists, which is shown without it as well")
	c.Flags().StringVar(&mute, "mute", "", "do not tell any more what is wrong with the list of this address")
	c.Flags().StringVar(&unmute, "unmute", "", "tell it again")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON lines")
	return c
}

func alarms(c *cobra.Command, e *crawl.Engine) ([]view.ListAlarm, error) {
	if err := e.Words(c.Context()); err != nil {
		return nil, err
	}
	return e.Lists.Alarms(c.Context())
}

func hush(c *cobra.Command, e *crawl.Engine, address string, on bool) error {
	all, err := alarms(c, e)
	if err != nil {
		return err
	}
	for i := range all {
		if all[i].URL == address {
			return e.Lists.MuteList(all[i], on)
		}
	}
	return misuse(fmt.Errorf("nothing is wrong with a list of the address %s; angler lists DIR shows the addresses", address))
}

func writeAlarms(w io.Writer, all []view.ListAlarm) error {
	table := listing[view.ListAlarm]{
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
	}
	return cmp.Or(table.Print(w, all, false), writeHelp(w, all))
}

// writeHelp tells what would help lists that show more than could be followed, each
// once.
func writeHelp(w io.Writer, all []view.ListAlarm) error {
	kinds := map[string][]string{} // by what would help
	for i := range all {
		for _, x := range all[i].Unfollowed {
			if x.Help != "" && !slices.Contains(kinds[x.Help], x.Kind) {
				kinds[x.Help] = append(kinds[x.Help], x.Kind)
			}
		}
	}
	for _, help := range slices.Sorted(maps.Keys(kinds)) {
		slices.Sort(kinds[help])
		if _, err := fmt.Fprintf(w, "\nwhat would help (%s): %s\n", strings.Join(kinds[help], ", "), listpage.PlainHelp(help)); err != nil {
			return err
		}
	}
	return nil
}
