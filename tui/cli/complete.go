package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"angler/crawl/linkorder"
	"angler/crawl/urls"
	"angler/store/config"
	"angler/store/export"
	"angler/tui/i18n"
	"angler/tui/widget"
)

// completions lets a shell complete the arguments in the usage of each command: folders for DIR,
// files for FILE, listed words, hosts and seeds of the workspace for HOST and URL, and the values
// of flags.
func completions(c *cobra.Command) {
	if places := placesOf(c.Use); len(places) > 0 && c.ValidArgsFunction == nil && !c.DisableFlagParsing {
		c.ValidArgsFunction = func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			return propose(places[min(len(args), len(places)-1)], args)
		}
	}
	for name, values := range map[string][]string{
		"theme": widget.ThemeNames, "lang": i18n.Names, "strategy": linkorder.Names(), "strategies": linkorder.Names(),
		"format": append(slices.Clone(export.Formats), "xlsx", "html", "atom", "graphml", "table"),
		"scope":  {"site", "host", "prefix", "pattern"}, "judge": {"rule", "learner"}, "log-format": {"text", "json"},
	} {
		if c.LocalNonPersistentFlags().Lookup(name) != nil {
			// the flag exists
			_ = c.RegisterFlagCompletionFunc(name,
				cobra.FixedCompletions(unique(values), cobra.ShellCompDirectiveNoFileComp))
		}
	}
	for _, name := range []string{"dir", "keep", "save", "workspace"} {
		if c.LocalNonPersistentFlags().Lookup(name) != nil {
			_ = c.MarkFlagDirname(name) // the flag exists
		}
	}
	for _, sub := range c.Commands() {
		completions(sub)
	}
}

func unique(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// placesOf returns the arguments that a usage names, each with its alternatives: for
// "export DIR pages|lists [FILTER]" they are {DIR}, {pages, lists} and {FILTER}.
func placesOf(usage string) (places [][]string) {
	for _, argument := range strings.Fields(usage)[1:] {
		if argument = strings.Trim(argument, "…[]"); argument != "" {
			places = append(places, strings.Split(argument, "|"))
		}
	}
	return places
}

// propose returns the possible values of an argument.
func propose(place, args []string) (words []string, how cobra.ShellCompDirective) {
	how = cobra.ShellCompDirectiveNoFileComp
	for _, kind := range place {
		switch {
		case strings.HasPrefix(kind, "FILE"), kind == "COPY":
			return nil, cobra.ShellCompDirectiveDefault
		case kind == "DIR":
			how = cobra.ShellCompDirectiveFilterDirs
		case kind == "HOST" || kind == "URL" || strings.HasPrefix(kind, "URL="):
			words = append(words, known(kind, args)...)
		case kind == strings.ToLower(kind):
			words = append(words, kind)
		}
	}
	if len(words) > 0 {
		how = cobra.ShellCompDirectiveNoFileComp
	}
	return words, how
}

// known returns the seeds of the workspace in the first argument, or their hosts and those with
// their own table.
func known(kind string, args []string) (out []string) {
	if len(args) == 0 {
		return nil
	}
	set, err := config.Read(args[0])
	if err != nil {
		return nil // not a workspace yet
	}
	for _, seed := range set.Seeds {
		if kind == "HOST" {
			seed = urls.HostOf(seed)
		}
		out = append(out, seed)
	}
	if kind == "HOST" {
		for host := range set.Host {
			out = append(out, host)
		}
	}
	return unique(out)
}
