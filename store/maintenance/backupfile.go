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

// WriteBackupFile is Write to a file that only its owner can read. It appears under its
// name when it is whole: written, on the disk, and read back. A file that is
// there is replaced only if replace says so, else the error is fs.ErrExist.
func WriteBackupFile(ctx context.Context, src *store.Source, path string, replace bool, p BackupPlan) (*Manifest, error) {
	return ReceiveBackup(ctx, path, replace, func(w io.Writer) error {
		_, err := WriteBackup(ctx, src, w, p)
		return err
	})
}

// ReceiveBackup is WriteFile for an archive that write brings from somewhere else.
func ReceiveBackup(ctx context.Context, path string, replace bool, write func(io.Writer) error) (*Manifest, error) {
	return receive(ctx, path, replace, sealed.Branches, write)
}

// temporaryName is that of a backup until it is whole.
const temporaryName = ".angler-backup-*"

func receive(ctx context.Context, path string, replace bool, depth sealed.Depth, write func(io.Writer) error) (*Manifest, error) {
	var m *Manifest
	temporary := func(folder string) (*os.File, error) { return os.CreateTemp(folder, temporaryName) } // mode 0600
	err := modes.Whole(path, replace, temporary, func(f *os.File) (err error) {
		w := bufio.NewWriterSize(f, 1<<20)
		if err = write(w); err == nil {
			err = w.Flush()
		}
		if err == nil {
			err = f.Sync()
		}
		if err == nil {
			m, err = verify(ctx, f.Name(), depth)
		}
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

// StageBackup writes a backup into a file of the folder dir that has no name, verifies
// it and returns it, read from its beginning; the caller closes it, and nothing is
// left. So a reader may take as long as it likes.
func StageBackup(ctx context.Context, src *store.Source, dir string, p BackupPlan) (*os.File, *Manifest, error) {
	f, err := os.CreateTemp(dir, temporaryName)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot write to %s: %w", dir, err)
	}
	defer os.Remove(f.Name())
	w := bufio.NewWriterSize(f, 1<<20)
	_, err = WriteBackup(ctx, src, w, p)
	if err == nil {
		err = w.Flush()
	}
	var m *Manifest
	if err == nil {
		m, err = VerifyBackup(ctx, f.Name())
	}
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
