package notices

import (
	"context"

	"angler/crawl/fetch"
	"angler/crawl/reader"
	"angler/crawl/run/hands"
	"angler/crawl/urls"
	"angler/store"
)

// Elsewhere is Stored for a page that hands elsewhere read where they have room, and that
// is read here where not. stored is to be called when what is made of it is on the disk;
// nil = nobody waits for that.
func (m *Maker) Elsewhere(ctx context.Context, u *store.URL, a Announced) (n *store.Notice, stored func()) {
	if m.Hands.Slots() == 0 || !urls.IsPlain(u.URL) {
		return m.Stored(u, a), nil
	}
	opt := m.Options(a)
	src, err := m.Reader.Source(u.ID, &opt)
	if err != nil || src == nil || len(src.Body) == 0 || len(src.Body) > hands.MaxBody {
		return m.Stored(u, a), nil
	}
	b, err := m.Hands.Do(ctx, hands.Job{Request: fetch.Request{URL: u.URL}, ID: u.ID, Address: u.URL, Host: urls.HostOf(u.URL), Page: true,
		Notice: reader.As(opt), Body: src.Body, ContentType: src.ContentType, At: opt.Now})
	if err == nil {
		if p := m.Reader.Noticed(b.Draft, opt); p != nil {
			return m.Of(u, p, a), b.Stored
		}
	}
	return m.Stored(u, a), b.Stored
}
