// Package modes keeps private files private: it makes folders and files with the right modes,
// replaces files, and finds files that others can read. A file keeps a mode that a person has set.
package modes

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Modes of new files and folders.
const (
	File   fs.FileMode = 0o600
	Folder fs.FileMode = 0o700
)

// MakeFolder makes a private folder, unless it exists. Missing parents get ordinary modes.
func MakeFolder(dir string) error {
	if err := os.MkdirAll(filepath.Dir(filepath.Clean(dir)), 0o755); err != nil {
		return err
	}
	if err := os.Mkdir(dir, Folder); err == nil || !errors.Is(err, fs.ErrExist) {
		return err
	}
	return os.MkdirAll(dir, Folder) // returns the error if it is a file
}

// Replace writes a file in one step, so that a crash leaves the old or the new one. It follows a
// symbolic link, and keeps mode and owner.
func Replace(path string, b []byte) error {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".angler-*"+filepath.Ext(path))
	if err != nil {
		return fmt.Errorf("cannot write %s (%w); check that you may write there", path, Cause(err))
	}
	err = complete(tmp, path, func(f *os.File) error {
		if err := likeBefore(f, path); err != nil {
			return err
		}
		_, err := f.Write(b)
		return err
	})
	if err != nil {
		return fmt.Errorf("cannot write %s (%w); it is as it was", path, Cause(err))
	}
	_ = SyncFolder(filepath.Dir(path)) // without it only a crash of the machine can undo the rename
	return nil
}

// likeBefore gives a new file the mode of the file it replaces and, if permitted, its owner.
func likeBefore(f *os.File, path string) error {
	st, err := os.Stat(path)
	if err != nil {
		return f.Chmod(File)
	}
	// Only root may change the owner. Other users' files become their own, because they may write the
	// folder.
	keepOwner(f, st)
	return f.Chmod(st.Mode().Perm())
}

// Cause strips the operation and path that os errors repeat.
func Cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// Rule is a mode that a file must not have.
type Rule struct {
	Name string      // within the folder, slash-separated
	Not  fs.FileMode // bits that must not be set
	Why  string      // text after name and mode in the line for people
}

// Exposed lists, one a line, the files of a folder that break a rule. It lists none if no other
// user can enter the folder.
func Exposed(dir string, rules []Rule) []string {
	if st, err := os.Stat(dir); err == nil && !LetsOthers(st, 0o077) {
		return nil
	}
	var out []string
	for _, r := range rules {
		path := filepath.Join(dir, filepath.FromSlash(r.Name))
		if st, err := os.Stat(path); err == nil && LetsOthers(st, r.Not) {
			out = append(out, fmt.Sprintf("%s (mode %04o) %s", path, st.Mode().Perm(), r.Why))
		}
	}
	return out
}
