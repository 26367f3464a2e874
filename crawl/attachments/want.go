package attachments

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"angler/crawl/urls"
	"angler/store"
	"angler/store/records"
)

// This file selects the documents to fetch.

// Ask requests the documents of notices, independent of the rule, and returns their number. They
// are fetched in the background. Failed ones are retried.
func (k *Documents) Ask(ids []uint64) (int, error) {
	var list []*store.Notice
	for _, id := range ids {
		n, err := k.Store.Notice(id)
		if err != nil {
			return 0, err
		}
		if n != nil {
			list = append(list, n)
		}
	}
	n, err := k.want(list, true)
	if err == nil && n > 0 {
		k.changed()
		k.signal()
	}
	return n, err
}

// WantAll is Ask for all notices that a filter selects, without fetching; see FetchAll.
func (k *Documents) WantAll(ctx context.Context, filter string) (int, error) {
	list, err := k.chosen(ctx, filter)
	if err != nil {
		return 0, err
	}
	return k.want(list, true)
}

func (k *Documents) chosen(ctx context.Context, filter string) (list []*store.Notice, err error) {
	err = k.Select(ctx, filter, func(n *store.Notice) error {
		if len(n.Attachments) > 0 {
			list = append(list, n)
		}
		return nil
	})
	return list, err
}

// Harvested applies the rule after a run with new notices and fetches in the background. It does
// not block.
func (k *Documents) Harvested() {
	if k.Settings().Attachments.Fetch == "" || store.ReadOnly(k.Store) || k.Jobs.Context.Err() != nil {
		return
	}
	k.run(func() {
		n, err := k.applyRule(k.Jobs.Context)
		switch {
		case k.Jobs.Context.Err() != nil:
		case err != nil:
			k.Events.Note("error", "documents, by attachments.fetch: %v", err)
		case n > 0:
			k.signal()
		}
	})
}

// applyRule marks the documents that the rule selects as wanted.
func (k *Documents) applyRule(ctx context.Context) (int, error) {
	list, err := k.chosen(ctx, k.Settings().Attachments.Fetch)
	if err != nil {
		return 0, err
	}
	return k.want(list, false)
}

// want marks the documents of notices as wanted and returns their number. The rule (asked is false)
// selects only unknown documents with the file endings of the settings.
func (k *Documents) want(list []*store.Notice, asked bool) (n int, err error) {
	if store.ReadOnly(k.Store) {
		return 0, store.ErrReadOnly
	}
	types := k.Settings().Attachments.Types
	k.rows.Lock()
	defer k.rows.Unlock()
	for batch := range slices.Chunk(list, 256) {
		var addresses []string
		for _, x := range batch {
			for _, a := range x.Attachments {
				addresses = append(addresses, a.URL)
			}
		}
		rows, err := records.DocumentsOf(k.Store, addresses)
		if err != nil {
			return n, err
		}
		changed := map[string]*records.Document{}
		for _, x := range batch {
			for _, a := range x.Attachments {
				row := rows[a.URL]
				if row == nil {
					if !asked && !slices.Contains(types, ending(a)) {
						continue
					}
					row = &records.Document{URL: a.URL, Name: a.Name, State: records.DocumentWanted, Asked: asked,
						At: k.Now()}
					rows[a.URL], changed[a.URL] = row, row
					n++
				} else if asked && (row.State != records.DocumentKept || k.fileMissing(row)) &&
					(!row.Asked || row.State != records.DocumentWanted || row.Fails > 0) {
					*row = records.Document{URL: row.URL, Name: row.Name, Notices: row.Notices,
						State: records.DocumentWanted,
						Asked: true, At: k.Now()}
					changed[a.URL] = row
					n++
				} else if asked && row.State == records.DocumentWanted {
					n++
				}
				if len(row.Notices) < maxNotices && !slices.Contains(row.Notices, x.ID) {
					row.Notices = append(row.Notices, x.ID)
					changed[a.URL] = row
				}
			}
		}
		if len(changed) == 0 {
			continue
		}
		put := make([]*records.Document, 0, len(changed))
		for _, row := range changed {
			put = append(put, row)
		}
		if err := records.PutDocuments(k.Store, put...); err != nil {
			return n, err
		}
	}
	return n, nil
}

// maxNotices bounds the notices notified about one document's text. A form that all notices of a
// site link to is no news for each.
const maxNotices = 1000

// ending returns the file ending of a document's name or address, in lower case without the dot.
func ending(a store.Attachment) string {
	for _, s := range []string{a.Name, a.URL} {
		if urls.ClassOf(s) == urls.Page && s != a.Name {
			continue
		}
		s, _, _ = strings.Cut(s, "?")
		if ext := strings.ToLower(strings.TrimPrefix(path.Ext(s), ".")); ext != "" && len(ext) <= 5 {
			return ext
		}
	}
	if i := strings.LastIndexByte(a.URL, '.'); i >= 0 && len(a.URL)-i <= 6 { // …?file=a.pdf
		return strings.ToLower(a.URL[i+1:])
	}
	return ""
}

// errBudgetSpent means that the rule fetched its daily budget.
var errBudgetSpent = errors.New("the budget of today is spent")

// budget returns how many bytes the rule may still fetch today.
func (k *Documents) budget(rows []*records.Document) int64 {
	left := int64(k.Settings().Attachments.BudgetMB) << 20
	y, m, d := k.Now().Date()
	for _, r := range rows {
		if ry, rm, rd := r.At.In(k.Now().Location()).Date(); r.State == records.DocumentKept && !r.Asked && ry == y &&
			rm == m && rd == d {
			left -= r.Size
		}
	}
	return left
}

// tooLong says why a document is not kept.
func tooLong(mb int) string {
	return fmt.Sprintf("it is longer than %d MB (attachments.max_mb)", mb)
}

// fileMissing reports whether the file of a kept document is gone, because a backup omitted it or a
// person deleted it.
func (k *Documents) fileMissing(row *records.Document) bool {
	_, err := os.Stat(records.DocumentPath(k.Store.Dir(), row.File))
	return row.State == records.DocumentKept && errors.Is(err, fs.ErrNotExist)
}
