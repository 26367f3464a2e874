package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"angler/crawl/attachments"
	"angler/crawl/browser"
	"angler/crawl/hostauth"
	"angler/crawl/recipe"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/tui/widget"
)

// finding is the result of one check of the doctor.
type finding struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Says string `json:"says"`
}

// doctorCommand reports problems of this machine and of a workspace.
func doctorCommand() *cobra.Command {
	return jsonFlag(&cobra.Command{
		Use: "doctor [DIR]", Short: "Report problems of this machine and of a workspace",
		Example: "  angler doctor DIR",
		Long: "doctor checks the terminal (size, colours, width of Chinese and ambiguous signs), the locale, ssh,\n" +
			"the disk, the clock, and optional programs: Chromium for lists that need scripts (render.pages),\n" +
			"and converters of old documents. For a workspace it checks the names of the first seeds, the proxy\n" +
			"and the database. It lists the rendered pages, the seed hosts that refuse every request, and the\n" +
			"lists with missing entries. It changes nothing. The exit status is 1 if a check failed.",
		RunE: func(c *cobra.Command, args []string) error {
			set := config.Default()
			var list []finding
			if len(args) == 1 {
				var err error
				if set, err = config.Read(args[0]); err != nil {
					return err
				}
				list = append(list, finding{"settings", true, filepath.Join(args[0], config.Name) + " can be read"})
			}
			m := &machine{getenv: os.Getenv, in: os.Stdin, out: os.Stdout, dir: beginning(args), now: time.Now(),
				lookup: net.DefaultResolver.LookupHost}
			list = append(list, m.findings(c.Context(), &set)...)
			list = append(list, browserFinding(c.Context(), &set), converterFinding())
			if len(args) == 1 {
				more, err := workspaceFindings(c.Context(), args[0], &set)
				if err != nil {
					return err
				}
				list = append(list, more...)
			}
			err := printed(c, list, nil, func(w io.Writer) { writeFindings(w, list) })
			failed := 0
			for _, f := range list {
				if !f.OK {
					failed++
				}
			}
			if err == nil && failed > 0 {
				err = fmt.Errorf("%s failed; see above", count(failed, "check"))
			}
			return err
		},
	})
}

func writeFindings(w io.Writer, list []finding) {
	for _, f := range list {
		fmt.Fprintf(w, "%s  %-10s  %s\n", widget.Either(f.OK, "ok  ", "look"), f.Name, f.Says)
	}
}

func browserFinding(ctx context.Context, set *config.Settings) finding {
	says, ok := browser.CheckInstalled(ctx, set)
	return finding{"browser", ok, says}
}

// converterFinding lists the converters of old documents. A crawl needs none.
func converterFinding() finding {
	names := widget.Map(attachments.Installed(), func(c attachments.Converter) string { return c.Name })
	if len(names) == 0 {
		return finding{"converters", true,
			"none is installed: of DOC, XLS, PPT and RTF files only the names are known; install antiword, catdoc " +
				"or LibreOffice"}
	}
	return finding{"converters", true, strings.Join(names, ", ")}
}

// maxNamed bounds the named lists.
const maxNamed = 20

// workspaceFindings checks a workspace, even while it is served.
func workspaceFindings(ctx context.Context, dir string, set *config.Settings) (list []finding, err error) {
	err = readBeside(ctx, dir, func(ws *store.Workspace) error {
		n := ws.Counts()
		list = append(list, finding{"database", true, fmt.Sprintf("%d pages, %d notices", n.Pages, n.Notices)})
		blocked := hostauth.BlockedSeeds(ws, set.Seeds)
		list = append(list, firstOf("host", widget.Map(blocked, func(h view.BlockedHost) string { return h.Says() }))...)
		rows, err := unread(ws)
		if len(rows) == 0 && err == nil {
			list = append(list, finding{"lists", true, "none shows more than could be followed"})
		}
		list = append(list, firstOf("list", rows)...)
		return err
	})
	return list, err
}

// firstOf makes findings of at most maxNamed problems, and one with the number of the others.
func firstOf(name string, problems []string) (list []finding) {
	for _, says := range problems[:min(len(problems), maxNamed)] {
		list = append(list, finding{name, false, says})
	}
	if more := len(problems) - maxNamed; more > 0 {
		list = append(list, finding{name + "s", false, fmt.Sprintf("and %d more", more)})
	}
	return list
}

// unread names the lists with missing entries. It skips lists that a recipe reads, and frames whose
// pages have entries.
func unread(ws *store.Workspace) (says []string, err error) {
	missing, err := run.AllMissing(ws)
	if err != nil {
		return nil, err
	}
	read := recipe.NewRecipes(recipe.RecipesConfig{Store: ws})
	for _, id := range slices.Sorted(maps.Keys(missing)) {
		u, err := ws.URL(id)
		if err != nil || u == nil || read.Reads(u.URL) {
			continue
		}
		var kinds []string
		for _, x := range run.MissingBeyondLists(ws, missing[id], func(frame uint64) bool {
			p, err := ws.Page(frame)
			return err == nil && p != nil && p.Records > 0
		}) {
			kinds = append(kinds, x.Kind)
		}
		if len(kinds) > 0 {
			slices.Sort(kinds)
			says = append(says, u.URL+": "+strings.Join(slices.Compact(kinds),
				", ")+"; for help see: angler topic explain DIR URL")
		}
	}
	return says, nil
}
