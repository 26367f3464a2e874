package search

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"angler/store"
	"angler/store/modes"
	"angler/store/sealed"
)

// This file reads the index of a workspace that another process has open, or that cannot be
// written. Segments never change, so a copy of the small root file is a snapshot of the index while
// its segments exist. If a segment is merged away meanwhile, another copy is made.

// maxCopies bounds the attempts.
const maxCopies = 3

// readCopy opens a copy of the index until ctx ends. Every query also reads the notices that the
// copy lacks; without a readable index, all notices.
func (k *keeper) readCopy(ctx context.Context) {
	for range maxCopies {
		dir, err := copyIndex(ctx, k.dir)
		if err != nil {
			k.setProgress(Progress{Why: "there is no search index that can be read"})
			break
		}
		defer os.RemoveAll(dir)
		ix, err := openIndex(dir, true)
		if err != nil {
			continue
		}
		if err := k.adopt(ctx, ix); err != nil {
			_ = ix.close()
			continue
		}
		break
	}
	if !k.present().Ready {
		k.setProgress(Progress{Why: "there is no search index that can be read"})
	}
	k.Grown()
	<-ctx.Done()
	k.shut()
}

// adopt makes an index the one in force. Notices that differ from the store are queued, so that
// queries read them; up to maxWaiting of them are kept in memory.
func (k *keeper) adopt(ctx context.Context, ix *index) error {
	if err := k.loadValues(ctx); err != nil {
		return err
	}
	s, err := ix.snapshot()
	if err != nil {
		return err
	}
	have, _ := s.indexed()
	s.close()
	waiting := map[uint64]*store.Notice{}
	err = k.eachSource(ctx, k.Dict().Fingerprint(), func(id uint64, m docSource) {
		if have[id].row != m.row {
			waiting[id] = nil
		}
	})
	if err != nil {
		return err
	}
	for i, id := range slices.Sorted(maps.Keys(waiting)) {
		if i == maxWaiting {
			break
		}
		if waiting[id], err = k.Store.Notice(id); err != nil {
			return err
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.index, k.whole, k.waiting = ix, true, waiting
	k.setProgressLocked(Progress{Ready: true})
	return nil
}

// copyIndex makes a folder with a snapshot of the index; its segments are links to the originals.
func copyIndex(ctx context.Context, from string) (dir string, err error) {
	made, err := os.MkdirTemp("", "angler-search-*")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(made)
		}
	}()
	f, err := os.OpenFile(filepath.Join(made, rootFile), os.O_RDWR|os.O_CREATE|os.O_EXCL, modes.File)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if err := sealed.CopyBeside(ctx, filepath.Join(from, rootFile), f); err != nil {
		return "", err
	}
	from, err = filepath.Abs(from)
	if err != nil {
		return "", err
	}
	segments, err := filepath.Glob(filepath.Join(from, "*.zap"))
	if err != nil {
		return "", err
	}
	for _, path := range segments {
		if err := os.Symlink(path, filepath.Join(made, filepath.Base(path))); err != nil {
			return "", err
		}
	}
	return made, nil
}
