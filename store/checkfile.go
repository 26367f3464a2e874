package store

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"angler/store/records"
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
	free, err := Hold(dir)
	if err != nil {
		return nil, err
	}
	defer free()
	r, err := sealed.Inspect(DatabasePath(dir), sealed.Leaves)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s (%v)", DatabasePath(dir), err)
	}
	f := &fileReport{Pages: r.Pages, Torn: torn(r)}
	problem := func(format string, args ...any) {
		f.Problems = append(f.Problems, Problem{Text: fmt.Sprintf(format, args...)})
	}
	for _, text := range r.Problems {
		problem("%s", text)
	}
	if r.More > 0 {
		problem("%d more pages", r.More)
	}
	for _, name := range r.Buckets {
		if !knownBucket(name) {
			problem("there is a bucket %q, which no workspace has", name)
		}
	}
	for _, b := range missingBuckets(r.Buckets) {
		problem("bucket %s is missing", b)
	}
	if r.Spare != "" {
		f.Problems = append(f.Problems, Problem{Text: r.Spare, Repairs: "writes it anew"}) // by any transaction
	}
	if r.Lost > 0 {
		problem("%d pages are neither used nor free; angler workspace compact gives them back", r.Lost)
	}
	return f, nil
}

// IsDamaged reports whether the database at path cannot be opened or is partly unreadable.
func IsDamaged(path string) bool {
	r, err := sealed.Inspect(path, sealed.Leaves)
	return err != nil || torn(r) || errors.Is(CheckCopy(path), ErrDamaged)
}

// torn reports whether pages or buckets of a file are damaged or missing.
func torn(r *sealed.Report) bool { return len(r.Problems) > 0 || len(missingBuckets(r.Buckets)) > 0 }

// knownBucket reports whether a workspace may have a bucket of that name.
func knownBucket(name string) bool {
	is := func(b []byte) bool { return string(b) == name }
	return slices.ContainsFunc(slices.Concat(schema.Buckets, [][]byte{bucketLost, packBucket, spentPacks}), is) ||
		slices.ContainsFunc(otherBuckets, func(r records.Bucket) bool { return is(r.Name) })
}

// missingBuckets returns the buckets that every database has and that are not among
// names. A database of version 7 has Desk in place of Decisions.
func missingBuckets(names []string) (missing []string) {
	for _, b := range schema.Buckets {
		older := bytes.Equal(b, schema.Decisions) && slices.Contains(names, string(schema.Desk))
		if !older && !slices.Contains(names, string(b)) {
			missing = append(missing, string(b))
		}
	}
	return missing
}
