package uitest

import (
	"context"

	"angler/crawl/archive"
	"angler/tui/parts"
)

type innerArchives interface{ parts.Archives }

type aroundArchives struct {
	innerArchives
	before Before
}

func (p aroundArchives) ImportFile(ctx context.Context, path string) (archive.Imported, error) {
	return then(ctx, p.before, "ImportFile", func() (archive.Imported, error) { return p.innerArchives.ImportFile(ctx, path) })
}
