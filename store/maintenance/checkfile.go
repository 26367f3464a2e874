package maintenance

import (
	"fmt"
	"slices"

	"angler/store"
	"angler/store/schema"
	"angler/store/sealed"
)

// fileReport is the result of CheckFile.
type fileReport struct {
	Problems []Problem
	Pages    uint64 // read
	Torn     bool   // bbolt cannot open the file; only a backup helps
}

// CheckFile checks the pages of a workspace's database without bbolt, which trusts them: the
// length, and whether they form trees. It also works on a file that Open refuses. The error is
// ErrLocked if the workspace is in use.
func CheckFile(dir string) (*fileReport, error) {
	free, err := store.Hold(dir)
	if err != nil {
		return nil, err
	}
	defer free()
	r, err := sealed.Inspect(store.DatabasePath(dir), sealed.Leaves)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s (%v)", store.DatabasePath(dir), err)
	}
	f := &fileReport{Pages: r.Pages}
	for _, text := range r.Problems {
		f.Problems = append(f.Problems, Problem{Text: text})
	}
	if r.More > 0 {
		f.Problems = append(f.Problems, Problem{Text: fmt.Sprintf("%d more pages", r.More)})
	}
	bucketProblems(f, r)
	if r.Spare != "" {
		f.Problems = append(f.Problems, Problem{Text: r.Spare, Repairs: "writes it anew",
			fix: func(sealed.Tx) error { return nil }})
	}
	if r.Lost > 0 {
		f.Problems = append(f.Problems, Problem{Text: fmt.Sprintf("%d pages are neither used nor free; angler workspace compact gives them back", r.Lost)})
	}
	return f, nil
}

// Mend repairs the problems of a file that Torn does not cover.
func (f *fileReport) Mend(w *store.Workspace) error {
	return mend(store.RowsOf(w), slices.DeleteFunc(slices.Clone(f.Problems),
		func(p Problem) bool { return p.fix == nil }))
}

// bucketProblems compares the names of buckets with those a workspace must have.
func bucketProblems(f *fileReport, r *sealed.Report) {
	f.Torn = len(r.Problems) > 0
	known := slices.Concat(schema.Buckets, whereNeeded())
	for _, name := range r.Buckets {
		if !slices.ContainsFunc(known, func(b []byte) bool { return string(b) == name }) {
			f.Problems = append(f.Problems, Problem{Text: fmt.Sprintf("there is a bucket %q, which no workspace has", name)})
		}
	}
	for _, b := range store.MissingBuckets(r.Buckets) {
		f.Torn = true
		f.Problems = append(f.Problems, Problem{Text: fmt.Sprintf("bucket %s is missing", b)})
	}
}
