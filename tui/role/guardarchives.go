package role

import (
	"context"

	"angler/crawl/archive"
	"angler/tui/parts"
)

// archives reads files on one's own machine only.
type archives struct {
	b parts.Archives
	r Role
}

func (g *archives) ImportFile(ctx context.Context, path string) (archive.Imported, error) {
	return allowed(g.r, TakeIn, func() (archive.Imported, error) { return g.b.ImportFile(ctx, path) })
}
