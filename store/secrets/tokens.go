package secrets

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"angler/store/modes"
)

// This file keeps the tokens of the HTTP API: one file each in the folder tokens of a workspace, with the hash of
// the token and not the token. The time of the file is its last use. A file of its own makes adding, removing and
// use by several processes safe without a lock.

// TokenPrefix begins each token, so that one is recognized where it must not stand.
const TokenPrefix = "angler_"

const (
	tokensFolder = "tokens"
	tokenBytes   = 32      // random ones of a token
	maxTokenFile = 4 << 10 // bytes
	maxTokens    = 1000
	useEvery     = time.Minute // shortest time between two notes of a use
)

// Token is a stored token.
type Token struct {
	Name    string    `json:"name"`
	Role    string    `json:"role"`
	Hash    string    `json:"sha256"` // of the token, hexadecimal
	Created time.Time `json:"created"`

	Used time.Time `json:"-"` // last use, to the minute; zero = never
	path string
}

// maxTokenName bounds the name of a token, in characters.
const maxTokenName = 63

var validToken = regexp.MustCompile(`^[\p{L}\p{N}_.-]+$`)

// hashOf returns the hash of a token. The token has 256 random bits, so that a slow hash adds nothing.
func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// tokenPath returns the file of a token with a hash.
func tokenPath(dir, hash string) string { return filepath.Join(dir, tokensFolder, hash[:32]+".json") }

// AddToken stores a token under a new name and returns it. It cannot be read again later.
func AddToken(dir, name, role string, now time.Time) (string, error) {
	if !validToken.MatchString(name) || utf8.RuneCountInString(name) > maxTokenName {
		return "", fmt.Errorf("the name %.80q is not valid; use up to %d letters, digits, dots, - and _", name,
			maxTokenName)
	}
	list, err := Tokens(dir)
	switch {
	case err != nil:
		return "", err
	case slices.ContainsFunc(list, func(t Token) bool { return t.Name == name }):
		return "", fmt.Errorf("there is a token %s already; choose another name, or remove it first", name)
	case len(list) >= maxTokens:
		return "", fmt.Errorf("there are %d tokens; remove one first", len(list))
	}
	b := make([]byte, tokenBytes)
	_, _ = rand.Read(b) // never fails
	token := TokenPrefix + base64.RawURLEncoding.EncodeToString(b)
	hash := hashOf(token)
	text, err := json.Marshal(Token{Name: name, Role: role, Hash: hash, Created: now.UTC().Truncate(time.Second)})
	if err != nil {
		return "", err
	}
	path := tokenPath(dir, hash)
	if err := os.MkdirAll(filepath.Dir(path), modes.Folder); err != nil {
		return "", fmt.Errorf("cannot make the folder of tokens (%w); check that you may write to %s", modes.Cause(err),
			dir)
	}
	if err := modes.Replace(path, append(text, '\n')); err != nil {
		return "", err
	}
	return token, os.Chtimes(path, time.Time{}, time.Unix(0, 0)) // never used
}

// Tokens returns the stored tokens by name. A file that is none is an error.
func Tokens(dir string) (out []Token, err error) {
	folder := filepath.Join(dir, tokensFolder)
	files, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read %s (%w); check that you may", folder, modes.Cause(err))
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".json") || strings.HasPrefix(f.Name(), ".") {
			continue
		}
		t, err := readToken(filepath.Join(folder, f.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed meanwhile
		}
		if err != nil {
			return nil, err
		}
		out = append(out, *t)
	}
	slices.SortFunc(out, func(a, b Token) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

func readToken(path string) (*Token, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	t := &Token{path: path}
	b, err := io.ReadAll(io.LimitReader(f, maxTokenFile))
	if err == nil {
		err = json.Unmarshal(b, t)
	}
	if err != nil || modes.LetsOthers(st, 0o022) || len(t.Hash) != 2*sha256.Size {
		return nil, fmt.Errorf("%s holds no token, or can be written by others; remove the file", path)
	}
	if st.ModTime().Unix() > 0 {
		t.Used = st.ModTime()
	}
	return t, nil
}

// FindToken returns the stored token that a client sent; nil means an unknown one. It reads one file. The time that
// it takes depends on the hash of the token alone. A folder that others can write is an error.
func FindToken(dir, token string) (*Token, error) {
	hash := hashOf(token)
	t, err := readToken(tokenPath(dir, hash))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = ownFolders(filepath.Join(dir, tokensFolder), dir)
	}
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare([]byte(t.Hash), []byte(hash)) != 1 {
		return nil, nil
	}
	return t, nil
}

// Valid reports whether the token is stored still, with the same role.
func (t *Token) Valid() bool {
	now, err := readToken(t.path)
	return err == nil && now.Hash == t.Hash && now.Role == t.Role && now.Name == t.Name
}

// Use notes a use of the token, at most once a minute.
func (t *Token) Use(now time.Time) error {
	if now.Sub(t.Used) < useEvery {
		return nil
	}
	t.Used = now
	return os.Chtimes(t.path, time.Time{}, now)
}

// RemoveToken deletes the token of a name. A server refuses it from then on.
func RemoveToken(dir, name string) error {
	list, err := Tokens(dir)
	if err != nil {
		return err
	}
	found := false
	for _, t := range list {
		if t.Name == name {
			if err := os.Remove(t.path); err != nil {
				return fmt.Errorf("cannot remove the token %s (%w)", name, modes.Cause(err))
			}
			found = true
		}
	}
	if !found {
		return fmt.Errorf("there is no token %.80q; list them with: angler token list %s", name, dir)
	}
	return nil
}
