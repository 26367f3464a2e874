package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"angler/store/redact"
)

// What a workspace consists of is for its owner alone: pages behind a proxy, what
// analysts think, keys. What is there keeps the mode somebody has given it, also
// when it is written anew.
const (
	fileMode   fs.FileMode = 0o600
	folderMode fs.FileMode = 0o700
)

// makeFolder makes the folder of a workspace; those above it are like any other.
func makeFolder(dir string) error {
	if err := os.MkdirAll(filepath.Dir(filepath.Clean(dir)), 0o755); err != nil {
		return err
	}
	if err := os.Mkdir(dir, folderMode); err == nil || !errors.Is(err, fs.ErrExist) {
		return err
	}
	return os.MkdirAll(dir, folderMode) // says so when it is a file
}

// likeBefore gives a file that is about to take another's place its mode and, as
// far as this process may, its owner. A new file has fileMode.
func likeBefore(f *os.File, path string) error {
	st, err := os.Stat(path)
	if err != nil {
		return f.Chmod(fileMode)
	}
	// Only root may give a file away; anybody else's rewriting makes it theirs,
	// because the folder was theirs to write.
	keepOwner(f, st)
	return f.Chmod(st.Mode().Perm())
}

// Exposed says, a line each, which files of a workspace can be read or written by
// other users of the machine though they should not.
func Exposed(dir string) []string {
	var out []string
	look := func(name string, bits fs.FileMode, what string) {
		path := filepath.Join(dir, name)
		if st, err := os.Stat(path); err == nil && st.Mode().Perm()&bits != 0 {
			out = append(out, fmt.Sprintf("%s (mode %04o) %s", path, st.Mode().Perm(), what))
		}
	}
	if st, err := os.Stat(dir); err == nil && st.Mode().Perm()&0o077 == 0 {
		return nil // nobody else gets that far
	}
	look(filepath.Join(sshDir, hostFile), 0o077, "holds the server's private key and can be read by others: chmod 600 it, and make another if somebody saw it")
	look(filepath.Join(sshDir, keysFile), 0o022, "says who may log in and can be written by others: chmod 600 it")
	look(settingsFile, 0o022, "says where to crawl and can be written by others: chmod 600 it")
	look(databaseFile, 0o022, "can be written by others: chmod 600 it")
	if set, err := ReadSettings(dir); err == nil && redact.Address(set.Crawl.Proxy) != set.Crawl.Proxy {
		look(settingsFile, 0o044, "holds the password of a proxy and can be read by others: chmod 600 it")
	}
	look(databaseFile, 0o004, "can be read by everybody: chmod 600 it, or chmod 700 the folder, if the pages are not for everybody")
	return out
}
