package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"angler/store"
	"angler/store/maintenance"
	"angler/tui/widget"
)

func (p *program) backupCommand() *cobra.Command {
	var force, bare bool
	var identity string
	c := &cobra.Command{
		Use: "backup DIR FILE", Short: "Write the workspace into one file, also while served",
		Example: "  angler workspace backup DIR tenders.tar",
		Long: "backup writes database, settings, dictionary, the server's keys and fetched documents into one tar " +
			"archive,\n" +
			"reads it back and compares. FILE appears when it is whole; - is standard output.\n" +
			"Of a workspace that angler serve has open the server makes it: your key there must have role=admin.\n" +
			"The file holds the server's private key, and the cookies of logins with their key. Keep it as\n" +
			"safe as the workspace. The password files that [host] names are not in it. What a server gives\n" +
			"over a line (ssh HOST backup) has no secrets: the cookies in it cannot be read.",
		RunE: func(c *cobra.Command, args []string) error {
			write, served, err := p.backupOf(c, args[0], args[1], identity, bare)
			if err != nil {
				return err
			}
			if args[1] == "-" {
				return write(c.OutOrStdout())
			}
			m, err := maintenance.ReceiveBackup(c.Context(), args[1], force, write)
			if err != nil {
				return orForce(err)
			}
			by := widget.Either(served, " by the server", "")
			c.PrintErrf("%s: %d files, %.1f MB, verified; written%s\n", args[1], len(m.Files),
				float64(m.Bytes())/1e6, by)
			return nil
		},
	}
	c.Flags().BoolVar(&force, "force", false, "replace an existing file")
	c.Flags().BoolVar(&bare, "no-attachments", false,
		"leave out the files of documents; their texts are included")
	identityFlag(c, &identity)
	return c
}

// backupOf returns the writer of a backup: this process, or the server that has the workspace open.
func (p *program) backupOf(c *cobra.Command, dir, file, identity string, bare bool) (write func(io.Writer) error,
	served bool, err error) {
	src, err := store.OpenSource(dir)
	switch {
	case errors.Is(err, store.ErrLocked) && store.Served(dir) != "":
		return func(w io.Writer) error { return p.backupThere(c.Context(), w, dir, file, identity, bare) }, true, nil
	case errors.Is(err, store.ErrLocked):
		return nil, false,
			fmt.Errorf("%w; a workbench makes the backup itself (screen 5, X, backup), and a server at any time", err)
	case err != nil:
		return nil, false, err
	}
	return func(w io.Writer) error {
		defer src.Close()
		tell := newProgress(c)
		defer tell.end()
		_, err := maintenance.WriteBackup(c.Context(), src, w,
			maintenance.BackupPlan{Now: time.Now(), Secrets: true, NoAttachments: bare,
				Progress: func(done, total int64) { tell.now("backup: %d of %d MB", done>>20, total>>20) }})
		return err
	}, false, nil
}

// backupThere lets the server of a workspace on this machine write the backup of the database
// beside the target file, and adds the secrets, which the server does not send.
func (p *program) backupThere(ctx context.Context, w io.Writer, dir, file, identity string, bare bool) error {
	beside := widget.Either(file == "-", os.TempDir(), filepath.Dir(file))
	f, err := os.CreateTemp(beside, ".angler-backup-*")
	if err != nil {
		return fmt.Errorf("cannot write to %s: %w", beside, err)
	}
	defer os.Remove(f.Name())
	err = p.askServer(ctx, f, dir, identity, bare)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		_, err = maintenance.CompleteBackup(ctx, f.Name(), dir, !bare, w)
	}
	return err
}

// askServer requests a backup from the server.
func (p *program) askServer(ctx context.Context, w io.Writer, dir, identity string, bare bool) error {
	ask := []string{dir, "backup"}
	if bare {
		ask = append(ask, "--no-attachments")
	}
	args, err := attachArgs(ask, identity)
	if err != nil {
		return err
	}
	status, err := p.exec(ctx, "ssh", args, w)
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
