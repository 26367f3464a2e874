package seeds_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angler/crawl/seeds"
	"angler/store/config"
)

func packed(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, s)
	_ = z.Close()
	return b.String()
}

// Lists of every kind give their hosts; hostile ones cost no more than their bytes.
func TestLists(t *testing.T) {
	bomb := `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "http://aaaa.example.com/"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY f SYSTEM "file:///etc/passwd">]>`
	deep := strings.Repeat(`<outline text="x">`, 10_000)
	var many strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&many, "http://many%d.example.com/\n", i)
	}
	for _, c := range []struct {
		name, body string
		want       []string // hosts
		wrong      string   // of the error
	}{
		{"OPML", `<?xml version="1.0"?><opml version="2.0"><head><title>t</title></head><body><outline text="采购"><outline text="省采购网" htmlUrl="http://www.cg.example.com/" xmlUrl="http://feeds.example.net/cg.xml"/><outline title="只有订阅" xmlUrl="https://m.only.example.org/rss"/></outline></body></opml>`,
			[]string{"cg.example.com", "only.example.org"}, ""},
		{"RSS", `<rss><channel><link>http://ignored.example.com/</link><item><title><![CDATA[公告]]></title><link>http://one.example.com/a?x=1&amp;y=2</link></item><item><guid>http://two.example.com/2</guid></item></channel></rss>`, []string{"one.example.com", "two.example.com"}, ""},
		{"Atom", `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>x</title><link href="https://atom.example.com/e"/></entry></feed>`, []string{"atom.example.com"}, ""},
		{"sitemap", `<urlset><url><loc>http://map.example.com/1</loc></url></urlset>`, []string{"map.example.com"}, ""},
		{"index", `<sitemapindex><sitemap><loc>http://index.example.com/1.xml</loc></sitemap></sitemapindex>`, []string{"index.example.com"}, ""},
		{"lines", "# mine\nhttp://line.example.com/x\nhttps://other.example.com\n", []string{"line.example.com", "other.example.com"}, ""},
		{"page of links", `<!DOCTYPE html><html><body><a href="http://dir.example.com/">目录</a><a href="/own">own</a><a href="javascript:x">y</a></body></html>`, []string{"dir.example.com"}, ""},
		{"private", "http://10.0.0.1/\nhttp://localhost:80/\nhttp://nas.local/\nhttp://good.example.com/\n", []string{"good.example.com"}, ""},
		{"packed", packed(`<urlset><url><loc>http://gz.example.com/1</loc></url></urlset>`), []string{"gz.example.com"}, ""},
		{"entities", bomb + `<opml><body><outline htmlUrl="&c;"/><outline text="&f;" htmlUrl="http://after.example.com/"/></body></opml>`, []string{"after.example.com"}, ""},
		{"nests 10 000 deep", `<opml><body>` + deep + `<outline htmlUrl="http://deep.example.com/"/>`, []string{"deep.example.com"}, ""},
		{"a packed 100 MB", packed(`<opml><body><outline htmlUrl="http://big.example.com/"/>` + strings.Repeat(" ", 100<<20)), []string{"big.example.com"}, ""},
		{"half a file", `<opml><body><outline htmlUrl="http://half.example.com/"/><outline htmlUrl="http://lost.exam`, []string{"half.example.com"}, ""},
		{"words", "this is no list", nil, "is no list of sites"},
		{"an image", "\x89PNG\r\n\x1a\n\x00\x00", nil, "is no list of sites"},
		{"empty", "", nil, "is no list of sites"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := open(t, "", nil)
			file := filepath.Join(t.TempDir(), "sites.txt")
			must(t, os.WriteFile(file, []byte(c.body), 0o600))
			_, err := e.Seeds.ListSeeds(context.Background(), file)
			if c.wrong == "" && err != nil || c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)) {
				t.Errorf("error %v; want %q", err, c.wrong)
			}
			rows, _ := e.Seeds.SeedProposals("")
			var got []string
			for _, p := range rows {
				got = append(got, p.Host)
				if len(p.Files) != 1 || p.Files[0].Name != "sites.txt" || p.Votes != 1 {
					t.Errorf("%s: %+v", p.Host, p.Files)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("hosts %q; want %q", got, c.want)
			}
		})
	}
	t.Run("60 000 hosts", func(t *testing.T) {
		e := open(t, "", nil)
		file := filepath.Join(t.TempDir(), "many.txt")
		must(t, os.WriteFile(file, []byte(many.String()), 0o600))
		o, err := e.Seeds.ListSeeds(context.Background(), file)
		if rows, _ := e.Seeds.SeedProposals(""); err != nil || len(rows) != 20_000 || o.Hosts != 20_000 {
			t.Errorf("%d proposals, %+v, %v; want the 20 000 that are kept", len(rows), o, err)
		}
	})
	t.Run("longer than is read", func(t *testing.T) {
		e := open(t, "", nil)
		file := filepath.Join(t.TempDir(), "huge.opml")
		f, err := os.Create(file)
		if err == nil {
			err = f.Truncate(100 << 20)
		}
		must(t, err)
		_ = f.Close()
		if _, err := e.Seeds.ListSeeds(context.Background(), file); err == nil || !strings.Contains(err.Error(), "longer than 64 MB") {
			t.Errorf("error %v", err)
		}
		if _, err := e.Seeds.ListSeeds(context.Background(), filepath.Join(t.TempDir(), "none.opml")); err == nil || !strings.Contains(err.Error(), "cannot read") {
			t.Errorf("error %v", err)
		}
	})
}

// A list with an address is fetched like a page: through redirects, and by the guard.
func TestListsByAddress(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/old", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/index.xml", http.StatusFound) })
	mux.HandleFunc("/index.xml", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, `<sitemapindex><sitemap><loc>http://%s/part.xml</loc></sitemap><sitemap><loc>http://%s/index.xml</loc></sitemap></sitemapindex>`, r.Host, r.Host)
	})
	mux.HandleFunc("/part.xml", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `<urlset><url><loc>http://part.example.com/1</loc></url></urlset>`)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	e := open(t, "", nil)
	if _, err := e.Seeds.ListSeeds(context.Background(), server.URL+"/old"); err == nil || !strings.Contains(err.Error(), "not a public address") {
		t.Errorf("a list in this network: %v", err)
	}
	e = open(t, "", func(s *config.Settings) { s.Crawl.AllowPrivate = true })
	if _, err := e.Seeds.ListSeeds(context.Background(), server.URL+"/old"); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Seeds.ListSeeds(context.Background(), server.URL+"/nothing"); err == nil || !strings.Contains(err.Error(), "status 404") {
		t.Errorf("a list that is not there: %v", err)
	}
	rows, _ := e.Seeds.SeedProposals(seeds.ProposalOpen)
	if !slices.ContainsFunc(rows, func(p seeds.Proposal) bool { return p.Host == "part.example.com" }) {
		t.Errorf("%+v", rows)
	}
}
