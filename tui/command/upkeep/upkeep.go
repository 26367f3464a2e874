// Package upkeep is the commands that look after a workspace: what became of it, and
// whether it is whole.
package upkeep

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"angler/store"
	"angler/tui/command/cli"
)

// Commands are the commands of this room; open opens the files that they read.
func Commands(open cli.Open) []*cobra.Command {
	return []*cobra.Command{checkCommand(), runsCommand(), logCommand(), restoreCommand(), warcCommand(open), compactCommand(), doctorCommand(), loginCommand()}
}

// beside reads a workspace, also while it is served, and says which rows were left out.
func beside(ctx context.Context, dir string, read func(*store.Workspace) error) error {
	ws, err := store.OpenBeside(ctx, dir)
	if err != nil {
		return err
	}
	err = read(ws)
	return errors.Join(err, cli.LeftOut(ws), ws.Close())
}
