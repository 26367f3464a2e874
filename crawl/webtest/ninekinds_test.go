package webtest

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Every site shows its list and its notices, and gives nothing to who does not ask as its
// page says.
func TestSites(t *testing.T) {
	s := ServeKinds()
	defer s.Close()
	c := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, n, a string) (net.Conn, error) { return s.Dial(ctx, n, a) }}}
	defer c.CloseIdleConnections()
	body := func(res *http.Response, err error) (string, int) {
		t.Helper()
		must(t, err)
		defer res.Body.Close()
		b, _ := io.ReadAll(res.Body)
		return string(b), res.StatusCode
	}
	for _, k := range ListKinds() {
		if page, status := body(c.Get(ListOfKind(k))); status != 200 || !strings.Contains(page, "采购公告") {
			t.Errorf("%s: list %d", k, status)
		}
		for _, n := range NoticesOfKind(k) {
			if page, status := body(c.Get(n.URL)); status != 200 || !strings.Contains(page, n.Title) {
				t.Errorf("%s: %s answers %d", k, n.URL, status)
			}
		}
		if n := len(s.Requests(k)); n != 1+KindPages*KindPerPage {
			t.Errorf("%s: %d requests were noted", k, n)
		}
	}
	if _, status := body(c.PostForm(ListOfKind(Postback), url.Values{"__EVENTTARGET": {"MoreInfoList1$Pager"}, "__EVENTARGUMENT": {"2"}})); status != 500 {
		t.Errorf("a postback without state: %d", status)
	}
	if _, status := body(c.Post(SeedOfKind(PostJSON)+"api/notices", "application/json", strings.NewReader(`{"category":"cggg","pageNo":1}`))); status != 403 {
		t.Errorf("a list without token: %d", status)
	}
	if page, status := body(c.PostForm(ListOfKind(PostForm), url.Values{"channel": {"7"}, "pageNo": {"3"}})); status != 200 || !strings.Contains(page, NoticesOfKind(PostForm)[2*KindPerPage].Title) {
		t.Errorf("page 3 by POST: %d", status)
	}
}
