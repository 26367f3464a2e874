package crawl

import (
	"context"
	"errors"
)

// Rebuild makes again what is derived from stored bodies and was lost: the words
// of pages. It follows the repair of a workspace's rows; progress is told in a
// few words.
func Rebuild(ctx context.Context, dir string, progress func(string)) error {
	e, err := Open(ctx, dir, Options{Progress: progress})
	if err != nil {
		return err
	}
	return errors.Join(e.Words(ctx), e.Close())
}
