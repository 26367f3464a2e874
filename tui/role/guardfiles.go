package role

import (
	"angler/store/attached"
	"angler/tui/parts"
)

// documents lets everybody read what was fetched; who has something fetched puts load
// on the network.
type documents struct {
	b parts.Files
	r Role
}

func (g *documents) TextOf(url string) (*attached.Text, error) { return g.b.TextOf(url) }

func (g *documents) Ask(ids []uint64) (int, error) {
	return allowed(g.r, FetchFiles, func() (int, error) { return g.b.Ask(ids) })
}
