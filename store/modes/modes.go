// Package modes keeps what is for its owner alone for its owner alone: folders and
// files that are made, files that are written anew, and what others could read of
// those that are there. A file keeps the mode that a person has given it.
package modes

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The modes of what is made.
const (
	File   fs.FileMode = 0o600
	Folder fs.FileMode = 0o700
)

// MakeFolder makes a folder that may be there already; those above it are like any
// other.
func MakeFolder(dir string) error {
	if err := os.MkdirAll(filepath.Dir(filepath.Clean(dir)), 0o755); err != nil {
		return err
	}
	if err := os.Mkdir(dir, Folder); err == nil || !errors.Is(err, fs.ErrExist) {
		return err
	}
	return os.MkdirAll(dir, Folder) // says so when it is a file
}

// Replace writes a file in one step, so that a crash leaves the old or the new one.
// What a symbolic link leads to is replaced, and mode and owner stay.
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
	_ = SyncFolder(filepath.Dir(path)) // what is in place stays there without it but for a crash of the machine
	return nil
}

// likeBefore gives a file that is about to take another's place its mode and, as
// far as this process may, its owner.
func likeBefore(f *os.File, path string) error {
	st, err := os.Stat(path)
	if err != nil {
		return f.Chmod(File)
	}
	// Only root may give a file away; anybody else's rewriting makes it theirs,
	// because the folder was theirs to write.
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

// Rule is what others may not do with a file.
type Rule struct {
	Name string      // within the folder, slash-separated
	Not  fs.FileMode // bits that must not be set
	Why  string      // what follows the name and mode in the line for people
}

// Exposed says, a line each, which files of a folder break a rule. Nothing does
// within a folder that no other user can enter.
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
