package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"angler/crawl/search"
	"angler/store"
	"angler/store/maintenance"
	"angler/tui/widget"
)

func restoreCommand() *cobra.Command {
	x := new(restoring)
	c := &cobra.Command{
		Use: "restore DIR [FILE]", Short: "Restore a workspace from a backup",
		Long: "restore DIR FILE makes the workspace DIR from a file that backup has written.\n\n" +
			"restore DIR replaces the damaged database of a workspace by the newest of its daily backups,\n" +
			"which lie in DIR/backups; FILE may name one of those. The damaged file stays beside it as\n" +
			"crawl.db.damaged. Decisions and addresses newer than the backup are taken over where they can\n" +
			"be read. Other pages and notices of that time are fetched again.",
		Example: "  angler workspace restore DIR\n  angler workspace restore DIR tenders.tar",
		RunE: func(c *cobra.Command, args []string) error {
			x.Command = c
			dir := args[0]
			switch {
			case len(args) == 1:
				found := store.Backups(dir)
				if len(found) == 0 {
					return fmt.Errorf("%s has no daily backups; put another one back with: angler workspace "+
						"restore %s FILE --force", dir, dir)
				}
				return x.newest(found, dir)
			case within(args[1], filepath.Join(dir, store.BackupFolder)):
				return x.inPlace(args[1], dir)
			}
			if _, err := os.Stat(args[1]); err != nil {
				return fmt.Errorf("cannot read the backup: %w; angler workspace backups %s lists the daily ones", err,
					dir)
			}
			return x.workspace(args[1], dir)
		},
	}
	c.Flags().BoolVar(&x.force, "force", false,
		"move an existing folder to DIR.old-TIME; replace an undamaged database")
	return c
}

// backupsCommand lists backups, or the content of one.
func backupsCommand() *cobra.Command {
	x := new(restoring)
	return jsonFlag(&cobra.Command{
		Use: "backups DIR|FILE", Short: "List the daily backups, or verify one file",
		Long: "backups DIR lists the daily backups of a workspace. backups FILE verifies a backup and lists the\n" +
			"files in it.",
		Example: "  angler workspace backups DIR\n  angler workspace backups tenders.tar",
		RunE: func(c *cobra.Command, args []string) error {
			x.Command = c
			if st, err := os.Stat(args[0]); err == nil && st.IsDir() {
				x.daily(args[0])
				return nil
			}
			m, err := maintenance.VerifyBackup(c.Context(), args[0])
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return writeManifest(c.OutOrStdout(), m, wantsJSON(c))
		},
	})
}

// restoring is one call of the command.
type restoring struct {
	*cobra.Command
	force bool
}

// within reports whether a file is in a folder.
func within(file, folder string) bool {
	a, err1 := os.Stat(filepath.Dir(file))
	b, err2 := os.Stat(folder)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}

// workspace makes a workspace from a backup.
func (x *restoring) workspace(file, dir string) error {
	r, err := maintenance.Restore(x.Context(), file, dir, x.force, time.Now())
	if err != nil {
		return err
	}
	if r.Old != "" {
		x.PrintErrf("the replaced folder is kept as %s\n", r.Old)
	}
	if !r.Manifest.Secrets {
		x.PrintErrln(
			"the backup came over a line, without secrets: the server will have another key, hosts ask for a login " +
				"again, and the password of a proxy and headers of hosts must be written into angler.toml again")
	}
	if !r.Manifest.Attachments {
		x.PrintErrf("files of documents were not taken along; if notices had some, their texts are here, "+
			"and fetch the files again with: angler notices files %s --fetch\n", dir)
	}
	if r.Settings != nil {
		x.PrintErrf("angler: the settings were restored as they were, but: %s\n", oneLine(r.Settings))
	}
	fmt.Fprintf(x.OutOrStdout(), "%s is the workspace of %s; next: angler workspace check %s\n", dir,
		r.Manifest.Made.Local().Format(time.DateTime), dir)
	return nil
}

// newest replaces the database of a workspace by the newest complete backup.
func (x *restoring) newest(found []store.RollingBackup, dir string) (err error) {
	for _, b := range found {
		if err = x.inPlace(b.Path, dir); !errors.Is(err, maintenance.ErrNotWhole) {
			return err
		}
		x.PrintErrf("angler: %s\n", oneLine(err))
	}
	return err
}

// inPlace replaces the database of a workspace.
func (x *restoring) inPlace(file, dir string) error {
	r, err := maintenance.ReplaceWorkspace(x.Context(), file, dir, x.force)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(dir, search.Folder)); err != nil { // an index of other notices; it is rebuilt
		return err
	}
	if r.Old != "" {
		m := r.Merged
		x.PrintErrf("the damaged database is %s; taken over from it: %s, %s, %s found since; lost: %s\n", r.Old,
			count(m.Decisions, "decision"), count(m.Samples, "sample"), count(m.URLs, "URL"), count(m.Lost, "decision"))
	}
	if r.Unmerged != nil {
		x.PrintErrf("angler: not all was taken over: %s\n", oneLine(r.Unmerged))
	}
	fmt.Fprintf(x.OutOrStdout(), "%s has the database of %s; next: angler workspace check %s\n", dir,
		r.Manifest.Made.Local().Format(time.DateTime), dir)
	return nil
}

// dailyRow is one daily backup as JSON.
type dailyRow struct {
	File   string                    `json:"file"`
	Made   time.Time                 `json:"made"`
	Size   int64                     `json:"size"`
	Schema int                       `json:"schema"`
	Counts *maintenance.BackupCounts `json:"counts"`
}

// daily lists the daily backups of a workspace, the newest first.
func (x *restoring) daily(dir string) {
	found := store.Backups(dir)
	if len(found) == 0 {
		x.PrintErrf("angler: %s has no daily backups yet; one is made a minute after an opening, then daily\n",
			dir)
	}
	for _, b := range found {
		m, err := maintenance.ReadManifest(b.Path)
		if err != nil {
			x.PrintErrf("angler: %s: %s\n", b.Path, oneLine(err))
			continue
		}
		n := cmp.Or(m.Counts, new(maintenance.BackupCounts))
		if wantsJSON(x.Command) {
			_ = json.NewEncoder(x.OutOrStdout()).Encode(dailyRow{b.Path, m.Made, b.Size, m.Schema, n})
			continue
		}
		fmt.Fprintf(x.OutOrStdout(), "%s  %8.1f MB  %d URLs, %d pages, %d notices, %d decisions  %s\n",
			m.Made.Local().Format(time.DateTime), float64(b.Size)/1e6, n.URLs, n.Pages, n.Notices, n.Decisions, b.Path)
	}
}

func writeManifest(w io.Writer, m *maintenance.Manifest, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(m)
	}
	secrets := widget.Either(m.Secrets, "with secrets", "without secrets")
	fmt.Fprintf(w, "made %s by angler %s, schema %d, %s\n", m.Made.Local().Format(time.DateTime), m.Angler, m.Schema,
		secrets)
	for _, f := range m.Files {
		fmt.Fprintf(w, "%12d  %.12s  %s\n", f.Size, f.SHA256, f.Name)
	}
	return nil
}
