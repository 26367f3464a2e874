package secrets

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/crypto/ssh"

	"angler/store/modes"
)

// This file keeps the files of the SSH server in a workspace's folder: its key and the authorized
// keys. It refuses files with unsafe modes.

// Names within a workspace, slash-separated.
const (
	HostKeyFile        = sshFolder + "/" + hostFile
	AuthorizedKeysFile = sshFolder + "/" + keysFile
	sshFolder          = "ssh"
	hostFile           = "host_ed25519"
	keysFile           = "authorized_keys"
	knownFile          = "known_hosts"
)

// HostAlias is the name of the server's key in KnownHosts; pass it to ssh as HostKeyAlias.
const HostAlias = "angler"

// maxKeys bounds the authorized_keys file, in bytes.
const maxKeys = 1 << 20

// AuthorizedKeysPath returns the path of a workspace's authorized_keys file.
func AuthorizedKeysPath(dir string) string { return filepath.Join(dir, sshFolder, keysFile) }

// KnownHostsPath returns the path of a known_hosts file with the server's key under HostAlias. It
// exists once the workspace was served.
func KnownHostsPath(dir string) string { return filepath.Join(dir, sshFolder, knownFile) }

// HostKey returns the server's private key (PEM, OpenSSH format). The first call makes an Ed25519
// key in a file that only its owner can read. A file that others can read is refused.
func HostKey(dir string) ([]byte, error) {
	path := filepath.Join(dir, sshFolder, hostFile)
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return newHostKey(dir, path)
	case err != nil:
		return nil, fmt.Errorf("cannot read the host key %s (%v); check that you may", path, modes.Cause(err))
	case modes.LetsOthers(st, 0o077):
		return nil, fmt.Errorf("the host key %s can be read by others (mode %04o); make another: rm it, or chmod 600 if no one saw it", path, st.Mode().Perm())
	}
	key, err := os.ReadFile(path)
	if err == nil {
		err = writeKnown(dir, key)
	}
	if err != nil {
		return nil, fmt.Errorf("host key %s: %w; remove it to get another", path, err)
	}
	return key, nil
}

func newHostKey(dir, path string) ([]byte, error) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	block, err := ssh.MarshalPrivateKey(private, "angler host key")
	if err != nil {
		return nil, err
	}
	key := pem.EncodeToMemory(block)
	if err := os.MkdirAll(filepath.Dir(path), modes.Folder); err != nil {
		return nil, fmt.Errorf("cannot make the folder for the host key (%v); check that you may write to %s",
			modes.Cause(err), dir)
	}
	// O_EXCL: two processes must not make two keys.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot write the host key %s (%v)", path, modes.Cause(err))
	}
	_, err = f.Write(key)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(path)
		return nil, fmt.Errorf("cannot write the host key %s: %w", path, err)
	}
	return key, writeKnown(dir, key)
}

func writeKnown(dir string, key []byte) error {
	signer, err := ssh.ParsePrivateKey(key)
	if err != nil {
		return err
	}
	line := append([]byte(HostAlias+" "), ssh.MarshalAuthorizedKey(signer.PublicKey())...)
	return os.WriteFile(KnownHostsPath(dir), line, modes.File)
}

// AuthorizedKeys returns the current content of the workspace's authorized_keys file, empty if
// there is none. It refuses a file that others can write or replace, because a user who can add a
// key can do everything.
func AuthorizedKeys(dir string) ([]byte, error) {
	path := AuthorizedKeysPath(dir)
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("cannot read %s (%v)", path, modes.Cause(err))
	case modes.LetsOthers(st, 0o022):
		return nil, fmt.Errorf("%s can be written by others (mode %04o) and is not used; chmod 600 it", path,
			st.Mode().Perm())
	case !st.Mode().IsRegular() || st.Size() > maxKeys:
		return nil, fmt.Errorf("%s is no file, or longer than %d bytes", path, maxKeys)
	}
	if err := ownFolders(filepath.Dir(path), dir); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// ownFolders returns an error for a folder in which others can put files.
func ownFolders(dirs ...string) error {
	for _, at := range dirs {
		switch st, err := os.Stat(at); {
		case err != nil:
			return fmt.Errorf("cannot read %s (%w)", at, modes.Cause(err))
		case modes.LetsOthers(st, 0o022) && st.Mode()&fs.ModeSticky == 0:
			return fmt.Errorf("%s can be written by others (mode %04o), and so its keys are not used; chmod 755 it", at,
				st.Mode().Perm())
		}
	}
	return nil
}
