package store

import (
	"path/filepath"

	"angler/store/config"
)

// Settings returns a copy of the settings in force: the file as read at Open, with every change
// since. The lists are shared and must not be changed.
func (w *Workspace) Settings() config.Settings {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.set
}

// ChangeSettings changes settings in the file and in force, in one step. It keeps every comment of
// the file. After an error nothing has changed.
func (w *Workspace) ChangeSettings(change func(*config.Settings)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	to := w.set.Clone()
	change(&to)
	now, err := w.set.Edit(filepath.Join(w.dir, config.Name), &to)
	if err == nil {
		w.set = now
	}
	return err
}

// RereadSettings loads angler.toml after a person has edited it. check gets the new content. If the
// file is unreadable or check fails, nothing changes. check must not call the workspace.
func RereadSettings(w *Workspace, check func(file *config.Settings) error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	file, err := config.Read(w.dir)
	if err == nil {
		err = check(&file)
	}
	if err == nil {
		w.set = file
	}
	return err
}
