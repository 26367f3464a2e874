package maintenance

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"angler/store/records"
)

// This file handles the fetched documents of a workspace. Each is named by its hash.

// maxDocuments bounds the documents in an archive.
const maxDocuments = 250_000

var documentName = regexp.MustCompile(`^` + records.AttachmentsFolder + `/([0-9a-f]{2})/([0-9a-f]{64})(\.[a-z0-9]{1,10}){0,2}$`)

// document reports whether a name is a name that records.KeepDocument gives.
func document(name string) bool {
	m := documentName.FindStringSubmatch(name)
	return m != nil && m[2][:2] == m[1]
}

// documents lists the documents of a workspace, and their total bytes.
func documents(ctx context.Context, dir string) (names []string, size int64, err error) {
	err = fs.WalkDir(os.DirFS(dir), records.AttachmentsFolder, func(name string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err = errors.Join(err, ctx.Err()); err != nil || !e.Type().IsRegular() || !document(name) {
			return err
		}
		st, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		size += st.Size()
		if names = append(names, name); len(names) > maxDocuments {
			return fmt.Errorf("%s holds more than %d files; leave them out with --no-attachments and copy the folder",
				filepath.Join(dir, records.AttachmentsFolder), maxDocuments)
		}
		return nil
	})
	return names, size, err
}

// documents lists the documents to include, with their size.
func (x *writer) documents(dir string) ([]string, int64, error) {
	if !x.m.Attachments {
		return nil, 0, nil
	}
	return documents(x.ctx, dir)
}
