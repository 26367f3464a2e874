//go:build unix

package sitemap

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Each of these is read within a second and says which bound it hit. Asserted are ten
// seconds of processor time, which a busy machine does not need.
func TestParseBounds(t *testing.T) {
	var lines strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&lines, "http://a.test/%d\n", i)
	}
	bomb := `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
		<urlset><url><loc>http://a.test/&c;</loc></url></urlset>`
	for _, c := range []struct {
		name, body, limit string
		urls              int
	}{
		{"many lines", lines.String(), "urls 50000", 50_000},
		{"many entries", "<urlset>" + strings.ReplaceAll(strings.ReplaceAll(lines.String(), "http", "<url><loc>http"), "\n", "</loc></url>"), "urls 50000", 50_000},
		{"many sitemaps", "<sitemapindex>" + strings.ReplaceAll(strings.ReplaceAll(lines.String(), "http", "<sitemap>http"), "\n", "</sitemap>"), "index 1000", 0},
		{"gzip bomb", packed("<urlset>" + strings.Repeat(" ", 40<<20)), "bytes 16777216", 0},
		{"entities", bomb, "", 1},
		{"deep", "<urlset>" + strings.Repeat("<url>", 1_000_000), "", 0},
		{"one tag without end", "<urlset><url " + strings.Repeat("a=b ", 2_000_000), "", 0},
		{"a huge loc", "<urlset><url><loc>http://a.test/" + strings.Repeat("x", 8<<20), "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := used()
			m, err := Parse([]byte(c.body), "", base, Limits{})
			took := used() - start
			if err != nil || len(m.URLs) != c.urls || c.limit != "" && !slices.Contains(m.Limits, c.limit) {
				t.Errorf("%d URLs, limits %q, %v; want %d and %q", len(m.URLs), m.Limits, err, c.urls, c.limit)
			}
			for _, e := range m.URLs {
				if len(e.URL) > 200 {
					t.Fatalf("an entity was expanded to %d bytes", len(e.URL))
				}
			}
			t.Logf("%d bytes: %v", len(c.body), took)
			if took > 10*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// used is the processor time of the process.
func used() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
