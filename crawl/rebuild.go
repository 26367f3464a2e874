package crawl

import (
	"context"
	"errors"
)

// Rebuild derives lost data again from stored bodies: the words of pages. Call it after the repair of a workspace's
// rows. progress receives the steps.
func Rebuild(ctx context.Context, dir string, progress func(string)) error {
	e, err := Open(ctx, dir, Options{Progress: progress})
	if err != nil {
		return err
	}
	return errors.Join(e.Words(ctx), e.Close())
}
