package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"angler/crawl/run"
	"angler/store/export"
	"angler/store/warc"
)

// indexName returns the path of an archive's index: x.cdxj for x.warc.gz.
func indexName(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".warc") + ".cdxj"
}

// ExportFile is Export to a file and its index file. Both files appear when complete. An existing
// file is replaced only if replace is set. A job shows the progress.
func (a *Archive) ExportFile(ctx context.Context, path string, replace bool) (done Exported, err error) {
	if err := a.Decisions.Words(ctx); err != nil {
		return done, err
	}
	if ctx, err = a.Jobs.Begin(ctx, "writing an archive", a.Store.Counts().Pages); err != nil {
		return done, err
	}
	defer a.Jobs.End()
	err = export.WriteFile(indexName(path), replace, func(index io.Writer) error {
		return export.WriteFile(path, replace, func(w io.Writer) error {
			done, err = a.export(ctx, w, index, filepath.Base(path), func() { a.Jobs.Done.Add(1) })
			return err
		})
	})
	return done, err
}

// Source is an archive to import.
type Source struct {
	Name string
	Open func() (io.ReadCloser, error)
	Size int64 // bytes; 0 = unknown
}

// ImportFile is ImportAll for one file.
func (a *Archive) ImportFile(ctx context.Context, path string) (Imported, error) {
	f, err := os.Open(path)
	if err != nil {
		return Imported{}, fmt.Errorf("cannot read the archive: %w", err)
	}
	about, err := f.Stat()
	if err == nil && about.IsDir() {
		err = fmt.Errorf("%s is a folder: name a file", path)
	}
	if err != nil {
		f.Close() // nothing was read
		return Imported{}, err
	}
	open := func() (io.ReadCloser, error) { return f, nil }
	sum, err := a.ImportAll(ctx, []Source{{Name: filepath.Base(path), Open: open, Size: about.Size()}},
		func(string, Imported) {})
	f.Close() // Open may not have been called
	return sum, err
}

// countingReader counts the bytes read.
type countingReader struct {
	io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

// ImportAll imports archives one after the other. At the end it judges all pages alike and makes
// notices from the aggregation pages, without a request. A broken archive is imported up to the
// damage, and the others are still imported; the error names the broken ones. If ctx ends, the
// imported pages stay. progress is called with an archive's name and its counts so far.
func (a *Archive) ImportAll(
	ctx context.Context, from []Source, progress func(name string, so Imported),
) (sum Imported, err error) {
	if a.Jobs.Task() != "" {
		return sum, run.ErrBusy
	}
	if err := a.Decisions.Words(ctx); err != nil {
		return sum, err
	}
	name, total := "taking in an archive", 0
	if len(from) == 1 && from[0].Size > 0 {
		name, total = "taking in an archive, percent", 100
	}
	importCtx, err := a.Jobs.Begin(ctx, name, total)
	if err != nil {
		return sum, err
	}
	sum.Left = map[string]int{}
	err = a.importSources(importCtx, from, &sum, progress)
	cut := importCtx.Err() != nil
	a.Jobs.End() // judging is a job of its own
	err = errors.Join(err, a.Decisions.Conclude())
	if sum.Unjudged = a.Decisions.State().Empty(); sum.Unjudged || cut {
		return sum, err
	}
	made, failed := a.Harvest(ctx)
	sum.Lists, sum.Notices, sum.Absent = made.Aggregations, made.Notices, made.Absent
	return sum, errors.Join(err, failed)
}

func (a *Archive) importSources(ctx context.Context, from []Source, sum *Imported,
	progress func(string, Imported)) (err error) {
	if err := a.Reader.Begin("import"); err != nil {
		return err
	}
	for _, s := range from {
		r, failed := s.Open()
		if failed != nil {
			return errors.Join(err, failed)
		}
		before, in := sum.Pages, &countingReader{Reader: r}
		so, failed := a.importFrom(ctx, in, func(so Imported) {
			done := int64(before + so.Pages)
			if len(from) == 1 && s.Size > 0 {
				done = min(100, 100*in.n/s.Size)
			}
			a.Jobs.Done.Store(done)
			progress(s.Name, so)
		})
		r.Close() // opened for reading only
		sum.add(so)
		switch {
		case errors.Is(failed, warc.ErrBroken):
			err = errors.Join(err, fmt.Errorf("%s: %w; what stands before it was taken in", s.Name, failed))
		case failed != nil:
			return errors.Join(err, failed)
		}
	}
	return err
}

func (i *Imported) add(so Imported) {
	i.Records, i.Pages, i.Unchanged, i.Changed = i.Records+so.Records, i.Pages+so.Pages, i.Unchanged+so.Unchanged,
		i.Changed+so.Changed
	for why, n := range so.Left {
		i.Left[why] += n
	}
}

// maxSeeds bounds the seeds found in an archive.
const maxSeeds = 1000

// Seeds returns seeds for a discovery that would find the pages of an archive. These are the seeds
// in the metadata; without any, the first page of every host. Damage ends the search and is an
// error only if no seed was found before.
func Seeds(r io.Reader) ([]string, error) {
	in, err := warc.NewReader(r)
	if err != nil {
		return nil, err
	}
	var seeds, firstPages []string
	hosts := map[string]bool{}
	for len(seeds) < maxSeeds && len(firstPages) < maxSeeds {
		rec, err := in.Next()
		if err != nil {
			if len(seeds)+len(firstPages) == 0 && !errors.Is(err, io.EOF) {
				return nil, err
			}
			break
		}
		u, err := url.Parse(rec.Target)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			continue
		}
		switch rec.Type {
		case warc.Response, warc.Resource:
			if !hosts[u.Host] && u.Path != "/robots.txt" {
				hosts[u.Host] = true
				firstPages = append(firstPages, rec.Target)
			}
		case warc.Metadata:
			// redirects and pages of sitemaps have no hops either
			if hops, via, told := hopsOf(rec); told && hops == "" && via == "" {
				seeds = append(seeds, rec.Target)
			}
		}
	}
	switch {
	case len(seeds) > 0:
		return seeds, nil
	case len(firstPages) > 0:
		return firstPages, nil
	}
	return nil, errors.New("there is no page in it")
}

// hopsOf returns the hops of a metadata record and the page that linked to its address; told is false without hops.
func hopsOf(rec *warc.Record) (hops, via string, told bool) {
	fields := warc.ReadLines(rec.Block)
	i := slices.IndexFunc(fields, func(f warc.Field) bool { return strings.EqualFold(f.Name, fieldHops) })
	if i < 0 {
		return "", "", false
	}
	return fields[i].Value, fields.Get(fieldVia), true
}
