package attachments

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"angler/store/records"
)

// Delete removes files of documents kept since before a time, unless keep returns true for one of
// their notices. It returns their number and bytes; dry only counts. Texts stay, and a later
// request fetches the document again.
func (k *Documents) Delete(before time.Time, keep func(notice uint64) bool, dry bool) (n int, size int64, err error) {
	k.rows.Lock()
	defer k.rows.Unlock()
	rows, err := records.Documents(k.Store)
	if err != nil {
		return 0, 0, err
	}
	files := map[string][]*records.Document{} // by hash
	stay := map[string]bool{}
	for _, r := range rows {
		if r.State != records.DocumentKept {
			continue
		}
		files[r.Hash] = append(files[r.Hash], r)
		if !r.At.Before(before) || slices.ContainsFunc(r.Notices, keep) {
			stay[r.Hash] = true
		}
	}
	for hash, rows := range files {
		if stay[hash] {
			continue
		}
		n, size = n+1, size+rows[0].Size
		if dry {
			continue
		}
		file := records.DocumentPath(k.Store.Dir(), rows[0].File)
		for _, r := range rows {
			r.State, r.Why, r.Hash, r.File = records.DocumentSkipped,
				"its file was kept long enough (retention.attachment_days)",
				"", ""
		}
		if err := records.PutDocuments(k.Store, rows...); err != nil { // first: a file without a row does no harm
			return n, size, err
		}
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return n, size, err
		}
	}
	return n, size, nil
}
