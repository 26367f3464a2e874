package frontier

import (
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"angler/crawl/webtest/realpages"
)

func TestAssignment(t *testing.T) {
	cases := map[string]struct {
		name string
		n    int
		url  string
		want uint16
	}{
		"host has one queue":            {"host", 8, "http://www.example.test/a", 0},
		"hflp of one part":              {"hflp", 1000, "abcd", 0x61626364 % 1000},
		"hflp of a short part":          {"hflp", 1000, "a", 0x61000000 % 1000},
		"hflp adds the parts":           {"hflp", 1000, "abcdefgh", (0x61626364 + 0x65666768) % 1000},
		"hflp drops the carry":          {"hflp", 1000, "\xff\xff\xff\xff\x00\x00\x00\x02", 1},
		"elf of nothing":                {"elf", 7, "", 0},
		"elf of one letter":             {"elf", 1000, "a", 97},
		"elf of two":                    {"elf", 10000 % 1024, "ab", (97*16 + 98) % (10000 % 1024)},
		"elf folds its upper four bits": {"elf", 1021, "printf", 0x077905a6 % 1021}, // the ABI's own example
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f, err := Assignment(c.name, c.n)
			must(t, err)
			if got := f(c.url); got != c.want {
				t.Errorf("queue %d, want %d", got, c.want)
			}
		})
	}
	for _, bad := range []struct {
		name string
		n    int
	}{{"random", 8}, {"elf", 0}, {"hflp", maxQueues + 1}} {
		if _, err := Assignment(bad.name, bad.n); err == nil {
			t.Errorf("%s with %d queues is accepted", bad.name, bad.n)
		}
	}
}

func FuzzAssignment(f *testing.F) {
	f.Add("http://www.example.test/info/1001/2345.htm", 8)
	f.Add("", 1)
	f.Fuzz(func(t *testing.T, url string, n int) {
		for _, name := range Assignments {
			assign, err := Assignment(name, n)
			if (err == nil) != (n >= 1 && n <= maxQueues) {
				t.Fatalf("%d queues: %v", n, err)
			}
			if err != nil {
				continue
			}
			if first, again := assign(url), assign(url); int(first) >= n || first != again {
				t.Fatalf("%s puts %q into queue %d, then %d, of %d", name, url, first, again, n)
			}
		}
	})
}

func TestBalance(t *testing.T) {
	urls := func(yield func(string, string) bool) {
		for i := range 300 {
			host := fmt.Sprintf("h%d", i%3)
			if !yield(host, fmt.Sprintf("http://%s/info/%d.htm", host, 1000+i/3)) {
				return
			}
		}
	}
	b, err := measureBalance("host", 4, urls)
	if err != nil || b.Hosts != 3 || b.Queues != 3 || b.URLs != 300 || b.Min != 100 || b.Max != 100 || b.Mean != 100 || b.Variation != 0 || b.Peak != 1 || b.ChiSquare != 0 || b.Freedom != 0 {
		t.Errorf("host: %+v, %v", b, err)
	}
	all, err := compareBalance(4, urls)
	if err != nil || len(all) != 3 || all[2].Assignment != "host" || all[0].InHost > all[1].InHost {
		t.Errorf("compared: %+v, %v", all, err)
	}
	for _, b := range all[:2] {
		if b.Queues != 12 || b.URLs != 300 || b.Mean != 25 || b.Min > 25 || b.Max < 25 || b.Freedom != 9 || b.Peak != float64(b.Max)/25 {
			t.Errorf("%+v", b)
		}
	}
	// By hand: queues 3 1 and 2 2 around means of 2.
	b = balanceOf("elf", 2, map[string][]int{"a": {3, 1}, "b": {2, 2}})
	if b.ChiSquare != 1 || b.InHost*b.InHost < .1249 || b.InHost*b.InHost > .1251 || b.Min != 1 || b.Max != 3 {
		t.Errorf("by hand: %+v", b)
	}
	if b, err := measureBalance("elf", 4, func(func(string, string) bool) {}); err != nil || b.Queues != 0 || b.Min != 0 {
		t.Errorf("nothing: %+v, %v", b, err)
	}
	if _, err := compareBalance(0, urls); err == nil {
		t.Error("no queues are accepted")
	}
}

// realURLs are the addresses of mirrored sites.
func realURLs(t testing.TB) iter.Seq2[string, string] {
	root := realpages.Path(t, "sites")
	return func(yield func(string, string) bool) {
		sites, _ := os.ReadDir(root)
		for _, site := range sites {
			base := filepath.Join(root, site.Name())
			_ = filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					rel, _ := filepath.Rel(base, path)
					if !yield(site.Name(), "http://"+site.Name()+"/"+filepath.ToSlash(rel)) {
						return fs.SkipAll
					}
				}
				return nil
			})
		}
	}
}

// P2 3.1 on real sites: hflp is even. ELFHash is as even for an odd n, but its
// lowest four bits are those of the last letter, and the URLs of a site end alike:
// with n a power of two nearly everything falls into one queue.
func TestBalanceOfRealSites(t *testing.T) {
	urls := realURLs(t)
	for _, n := range []int{4, 7, 8, 16} {
		all, err := compareBalance(n, urls)
		must(t, err)
		by := map[string]balance{}
		for _, b := range all {
			by[b.Assignment] = b
			t.Logf("n %2d %-4s: %d URLs, %2d queues, %d … %d, in-host variation %.2f, chi² %.0f of %d", n, b.Assignment, b.URLs, b.Queues, b.Min, b.Max, b.InHost, b.ChiSquare, b.Freedom)
		}
		if b := by["hflp"]; b.InHost > .6 || b.URLs < 500 {
			t.Errorf("n %d: hflp is uneven: %+v", n, b)
		}
		if elf := by["elf"].InHost; n%2 == 0 && elf < 1 || n%2 == 1 && elf > .6 {
			t.Errorf("n %d: elf varies by %.2f", n, elf)
		}
	}
}
