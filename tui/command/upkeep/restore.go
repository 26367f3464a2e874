package upkeep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"angler/store/backup"
	"angler/tui/command/cli"
)

func restoreCommand() *cobra.Command {
	var list, force, asJSON bool
	c := &cobra.Command{
		Use: "restore FILE DIR", Short: "Make a workspace of a backup, or list what is in one", Args: cli.Args(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case list && (len(args) > 1 || force):
				return cli.Misuse(errors.New("--list takes FILE alone"))
			case list:
				m, err := backup.Verify(c.Context(), args[0])
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				return writeManifest(c.OutOrStdout(), m, asJSON)
			case asJSON:
				return cli.Misuse(errors.New("--json goes with --list"))
			case len(args) < 2:
				return cli.Misuse(errors.New("name the folder to restore to, or look into the file with --list"))
			}
			r, err := backup.Restore(c.Context(), args[0], args[1], force, time.Now())
			if err != nil {
				return err
			}
			if r.Old != "" {
				fmt.Fprintf(c.ErrOrStderr(), "what was there is in %s\n", r.Old)
			}
			if !r.Manifest.Secrets {
				fmt.Fprintln(c.ErrOrStderr(), "the backup came over a line, without secrets: the server will have another key, hosts ask for a login again, and the password of a proxy and headers of hosts must be written into angler.toml again")
			}
			if !r.Manifest.Attachments {
				fmt.Fprintf(c.ErrOrStderr(), "files of documents were not taken along; if notices had some, their texts are here, and the files come again with: angler attachments %s --fetch\n", args[1])
			}
			if r.Settings != nil {
				fmt.Fprintf(c.ErrOrStderr(), "angler: the settings were restored as they were, but: %s\n", cli.OneLine(r.Settings))
			}
			fmt.Fprintf(c.OutOrStdout(), "%s is the workspace of %s; next: angler check %s\n", args[1], r.Manifest.Made.Local().Format(time.DateTime), args[1])
			return nil
		},
	}
	c.Flags().BoolVar(&list, "list", false, "verify the file and list what is in it")
	c.Flags().BoolVar(&asJSON, "json", false, "with --list: print JSON")
	c.Flags().BoolVar(&force, "force", false, "put a folder that is there aside as DIR.old-TIME")
	return c
}

func writeManifest(w io.Writer, m *backup.Manifest, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(m)
	}
	secrets := "without secrets"
	if m.Secrets {
		secrets = "with secrets"
	}
	if _, err := fmt.Fprintf(w, "made %s by angler %s, schema %d, %s\n", m.Made.Local().Format(time.DateTime), m.Angler, m.Schema, secrets); err != nil {
		return err
	}
	for _, f := range m.Files {
		if _, err := fmt.Fprintf(w, "%12d  %.12s  %s\n", f.Size, f.SHA256, f.Name); err != nil {
			return err
		}
	}
	return nil
}
