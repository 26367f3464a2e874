package urls

import (
	"slices"
	"strings"
	"testing"
)

func TestVisitParts(t *testing.T) {
	for in, want := range map[string]string{
		"http://a.test/list.jsp?sid=9f86d081884c7d65&col=3":       "sid",
		"http://a.test/list.jsp?_t=1767233521126":                 "_t",
		"http://a.test/list.jsp;sid=ab12cd34ef?col=3":             ";sid",
		"http://a.test/9f86d081/x/list.jsp":                       "/1",
		"http://a.test/x/9f86d081/?key=abcdefghijklmnopq":         "/2 key",
		"http://a.test/list.jsp?page=12&id=123456&sort=price":     "",
		"http://a.test/9f86d081884c7d65":                          "", // the last segment is the page
		"http://a.test/20260304/a.htm?q=%E6%8B%9B%E6%A0%87&m=&x=": "",
		"http://a.test/": "",
		"http://a.test":  "",
	} {
		if got := strings.Join(VisitParts(in), " "); got != want {
			t.Errorf("VisitParts(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCutPart(t *testing.T) {
	for _, c := range []struct{ in, name, rest, value string }{
		{"http://a.test/l.jsp?sid=9f86d081&col=3", "sid", "http://a.test/l.jsp?col=3", "9f86d081"},
		{"http://a.test/l.jsp?col=3&sid=9f86d081", "sid", "http://a.test/l.jsp?col=3", "9f86d081"},
		{"http://a.test/l.jsp?a=1&sid=9f86d081&col=3", "sid", "http://a.test/l.jsp?a=1&col=3", "9f86d081"},
		{"http://a.test/l.jsp?sid=9f86d081", "sid", "http://a.test/l.jsp", "9f86d081"},
		{"http://a.test/l.jsp;v=9f86d081;w=2?a=1", ";v", "http://a.test/l.jsp;w=2?a=1", "9f86d081"},
		{"http://a.test:8080/9f86d081/l.jsp?a=1", "/1", "http://a.test:8080/l.jsp?a=1", "9f86d081"},
		{"http://a.test/9f86d081/", "/1", "http://a.test/", "9f86d081"},
		{"http://a.test/9f86d081", "/1", "", ""},
		{"http://a.test/l.jsp?sid=7", "sid", "", ""},
		{"http://a.test/l.jsp?sid=9f86d081#post:page=2", "sid", "", ""},
		{"http://a.test/l.jsp?xsid=9f86d081", "sid", "", ""},
	} {
		if rest, value, ok := CutPart(c.in, c.name); rest != c.rest || value != c.value || ok != (c.rest != "") {
			t.Errorf("CutPart(%q, %q) = %q, %q, %v", c.in, c.name, rest, value, ok)
		}
	}
}

// Links and addresses of a host leave out what is ignored, also those resolved before; other hosts keep it.
func TestIgnoredParts(t *testing.T) {
	r := NewResolver(0)
	link := func(href, want string) {
		t.Helper()
		for range 2 { // the second is remembered
			if got, err := r.Resolve("http://a.test/x/", href); got != want || err != nil {
				t.Errorf("%s is resolved to %q, %v, want %q", href, got, err, want)
			}
		}
	}
	link("l.jsp?sid=9f86d081", "http://a.test/x/l.jsp?sid=9f86d081")
	if !r.Ignore("a.test", "sid") || !r.Ignore("a.test", "/1") || r.Ignore("a.test", "sid") || r.Ignore("a.test", "") {
		t.Error("a name is ignored once")
	}
	link("l.jsp?sid=9f86d081", "http://a.test/x/l.jsp")
	link("l.jsp?sid=7&sid=9f86d081&sid=1a2b3c4d", "http://a.test/x/l.jsp?sid=7")
	link("/9f86d081/9f86d082/l.jsp", "http://a.test/9f86d082/l.jsp")
	link("http://b.test/l.jsp?sid=9f86d081", "http://b.test/l.jsp?sid=9f86d081")
	if got, err := r.Canonical("http://a.test/?sid=9f86d081#x"); got != "http://a.test/" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for _, name := range strings.Fields("b c d e f g h i j") {
		r.Ignore("a.test", name)
	}
	if names := r.Ignored()["a.test"]; len(names) != maxIgnored || !slices.Contains(names, "g") {
		t.Errorf("%q are ignored", names)
	}
}

func TestTicketsOfASPNET(t *testing.T) {
	for in, want := range map[string]string{
		"http://a.test/(S(lit3py55t21z5v55vlm25s55))/l.aspx?a=1": "http://a.test/l.aspx?a=1",
		"http://a.test/app/(X(1)S(lit3py55))/l.aspx":             "http://a.test/app/l.aspx",
		"http://a.test/(S(lit3py55))":                            "http://a.test/(S(lit3py55))",
		"http://a.test/(notes)/l.aspx":                           "http://a.test/(notes)/l.aspx",
		"http://a.test/(S(a)b(c))/l.aspx":                        "http://a.test/(S(a)b(c))/l.aspx",
	} {
		if got, err := Canonical(in); got != want || err != nil {
			t.Errorf("Canonical(%q) = %q, %v, want %q", in, got, err, want)
		}
	}
}

func FuzzVisitParts(f *testing.F) {
	for _, s := range []string{"http://a.test/9f86d081/l.jsp;v=9f86d081?sid=9f86d081&a=1", "http://a.test/?=9f86d081&&a", "http://a", "x", "http://a/;=;a=;/1234567a/?"} {
		f.Add(s, "sid")
	}
	f.Fuzz(func(t *testing.T, s, name string) {
		canonical, err := Canonical(s)
		if err != nil {
			return
		}
		for _, name := range append(VisitParts(canonical), name) {
			rest, value, ok := CutPart(canonical, name)
			if !ok {
				continue
			}
			if len(rest) >= len(canonical) || value == "" || HostOf(rest) != HostOf(canonical) || !strings.Contains(canonical, value) {
				t.Fatalf("%q without %q is %q, value %q", canonical, name, rest, value)
			}
		}
		var r Resolver
		r.Ignore(HostOf(canonical), name)
		if cut := r.ignored.cut(canonical); len(cut) > len(canonical) || HostOf(cut) != HostOf(canonical) {
			t.Fatalf("%q is cut to %q", canonical, cut)
		}
	})
}
