package attachments

import (
	"context"
	"errors"
	"sync"

	"angler/store/records"
)

// This file reads the texts of stored files.

// readTexts reads texts that are missing, of an older ReaderVersion, or without a converter at that
// time.
func (k *Documents) readTexts(ctx context.Context, sum *FetchSummary) error {
	rows, err := records.Documents(k.Store)
	if err != nil {
		return err
	}
	have := Installed()
	todo := map[string][]*records.Document{} // by hash
	for _, r := range rows {
		if r.State != records.DocumentKept {
			continue
		}
		t, err := records.DocumentTextOf(k.Store, r.Hash)
		if err != nil {
			return err
		}
		if t == nil || t.Version != ReaderVersion || t.Unconverted && readsKind(have, documentKind(r.Kind)) {
			todo[r.Hash] = append(todo[r.Hash], r)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	shown, ctx := k.Jobs.Background(ctx, "reading documents", len(todo))
	defer shown.End()
	var mu sync.Mutex
	for _, rows := range todo {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		body, err := records.ReadDocument(k.Store.Dir(), rows[0])
		if errors.Is(err, records.ErrFileGone) {
			for _, r := range rows {
				r.State, r.Why = records.DocumentFailed, err.Error()
				r.Hash, r.File = "", ""
			}
			err = records.PutDocuments(k.Store, rows...) // the only writer: fetching and reading take turns
		} else if err == nil {
			err = k.readText(ctx, rows[0], body, "", sum, &mu)
		} else {
			k.Events.Note("warn", "documents: %v", err)
			err = records.PutDocumentText(k.Store, rows[0].Hash,
				&records.DocumentText{Version: ReaderVersion, Why: err.Error()})
		}
		if err != nil {
			return err
		}
		for _, r := range rows {
			k.notify(r.Notices)
		}
		k.changed()
		shown.Done.Add(1)
	}
	return nil
}

// readText reads one file and stores its text, or why there is none.
func (k *Documents) readText(ctx context.Context, r *records.Document, body []byte, contentType string,
	sum *FetchSummary,
	mu *sync.Mutex) error {
	t, err := k.reader.Read(ctx, body, nameOf(r), contentType)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	row := &records.DocumentText{Version: ReaderVersion, Text: t.Text, Pages: t.Pages, Cut: t.Cut}
	if err != nil {
		row.Why, row.Unconverted = err.Error(), errors.Is(err, errNoConverter)
	}
	mu.Lock()
	sum.Read++
	if t.Text != "" {
		sum.Texts++
	}
	mu.Unlock()
	return records.PutDocumentText(k.Store, r.Hash, row)
}
