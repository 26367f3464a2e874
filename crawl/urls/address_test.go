package urls

import (
	"strings"
	"testing"
	"time"
)

// An address with a fragment names one request to one URL, and everything that judges
// URLs judges it by that URL.
func TestAddress(t *testing.T) {
	const list = "http://h.test/a/list.aspx?c=7"
	for _, c := range []struct{ name, want string }{
		{"", list},
		{"post:page=2", list + "#post:page=2"},
		{"post:类=公告 #2", list + "#post:%E7%B1%BB=%E5%85%AC%E5%91%8A%20%232"},
	} {
		got := Address(list, c.name)
		if got != c.want {
			t.Errorf("Address(%q) = %q, want %q", c.name, got, c.want)
		}
		url, name := Split(got)
		if url != list || (name == "") != (c.name == "") || IsPlain(got) != (c.name == "") || Bare(got) != list {
			t.Errorf("%q splits into %q and %q, plain %v, bare %q", got, url, name, IsPlain(got), Bare(got))
		}
	}
	if got := Address(list+"#post:page=2", "post:page=3"); got != list+"#post:page=3" {
		t.Errorf("the address behind an address is %q", got)
	}
	long := strings.Repeat("x", 5000)
	a, b := Address(list, long), Address(list, long+"y")
	if len(a) > maxAddress || a == b || a != Address(list, long) {
		t.Errorf("long names: %d bytes, the same for two names: %v", len(a), a == b)
	}
}

func TestAddressIsJudgedByItsURL(t *testing.T) {
	const list = "http://h.test/a/list.aspx?c=7"
	post := Address(list, "post:page=2")
	scope, err := NewScope(ScopePattern, nil, []string{`list\.aspx\?c=7$`}, nil)
	must(t, err)
	if !scope.Contains(list) || !scope.Contains(post) {
		t.Errorf("in scope: the list %v, its second page %v", scope.Contains(list), scope.Contains(post))
	}
	f := NewFilter(scope, time.Now)
	f.limits.variants, f.limits.length = 1, len(list)
	for _, u := range []string{list, post, Address(list, "post:page=3")} {
		if r := f.Check(u, ClassOf(u)); r != Accepted {
			t.Errorf("%s: %v", u, r)
		}
	}
	r := NewResolver(0)
	for href, want := range map[string]string{"b.htm#top": "http://h.test/a/b.htm", "?c=8": "http://h.test/a/list.aspx?c=8", "/x": "http://h.test/x", "": "", "#2": ""} {
		if got, _ := r.Resolve(post, href); got != want {
			t.Errorf("%q on %s leads to %q, want %q", href, post, got, want)
		}
	}
	if got, _ := Canonical(post); got != list {
		t.Errorf("as a link the address is %q", got)
	}
	a, b := map[string]bool{}, map[string]bool{}
	eachToken(list, func(x []byte) { a[string(x)] = true })
	eachToken(post, func(x []byte) { b[string(x)] = true })
	if len(a) == 0 || len(a) != len(b) {
		t.Errorf("tokens of the list %v, of its second page %v", a, b)
	}
}
