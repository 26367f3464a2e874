package uitest

import (
	"context"

	"angler/store/attached"
	"angler/tui/parts"
)

type innerFiles interface{ parts.Files }

type aroundFiles struct {
	innerFiles
	before Before
}

func (p aroundFiles) Ask(ids []uint64) (int, error) {
	return then(context.Background(), p.before, "Ask", func() (int, error) { return p.innerFiles.Ask(ids) })
}

func (p aroundFiles) TextOf(url string) (*attached.Text, error) {
	return then(context.Background(), p.before, "TextOf", func() (*attached.Text, error) { return p.innerFiles.TextOf(url) })
}
