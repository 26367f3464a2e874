package secrets

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"angler/store/modes"
	"angler/store/sealed"
)

// This file stores cookies on disk: the key, and the rows it decrypts.

// readKey reads the key; nil if there is none yet.
func readKey(dir string) ([]byte, error) {
	path := filepath.Join(dir, CookieKeyFile)
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("cannot read the key of the cookies %s (%v); check that you may", path, modes.Cause(err))
	case modes.LetsOthers(st, 0o077):
		return nil, fmt.Errorf("the key of the cookies %s can be read by others (mode %04o): chmod 600 it, or rm it to begin without cookies", path, st.Mode().Perm())
	}
	text, err := os.ReadFile(path)
	if err == nil {
		var key []byte
		if key, err = hex.DecodeString(string(bytes.TrimSpace(text))); err == nil && len(key) == 32 {
			return key, nil
		}
		err = errors.New("it is no key")
	}
	return nil, fmt.Errorf("cannot read the key of the cookies %s (%v); rm it to begin without cookies", path,
		modes.Cause(err))
}

// makeKey makes the key for the first stored cookie.
func (j *CookieJar) makeKey() error {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return err
	}
	if err := modes.Replace(filepath.Join(j.ws.Dir(), CookieKeyFile),
		append(hex.AppendEncode(nil, key), '\n')); err != nil {
		return err
	}
	j.key = key
	return nil
}

// load reads the stored cookies.
func (j *CookieJar) load() error {
	now := j.now()
	return j.ws.View(func(tx sealed.Tx) error {
		b := tx.Bucket(CookieBucket)
		c := b.Cursor()
		for k, v := c.First(); k != nil; k, v = c.Next() {
			s, err := j.open(v)
			if err != nil {
				j.orphan = append(j.orphan, bytes.Clone(k))
				continue
			}
			kept := s.Cookies[:0]
			for _, x := range s.Cookies {
				u, err := url.Parse(x.From)
				if err != nil || x.over(now) {
					j.dirty[s.Name] = true
					continue
				}
				kept = append(kept, x)
				j.size += x.size()
				j.jar.SetCookies(u, []*http.Cookie{x.http()})
			}
			if s.Cookies = kept; len(kept) > 0 {
				j.sites[s.Name] = s
			}
		}
		return nil
	})
}

// soon schedules the writing of changes. The caller holds the lock.
func (j *CookieJar) soon() {
	if j.ws == nil || j.closed || j.timer != nil {
		return
	}
	j.timer = time.AfterFunc(saveAfter, func() { j.report(j.save()) })
}

func (j *CookieJar) report(err error) {
	j.mu.Lock()
	tell := err != nil && !j.told && j.Failed != nil
	j.told = err != nil
	j.mu.Unlock()
	if tell {
		j.Failed(fmt.Errorf("cookies cannot be kept: %w", err))
	}
}

// save writes what has changed.
func (j *CookieJar) save() error {
	j.saving.Lock()
	defer j.saving.Unlock()
	j.mu.Lock()
	if j.timer != nil {
		j.timer.Stop()
		j.timer = nil
	}
	if j.ws == nil || j.closed || len(j.dirty) == 0 && len(j.orphan) == 0 {
		j.mu.Unlock()
		return nil
	}
	if j.key == nil {
		if err := j.makeKey(); err != nil {
			j.mu.Unlock()
			return err
		}
	}
	rows, orphan, dirty := map[string][]byte{}, j.orphan, j.dirty
	for name := range dirty {
		var v []byte // nil: the row is deleted
		if s := j.sites[name]; s != nil && (len(s.Cookies) > 0 || s.Login != "") {
			var err error
			if v, err = j.seal(s); err != nil {
				j.mu.Unlock()
				return err
			}
		}
		rows[string(j.rowKey(name))] = v
	}
	for _, k := range orphan {
		rows[string(k)] = nil
	}
	j.dirty, j.orphan = map[string]bool{}, nil
	j.mu.Unlock()
	err := j.ws.Write(func(tx sealed.Tx) error {
		_, err := tx.Raw().CreateBucketIfNotExists(CookieBucket)
		if err != nil {
			return err
		}
		b := tx.Bucket(CookieBucket)
		for k, v := range rows {
			if v == nil {
				err = b.Delete([]byte(k))
			} else {
				err = b.Put([]byte(k), v)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		j.mu.Lock()
		for name := range dirty { // retried with the next change
			j.dirty[name] = true
		}
		j.orphan = append(j.orphan, orphan...)
		j.mu.Unlock()
	}
	return err
}

func (j *CookieJar) rowKey(name string) []byte {
	m := hmac.New(sha256.New, j.key)
	m.Write([]byte("site " + name))
	return m.Sum(nil)[:rowKey]
}

func (j *CookieJar) cipher() (cipher.AEAD, error) {
	if j.key == nil {
		return nil, errors.New("there is no key")
	}
	b, err := aes.NewCipher(j.key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(b)
}

func (j *CookieJar) seal(s *site) ([]byte, error) {
	c, err := j.cipher()
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	return c.Seal(make([]byte, 0, len(b)+64), nil, b, CookieBucket), nil
}

func (j *CookieJar) open(v []byte) (*site, error) {
	c, err := j.cipher()
	if err != nil {
		return nil, err
	}
	b, err := c.Open(nil, nil, v, CookieBucket)
	if err != nil {
		return nil, err
	}
	s := &site{}
	if err := json.Unmarshal(b, s); err != nil || s.Name == "" {
		return nil, errForm
	}
	return s, nil
}

var errForm = errors.New("it does not decode")

// CheckCookie reports faults in the form of a row, or nil. The content cannot be read without the
// key.
func CheckCookie(k, v []byte) error {
	if len(k) != rowKey || len(v) < 12+16 {
		return errForm
	}
	return nil
}
