package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"angler/store"
	"angler/store/backup"
	"angler/tui/progress"
)

func (p *Program) backupCommand() *cobra.Command {
	var force bool
	var identity string
	c := &cobra.Command{
		Use: "backup DIR FILE", Short: "Write the whole workspace into one file, also while a server works with it", Args: exactly(cobra.ExactArgs(2)),
		Long: "backup writes database, settings, dictionary and the server's keys into one tar archive,\n" +
			"reads it back and compares. FILE appears when it is whole; - is standard output.\n" +
			"Of a workspace that angler serve has open the server makes it: your key there must have role=admin.\n" +
			"The file holds the server's private key. Keep it as safe as the workspace.",
		RunE: func(c *cobra.Command, args []string) error {
			write, served, err := p.backupOf(c, args[0], args[1], identity)
			if err != nil {
				return err
			}
			if args[1] == "-" {
				return write(c.OutOrStdout())
			}
			m, err := backup.Receive(c.Context(), args[1], force, write)
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%w, or replace it with --force", err)
			}
			if err != nil {
				return err
			}
			by := ""
			if served {
				by = " by the server"
			}
			fmt.Fprintf(c.ErrOrStderr(), "%s: %d files, %.1f MB, verified; written%s\n", args[1], len(m.Files), float64(m.Bytes())/1e6, by)
			return nil
		},
	}
	c.Flags().BoolVar(&force, "force", false, "replace a file that is there")
	c.Flags().StringVarP(&identity, "identity", "i", "", "of a served workspace: file with the private key; by default ssh chooses")
	return c
}

// backupOf returns what writes a backup of a workspace: this process, or the
// server that has it open.
func (p *Program) backupOf(c *cobra.Command, dir, file, identity string) (write func(io.Writer) error, served bool, err error) {
	src, err := store.OpenSource(dir)
	switch {
	case errors.Is(err, store.ErrLocked) && store.Served(dir) != "":
		return func(w io.Writer) error { return p.backupThere(c.Context(), w, dir, file, identity) }, true, nil
	case errors.Is(err, store.ErrLocked):
		return nil, false, fmt.Errorf("%w; a workbench makes the backup itself (screen 5, X, backup), and a server at any time", err)
	case err != nil:
		return nil, false, err
	}
	return func(w io.Writer) error {
		defer src.Close()
		told, end := copying(c.ErrOrStderr())
		_, err := backup.Write(c.Context(), src, w, backup.Plan{Now: time.Now(), Secrets: true, Progress: told})
		end()
		return err
	}, false, nil
}

// backupThere has the server of a workspace of this machine make the backup of the
// database, beside the file that is to be made, and adds what the server does not
// give away over a line.
func (p *Program) backupThere(ctx context.Context, w io.Writer, dir, file, identity string) error {
	beside := filepath.Dir(file)
	if file == "-" {
		beside = os.TempDir()
	}
	f, err := os.CreateTemp(beside, ".angler-backup-*")
	if err != nil {
		return fmt.Errorf("cannot write to %s: %w", beside, err)
	}
	defer os.Remove(f.Name())
	err = p.askServer(ctx, f, dir, identity)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		_, err = backup.Complete(ctx, f.Name(), dir, w)
	}
	return err
}

// askServer has the server send a backup.
func (p *Program) askServer(ctx context.Context, w io.Writer, dir, identity string) error {
	args, err := attachArgs([]string{dir, "backup"}, identity)
	if err != nil {
		return err
	}
	status, err := p.Pipe(ctx, "ssh", args, w)
	switch {
	case err != nil:
		return fmt.Errorf("cannot run ssh: %w; install the OpenSSH client", err)
	case ctx.Err() != nil:
		return ctx.Err()
	case status != 0:
		return errors.New("the server did not make it, see above; an admin can also run: ssh HOST backup > FILE")
	}
	return nil
}

// copying shows on standard error how far a copy has come.
func copying(stderr io.Writer) (told func(done, total int64), end func()) {
	_, terminal := progress.Terminal(os.Stderr.Fd())
	if !terminal {
		return nil, func() {}
	}
	var last time.Time
	return func(done, total int64) {
			if now := time.Now(); now.Sub(last) >= 200*time.Millisecond {
				last = now
				fmt.Fprintf(stderr, "\r\x1b[Kbackup: %d of %d MB", done>>20, total>>20)
			}
		}, func() {
			if !last.IsZero() {
				fmt.Fprint(stderr, "\r\x1b[K")
			}
		}
}

func restoreCommand() *cobra.Command {
	var list, force, asJSON bool
	c := &cobra.Command{
		Use: "restore FILE DIR", Short: "Make a workspace of a backup, or list what is in one", Args: exactly(cobra.RangeArgs(1, 2)),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case list && (len(args) > 1 || force):
				return misuse(errors.New("--list takes FILE alone"))
			case list:
				m, err := backup.Verify(c.Context(), args[0])
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				return writeManifest(c.OutOrStdout(), m, asJSON)
			case asJSON:
				return misuse(errors.New("--json goes with --list"))
			case len(args) < 2:
				return misuse(errors.New("name the folder to restore to, or look into the file with --list"))
			}
			r, err := backup.Restore(c.Context(), args[0], args[1], force, time.Now())
			if err != nil {
				return err
			}
			if r.Old != "" {
				fmt.Fprintf(c.ErrOrStderr(), "what was there is in %s\n", r.Old)
			}
			if !r.Manifest.Secrets {
				fmt.Fprintln(c.ErrOrStderr(), "the backup came over a line, without secrets: the server will have another key, and the password of a proxy must be written into angler.toml again")
			}
			if r.Settings != nil {
				fmt.Fprintf(c.ErrOrStderr(), "angler: the settings were restored as they were, but: %s\n", oneLine(r.Settings))
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
