package command

import (
	"context"
	"errors"

	"angler/store"
)

// readBeside reads a workspace, also while it is served, and reports rows that were left out.
func readBeside(ctx context.Context, dir string, read func(*store.Workspace) error) error {
	ws, err := store.OpenBeside(ctx, dir)
	if err != nil {
		return err
	}
	err = read(ws)
	return errors.Join(err, leftOut(ws), ws.Close())
}
