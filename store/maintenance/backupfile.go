package maintenance

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"angler/store"
	"angler/store/modes"
	"angler/store/sealed"
)

// WriteBackupFile is WriteBackup to a file that only its owner can read. The file gets its name
// when it is complete: written, flushed and read back. It replaces an existing file only with
// replace; otherwise the error is fs.ErrExist.
func WriteBackupFile(ctx context.Context, src *store.Source, path string, replace bool,
	p BackupPlan) (*Manifest, error) {
	return ReceiveBackup(ctx, path, replace, func(w io.Writer) error {
		_, err := WriteBackup(ctx, src, w, p)
		return err
	})
}

// ReceiveBackup is WriteBackupFile for an archive that write provides.
func ReceiveBackup(ctx context.Context, path string, replace bool, write func(io.Writer) error) (*Manifest, error) {
	return receive(ctx, path, replace, sealed.Branches, write)
}

// temporaryName is the name pattern of an incomplete backup.
const temporaryName = ".angler-backup-*"

func receive(ctx context.Context, path string, replace bool, depth sealed.Depth,
	write func(io.Writer) error) (*Manifest, error) {
	var m *Manifest
	temporary := func(folder string) (*os.File, error) { return os.CreateTemp(folder, temporaryName) } // mode 0600
	err := modes.Whole(path, replace, temporary, func(f *os.File) (err error) {
		m, err = fill(ctx, f, depth, write)
		return err
	})
	if err == nil {
		if err = modes.SyncFolder(filepath.Dir(path)); err != nil {
			err = fmt.Errorf("%s was not written: %w", path, err)
		}
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// fill writes an archive, flushes it and reads it back.
func fill(ctx context.Context, f *os.File, depth sealed.Depth, write func(io.Writer) error) (*Manifest, error) {
	w := bufio.NewWriterSize(f, 1<<20)
	err := write(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return nil, err
	}
	return verify(ctx, f.Name(), depth)
}

// StageBackup writes a backup into an unnamed file in dir, verifies it and returns it at its
// beginning. The caller closes it, which frees its space. So a slow reader does no harm.
func StageBackup(ctx context.Context, src *store.Source, dir string, p BackupPlan) (*os.File, *Manifest, error) {
	f, err := os.CreateTemp(dir, temporaryName)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot write to %s: %w", dir, err)
	}
	defer os.Remove(f.Name())
	m, err := fill(ctx, f, sealed.Branches, func(w io.Writer) error {
		_, err := WriteBackup(ctx, src, w, p)
		return err
	})
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if errors.Is(err, syscall.ENOSPC) {
		err = fmt.Errorf("no room for a copy in %s: %w; free some space", dir, syscall.ENOSPC)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, m, nil
}
