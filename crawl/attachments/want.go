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

// This file says which documents are wanted.

// Ask has the documents of notices fetched in the background, whatever the rule says,
// and returns how many that are. Those that failed are tried again.
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
		k.stir()
	}
	return n, err
}

// WantAll is Ask for all notices that a filter lets pass, without fetching yet, see
// FetchAll.
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

// Harvested has the rule choose documents, after a run that brought notices home, and
// fetches them in the background. It returns at once.
func (k *Documents) Harvested() {
	if k.Settings().Attachments.Fetch == "" || store.ReadOnly(k.Store) || k.Jobs.Context.Err() != nil {
		return
	}
	k.run(func() {
		n, err := k.rule(k.Jobs.Context)
		switch {
		case k.Jobs.Context.Err() != nil:
		case err != nil:
			k.Events.Note("error", "documents, by attachments.fetch: %v", err)
		case n > 0:
			k.stir()
		}
	})
}

// rule notes the documents that the rule in the settings wants.
func (k *Documents) rule(ctx context.Context) (int, error) {
	list, err := k.chosen(ctx, k.Settings().Attachments.Fetch)
	if err != nil {
		return 0, err
	}
	return k.want(list, false)
}

// want notes the documents of notices as wanted. By the rule only those are of which
// nothing is known yet and whose names end as the settings say.
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
					row = &records.Document{URL: a.URL, Name: a.Name, State: records.DocumentWanted, Asked: asked, At: k.Now()}
					rows[a.URL], changed[a.URL] = row, row
					n++
				} else if asked && (row.State != records.DocumentKept || k.gone(row)) && (!row.Asked || row.State != records.DocumentWanted || row.Fails > 0) {
					*row = records.Document{URL: row.URL, Name: row.Name, Notices: row.Notices, State: records.DocumentWanted, Asked: true, At: k.Now()}
					changed[a.URL] = row
					n++
				} else if asked && row.State == records.DocumentWanted {
					n++
				}
				if len(row.Notices) < mostNotices && !slices.Contains(row.Notices, x.ID) {
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

// mostNotices that link to one document are told when its text comes: a form that all
// notices of a site link to is no news for each.
const mostNotices = 1000

// ending is what the name or the address of a document ends in, without the dot, in
// lower case.
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

// errSpent says that the rule has fetched what it may today.
var errSpent = errors.New("the budget of today is spent")

// budget is what the rule may still fetch today, in bytes.
func (k *Documents) budget(rows []*records.Document) int64 {
	left := int64(k.Settings().Attachments.BudgetMB) << 20
	y, m, d := k.Now().Date()
	for _, r := range rows {
		if ry, rm, rd := r.At.In(k.Now().Location()).Date(); r.State == records.DocumentKept && !r.Asked && ry == y && rm == m && rd == d {
			left -= r.Size
		}
	}
	return left
}

// tooLong is why a document is not kept.
func tooLong(mb int) string {
	return fmt.Sprintf("it is longer than %d MB (attachments.max_mb)", mb)
}

// gone reports that the file of a document that was kept is not here any more: it was
// left out of a backup, or a person took it away.
func (k *Documents) gone(row *records.Document) bool {
	_, err := os.Stat(records.DocumentPath(k.Store.Dir(), row.File))
	return row.State == records.DocumentKept && errors.Is(err, fs.ErrNotExist)
}
