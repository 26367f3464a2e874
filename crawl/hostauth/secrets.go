package hostauth

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"angler/store/config"
	"angler/store/modes"
	"angler/store/secrets"
)

// This file reads secrets. No error contains file contents.

// maxSecret bounds a password or a token, in bytes.
const maxSecret = 4 << 10

// path returns the path of a file in the settings.
func (d *HostAuth) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(d.Dir, name)
}

// readPrivate reads a file of at most most bytes. It refuses a file that other users can read.
func (d *HostAuth) readPrivate(name string, most int64) ([]byte, os.FileInfo, error) {
	path := d.path(name)
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot read %s (%v); write the file, or correct its name in angler.toml", path,
			modes.Cause(err))
	}
	defer f.Close()
	st, err := f.Stat()
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("cannot read %s (%v)", path, modes.Cause(err))
	case !st.Mode().IsRegular():
		return nil, nil, fmt.Errorf("%s is no file", path)
	case modes.LetsOthers(st, 0o077):
		return nil, nil, fmt.Errorf("%s can be read by others (mode %04o): chmod 600 it, and change the password if others saw it", path, st.Mode().Perm())
	case st.Size() > most:
		return nil, nil, fmt.Errorf("%s is longer than %d KB", path, most>>10)
	}
	b, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil, nil, fmt.Errorf("cannot read %s (%v)", path, modes.Cause(err))
	}
	return b, st, nil
}

// file returns the first line of a file.
func (d *HostAuth) file(name string) (string, error) {
	b, _, err := d.readPrivate(name, maxSecret)
	if err != nil {
		return "", err
	}
	line, _, _ := bytes.Cut(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), []byte("\n"))
	return checkSecret(strings.TrimSpace(string(line)), d.path(name))
}

func (d *HostAuth) variable(name string) (string, error) {
	return checkSecret(strings.TrimSpace(d.Getenv(name)), "the environment variable "+name)
}

func checkSecret(v, from string) (string, error) {
	switch {
	case v == "":
		return "", fmt.Errorf("%s holds nothing", from)
	case strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return "", fmt.Errorf("%s holds a control character", from)
	}
	return v, nil
}

// secret returns the password of a host; "" = none.
func (d *HostAuth) secret(s *config.Host) (string, error) {
	switch {
	case s.PasswordFile != "":
		return d.file(s.PasswordFile)
	case s.PasswordEnv != "":
		return d.variable(s.PasswordEnv)
	}
	return "", nil
}

// takeCookies puts the cookies of a file into the jar.
func (d *HostAuth) takeCookies(host, name string) error {
	b, st, err := d.readPrivate(name, secrets.MaxFile)
	if err != nil {
		return err
	}
	t := secrets.ReadNetscapeCookies(b, host, d.Now())
	path := d.path(name)
	if t.Bad > 0 {
		d.Events.Note("warn", "host %s: %d lines of %s are no cookies: %s", host, t.Bad, path,
			strings.Join(t.Problems, "; "))
	}
	if len(t.Cookies) == 0 {
		why := "no cookie for this host"
		switch {
		case t.Expired > 0:
			why = fmt.Sprintf("only cookies that have expired (%d)", t.Expired)
		case t.Others > 0:
			why = fmt.Sprintf("only cookies for other hosts (%d)", t.Others)
		}
		return errors.New(cmp.Or(path, name) + " holds " + why +
			": log in with a browser and export its cookies again, in Netscape's form")
	}
	d.Jar.Take(host, t.Cookies, st.ModTime())
	return nil
}
