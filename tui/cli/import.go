package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/archive"
	"angler/crawl/seeds"
	"angler/store"
	"angler/store/config"
	"angler/tui/widget"
)

// warc writes the stored pages as a web archive.
func (x *exporting) warc(c *cobra.Command, dir string) error {
	for _, flag := range []string{"format", "bom", "newest", "filter", "lang"} {
		if c.Flags().Changed(flag) {
			return misusef("--%s does not apply to warc; leave it out", flag)
		}
	}
	switch {
	case x.path == "":
		return misusef("name the file with -o FILE.warc.gz")
	case x.path == "-" && term.IsTerminal(os.Stdout.Fd()):
		return misusef("an archive is no text: write it into a file with -o FILE.warc.gz")
	}
	return new(engineFlags).reading(c, dir, func(e *crawl.Engine) (err error) {
		var done archive.Exported
		if x.path == "-" {
			if err := e.Words(c.Context()); err != nil {
				return err
			}
			done, err = e.Archive.Export(c.Context(), c.OutOrStdout(), nil, filepath.Base(dir)+".warc.gz")
		} else {
			done, err = e.Archive.ExportFile(c.Context(), x.path, x.force)
		}
		if err == nil {
			c.PrintErrf("%d pages, %d without a body, in %d records, %.1f MB\n", done.Pages,
				done.Bodies, done.Records, float64(done.Bytes)/1e6)
		}
		return orForce(err)
	})
}

func importCommand() *cobra.Command {
	var f engineFlags
	var name string
	c := &cobra.Command{
		Use: "import DIR FILE…", Short: "Take in the pages of web archives (WARC)",
		Example: "  angler import DIR pages.warc.gz",
		Long: "import copies the pages of archives (WARC, compressed or not, by angler or another program) into\n" +
			"a workspace and judges them like pages of a crawl. If DIR is no workspace, import makes one; its\n" +
			"seeds are those of the archives, or the first page of each host. Pages out of scope, failures and\n" +
			"other content are skipped and counted. Notices are made from stored pages, without requests.\n" +
			"Without samples there are no notices: add some, then run angler harvest DIR --stored.",
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := config.Read(args[0]); errors.Is(err, config.ErrNone) {
				if err := workspaceFor(args[0], name, args[1:], c.ErrOrStderr()); err != nil {
					return err
				}
			}
			from := widget.Map(args[1:], func(path string) archive.Source {
				return archive.Source{Name: path,
					Open: func() (io.ReadCloser, error) { return openArchive(path) }}
			})
			return f.with(c, args[0], func(e *crawl.Engine) error {
				tell := newProgress(c)
				sum, err := e.Archive.ImportAll(c.Context(), from, func(name string, so archive.Imported) {
					tell.now("%s: %d records, %d pages", name, so.Records, so.Pages)
				})
				tell.end()
				if err != nil && sum.Records == 0 {
					return err
				}
				return errors.Join(printImported(c.OutOrStdout(), args[0], sum, wantsJSON(c)), err)
			})
		},
	}
	c.Flags().StringVar(&name, "topic", "", "name of the topic of a new workspace")
	return jsonFlag(c)
}

func openArchive(path string) (io.ReadCloser, error) {
	r, err := openFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the archive: %w", err)
	}
	return r, nil
}

// workspaceFor makes a workspace whose seeds are those of archives.
func workspaceFor(dir, name string, paths []string, told io.Writer) error {
	set := config.Default()
	set.Name = cmp.Or(name, set.Name)
	for _, path := range paths {
		if path == "-" {
			return misusef("a new workspace needs archives that can be read twice: give a file instead "+
				"of -, or make the workspace first: angler new %s --seed URL", dir)
		}
		r, err := openArchive(path)
		if err != nil {
			return err
		}
		seeds, err := archive.Seeds(r)
		r.Close() // it was only read
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		set.AddSeeds(seeds)
	}
	kind := seeds.KindOf(set.Name)
	set.Harvest.Patterns, set.Harvest.Fields = seeds.NoticePatterns(kind), seeds.FieldsOf(kind)
	if err := seeds.CheckSeeds(&set); err != nil {
		return err
	}
	if err := store.Create(dir, set); err != nil {
		return err
	}
	fmt.Fprintf(told, "Created %s (%s)\n", dir, count(len(set.Seeds), "seed"))
	return nil
}

// noticesOf describes the notices of an import, or why there are none.
func noticesOf(dir string, sum archive.Imported) string {
	switch {
	case sum.Unjudged:
		return "no notices, because there are no samples; add some list pages: angler samples add " + dir +
			" URL…, then: angler harvest " + dir + " --stored"
	case sum.Lists == 0:
		return "no notices: none of the pages is an aggregation page; see: angler topic score " + dir + " URL"
	}
	said := fmt.Sprintf(
		"%d addresses of new notices on %d aggregation pages, read from the stored pages without a request",
		sum.Notices, sum.Lists)
	if sum.Changed > 0 {
		said += fmt.Sprintf("; %d known notices say something else now, and what they said is kept", sum.Changed)
	}
	if sum.Absent > 0 {
		said += fmt.Sprintf(
			"; %d more are announced, and their pages are not in the archive: angler harvest %s asks for them",
			sum.Absent, dir)
	}
	return said
}

func printImported(w io.Writer, dir string, sum archive.Imported, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(sum)
	}
	fmt.Fprintf(w, "%d records: %d pages taken in, %d known already\n", sum.Records, sum.Pages, sum.Unchanged)
	fmt.Fprintln(w, noticesOf(dir, sum))
	why := slices.SortedFunc(maps.Keys(sum.Left),
		func(a, b string) int { return cmp.Or(cmp.Compare(sum.Left[b], sum.Left[a]), cmp.Compare(a, b)) })
	for _, name := range why {
		fmt.Fprintf(w, "%8d  left out: %s\n", sum.Left[name], name)
	}
	return nil
}
