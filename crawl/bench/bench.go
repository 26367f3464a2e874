// Package bench measures the pipeline beside other crawlers: a discovery with all
// that belongs to one (fetched, parsed, segmented, judged, stored, ordered), the
// plainest crawler there is, colly as its users write it, and the crawlers that are
// installed, over the same generated web.
//
// The server of the web is a process of its own, and so is every crawler, so that
// each is charged with its own processor time and memory alone. All are counted by
// the server, not by what they say of themselves: a page is an address that gave
// HTML. They run one after the other, on the same machine as the server, which takes
// some 40 µs of a core a page.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"angler/crawl/webtest"
)

// Options say what to measure.
type Options struct {
	Pages   []int         // sizes of the webs
	Workers int           // fetches at once, for crawlers that can do several
	Runs    int           // of every crawler; figures are their medians
	Most    time.Duration // a crawler that takes longer is ended
	Peers   bool          // run the crawlers that are installed, too
	Only    []string      // the names of the crawlers to run; empty: all
	Child   []string      // the program, and its arguments before those of Child

	// Progress hears how many pages a crawler has asked for, every five seconds; nil is
	// nobody.
	Progress func(crawler string, pages, of int)
}

// Row is what one crawler needed for one web.
type Row struct {
	Crawler   string  `json:"crawler"`
	Version   string  `json:"version,omitempty"`
	Found     int     `json:"pages_found"`         // different addresses that gave it HTML
	Requests  int     `json:"requests"`            // that the server answered
	Seconds   float64 `json:"seconds"`             // from the first page to the end of the process
	Rate      float64 `json:"pages_per_second"`    //
	CPU       float64 `json:"cpu_us_per_page"`     // of all cores, kernel included, from the start of the process to its end
	Peak      float64 `json:"peak_mb"`             // highest resident memory, mapped files included; 0: the system does not tell
	Own       float64 `json:"peak_own_mb"`         // the same without mapped files, looked at 20 times a second
	Disk      float64 `json:"disk_bytes_per_page"` // files that it left
	RateRatio float64 `json:"rate_to_bare"`        // Rate by that of the bare crawler; 0: it was not measured
	CPURatio  float64 `json:"cpu_to_bare"`
	Lists     int     `json:"aggregation_pages,omitempty"` // that a discovery found
	Note      string  `json:"note,omitempty"`              // why a figure is not what it should be
}

// Table holds the rows of one web.
type Table struct {
	Pages int   `json:"pages"` // of the web, home pages, lists and all
	Rows  []Row `json:"rows"`
}

// Report is the outcome of a benchmark.
type Report struct {
	Machine Machine  `json:"machine"`
	Workers int      `json:"workers"`
	Runs    int      `json:"runs"`
	Tables  []Table  `json:"webs"`
	Missing []string `json:"not_installed,omitempty"` // peers
}

// hosts of the web: half of them speak GBK, and with one connection a host all
// workers have something to do.
const hosts = 20

// Web is the web of a benchmark with about so many pages, of 11 KB and 46 links
// each. Nothing in it is endless.
func Web(material fs.FS, pages int) (*webtest.Web, error) {
	m, err := webtest.Load(material)
	if err != nil {
		return nil, err
	}
	return webtest.New(m, webtest.Options{Pages: pages, Hosts: hosts, Plain: true})
}

// Run measures. When ctx ends early it returns what it has measured with the error of
// ctx. Its processes have ended and its files are gone when it returns.
func Run(ctx context.Context, material fs.FS, o Options) (report *Report, err error) {
	report = &Report{Machine: thisMachine(), Workers: o.Workers, Runs: o.Runs}
	crawlers, err := o.crawlers(ctx, report)
	if err != nil {
		return report, err
	}
	dir, err := os.MkdirTemp("", "angler-bench-")
	if err != nil {
		return report, fmt.Errorf("cannot make a folder for what the crawlers store: %w; TMPDIR names another place", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for _, pages := range o.Pages {
		web, err := Web(material, pages)
		if err != nil {
			return report, err
		}
		b := &bench{Options: o, dir: dir, web: web, asked: pages}
		for range web.Truths() {
			b.pages++
		}
		table, err := b.run(ctx, crawlers)
		report.Tables = append(report.Tables, table)
		if err != nil {
			return report, err
		}
	}
	return report, nil
}

// crawlers are those that are measured, peers that are not installed left out.
func (o *Options) crawlers(ctx context.Context, report *Report) (out []crawler, err error) {
	all := slices.Clone(own)
	if o.Peers {
		all = append(all, peers...)
	}
	for _, name := range o.Only {
		if !slices.ContainsFunc(all, func(c crawler) bool { return c.name == name }) {
			return nil, fmt.Errorf("there is no crawler %q; choose of: %s", name, names(all))
		}
	}
	for _, c := range all {
		switch {
		case len(o.Only) > 0 && !slices.Contains(o.Only, c.name):
		case !c.installed(ctx):
			report.Missing = append(report.Missing, c.name)
		default:
			out = append(out, c)
		}
	}
	return out, nil
}

// bench is the measuring of one web.
type bench struct {
	Options
	dir   string
	web   *webtest.Web
	asked int // about so many pages were to be in the web
	pages int // in the web
	site  *site
}

// run measures all crawlers on the web.
func (b *bench) run(ctx context.Context, crawlers []crawler) (table Table, err error) {
	table.Pages = b.pages
	if b.site, err = startSite(ctx, b.Child, b.asked); err != nil {
		return table, err
	}
	defer func() { err = errors.Join(err, b.site.close()) }()
	for _, c := range crawlers {
		var runs []Row
		for n := range b.Runs {
			row, err := b.measure(ctx, c, filepath.Join(b.dir, fmt.Sprintf("%s-%d-%d", c.name, b.asked, n)))
			if err != nil {
				return table, fmt.Errorf("%s: %w", c.name, err)
			}
			runs = append(runs, row)
		}
		table.Rows = append(table.Rows, median(runs))
	}
	compare(table.Rows)
	return table, nil
}

// median is the row whose every figure is the median of its column.
func median(rows []Row) Row {
	out := rows[0]
	for _, figure := range []func(*Row) *float64{
		func(r *Row) *float64 { return &r.Seconds }, func(r *Row) *float64 { return &r.Rate },
		func(r *Row) *float64 { return &r.CPU }, func(r *Row) *float64 { return &r.Peak },
		func(r *Row) *float64 { return &r.Own }, func(r *Row) *float64 { return &r.Disk },
	} {
		values := make([]float64, len(rows))
		for i := range rows {
			values[i] = *figure(&rows[i])
		}
		slices.Sort(values)
		*figure(&out) = (values[(len(values)-1)/2] + values[len(values)/2]) / 2
	}
	for _, r := range rows {
		out.Found = min(out.Found, r.Found)
		out.Note = max(out.Note, r.Note)
	}
	return out
}

// compare fills in the ratios to the bare crawler.
func compare(rows []Row) {
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Crawler == bareName })
	if i < 0 || rows[i].Rate == 0 || rows[i].CPU == 0 {
		return
	}
	bare := rows[i]
	for i := range rows {
		rows[i].RateRatio, rows[i].CPURatio = rows[i].Rate/bare.Rate, rows[i].CPU/bare.CPU
	}
}
