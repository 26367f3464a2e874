package store

import (
	"path/filepath"

	"angler/store/config"
)

// Settings returns a copy of the settings in force: those of the file as it was
// read at Open, with every change since. Its lists
// are shared: they are not changed in place.
func (w *Workspace) Settings() config.Settings {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.set
}

// ChangeSettings changes settings in the file and in force, in one step and
// with every comment kept, or changes nothing.
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

// RereadSettings takes up angler.toml as a person has edited it while the
// workspace is open. check is given what the file says now; what it refuses, or
// cannot be read, changes nothing. It must not call the workspace.
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
