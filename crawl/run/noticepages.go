package run

import (
	"context"

	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/store"
)

// elsewhere is Stored for a page that need not be read again where it would be read as it
// was, and that hands elsewhere read where they have room. stored is to be called when what is made of it is on the disk;
// nil = nobody waits for that.
func (m *NoticeMaker) elsewhere(ctx context.Context, u *store.URL, a AnnouncedNotice) (n *store.Notice, stored func()) {
	if n := m.same(u, a); n != nil {
		return n, nil
	}
	if m.PageWorkers.Slots() == 0 || !urls.IsPlain(u.URL) {
		return m.Stored(u, a), nil
	}
	var opt page.Options
	as := m.As(a)
	src, err := m.Reader.Source(u.ID, &opt)
	if err != nil || src == nil || len(src.Body) == 0 || len(src.Body) > maxBody {
		return m.Stored(u, a), nil
	}
	b, err := m.PageWorkers.Do(ctx, PageJob{Request: fetch.Request{URL: u.URL}, ID: u.ID, Address: u.URL, Host: urls.HostOf(u.URL), Page: true,
		Notice: &as, Body: src.Body, ContentType: src.ContentType, At: opt.Now})
	if err == nil {
		if n := m.Reader.Noticed(b.Draft, as); n != nil {
			return m.Of(u, n, a), b.Stored
		}
	}
	return m.Stored(u, a), b.Stored
}
