package maintenance

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"angler/store"
	"angler/store/config"
	"angler/store/secrets"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// workspace makes a workspace with some URLs, a dictionary and keys.
func workspace(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ws")
	set := config.Default()
	set.Seeds = []string{"http://a.test/"}
	must(t, store.Create(dir, set))
	w, err := store.Open(dir)
	must(t, err)
	seed(t, w, 0, 500)
	must(t, w.Close())
	_, err = secrets.HostKey(dir)
	must(t, err)
	must(t, os.WriteFile(secrets.AuthorizedKeysPath(dir), []byte("# nobody yet\n"), 0o600))
	must(t, os.Mkdir(filepath.Join(dir, store.DictDir), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, store.DictDir, "user.txt"), []byte("招标公告 100 n\n"), 0o600))
	return dir
}

func seed(t testing.TB, w *store.Workspace, from, n int) {
	t.Helper()
	urls := make([]string, n)
	for i := range urls {
		urls[i] = fmt.Sprintf("http://a.test/%d/%s", from+i, strings.Repeat("x", 50))
	}
	_, err := w.Seed(urls)
	must(t, err)
}

func archive(t testing.TB, dir string) []byte {
	t.Helper()
	src, err := store.OpenSource(dir)
	must(t, err)
	defer src.Close()
	var b bytes.Buffer
	_, err = WriteBackup(t.Context(), src, &b, BackupPlan{Now: now, Secrets: true})
	must(t, err)
	return b.Bytes()
}

func saved(t testing.TB, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "backup.tar")
	must(t, os.WriteFile(path, b, 0o600))
	return path
}

// content returns the files of a folder.
func content(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must(t, fs.WalkDir(os.DirFS(dir), ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := fs.ReadFile(os.DirFS(dir), p)
		out[p] = string(b)
		return err
	}))
	return out
}

func TestThereAndBack(t *testing.T) {
	dir := workspace(t)
	file := filepath.Join(t.TempDir(), "b.tar")
	src, err := store.OpenSource(dir)
	must(t, err)
	defer src.Close()
	var done, total int64
	m, err := WriteBackupFile(t.Context(), src, file, false, BackupPlan{Now: now, Secrets: true, Progress: func(d, all int64) { done, total = d, all }})
	must(t, err)
	if done == 0 || done != total || done < m.Bytes() || m.Schema != store.Schema || !m.Made.Equal(now) {
		t.Errorf("%d of %d written, manifest %+v", done, total, m)
	}
	if st, err := os.Stat(file); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", st, err)
	}
	if _, err := WriteBackupFile(t.Context(), src, file, false, BackupPlan{Now: now}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that was there: %v", err)
	}
	if _, err := WriteBackupFile(t.Context(), src, file, true, BackupPlan{Now: now, Secrets: true}); err != nil {
		t.Errorf("a file to be replaced: %v", err)
	}
	to := filepath.Join(t.TempDir(), "deep", "ws")
	r, err := Restore(t.Context(), file, to, false, now)
	must(t, err)
	if r.Old != "" || r.Settings != nil || len(r.Manifest.Files) != 5 {
		t.Errorf("restored %+v", r)
	}
	was, is := content(t, dir), content(t, to)
	delete(was, "ssh/known_hosts") // derived from the host key
	for name, text := range was {
		if is[name] != text && name != store.DatabaseName { // bbolt rewrites both meta pages
			t.Errorf("%s differs", name)
		}
	}
	if len(is) != len(was) {
		t.Errorf("%d files were restored of %d", len(is), len(was))
	}
	for _, p := range []string{".", "ssh", "ssh/host_ed25519", "crawl.db", "angler.toml"} {
		if st, err := os.Stat(filepath.Join(to, p)); err != nil || st.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", p, st.Mode(), err)
		}
	}
	sound(t, to, 500)
}

// sound opens a restored workspace and checks it.
func sound(t *testing.T, dir string, least int) {
	t.Helper()
	w, err := store.Open(dir)
	must(t, err)
	defer w.Close()
	k := store.Checker{Workspace: w}
	if found, err := k.Check(); err != nil || len(found.Problems) > 0 || w.Counts().URLs < least {
		t.Errorf("restored: %+v, %v, %v", w.Counts(), found.Problems, err)
	}
}

// TestWhileEverythingRuns commits continuously while backups are made.
func TestWhileEverythingRuns(t *testing.T) {
	dir := workspace(t)
	w, err := store.Open(dir)
	must(t, err)
	defer w.Close()
	if _, err := store.OpenSource(dir); !errors.Is(err, store.ErrLocked) {
		t.Errorf("a workspace in use was opened: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan struct{})
	committed := make(chan int, 1)
	go func() {
		defer close(over)
		for i := 0; ctx.Err() == nil; i++ {
			seed(t, w, 1000+i*100, 100)
			select {
			case committed <- i:
			default:
			}
		}
	}()
	for range 5 {
		<-committed // a change since the last backup
		at := w.Counts().URLs
		f, _, err := StageBackup(t.Context(), store.SourceOf(w), dir, BackupPlan{Now: now})
		must(t, err)
		b, err := io.ReadAll(f)
		must(t, err)
		must(t, f.Close())
		to := filepath.Join(t.TempDir(), "ws")
		_, err = Restore(t.Context(), saved(t, b), to, false, now)
		must(t, err)
		sound(t, to, at)
	}
	cancel()
	<-over
	if left, err := filepath.Glob(filepath.Join(dir, ".angler-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestInTheWay(t *testing.T) {
	file := saved(t, archive(t, workspace(t)))
	other := workspace(t)
	for _, c := range []struct {
		name  string
		dir   func(t *testing.T) string
		force bool
		want  error
	}{
		{"nothing", func(t *testing.T) string { return filepath.Join(t.TempDir(), "ws") }, false, nil},
		{"an empty folder", func(t *testing.T) string { return t.TempDir() }, false, nil},
		{"a workspace", func(*testing.T) string { return other }, false, store.ErrExists},
		{"other files", func(t *testing.T) string {
			dir := t.TempDir()
			must(t, os.WriteFile(filepath.Join(dir, "x"), nil, 0o600))
			return dir
		}, false, store.ErrExists},
		{"a workspace to be put aside", func(*testing.T) string { return other }, true, nil},
		{"one in use", func(t *testing.T) string {
			dir := workspace(t)
			w, err := store.Open(dir)
			must(t, err)
			t.Cleanup(func() { w.Close() })
			return dir
		}, true, store.ErrLocked},
		{"one that is damaged", func(t *testing.T) string {
			dir := workspace(t)
			must(t, os.WriteFile(filepath.Join(dir, store.DatabaseName), []byte("no database"), 0o600))
			return dir
		}, true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := c.dir(t)
			before, berr := os.ReadDir(dir)
			r, err := Restore(t.Context(), file, dir, c.force, now)
			if !errors.Is(err, c.want) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
			if err != nil {
				return
			}
			sound(t, dir, 500)
			if put := berr == nil && len(before) > 0; put != (r.Old != "") {
				t.Errorf("put aside: %q", r.Old)
			} else if old, err := os.ReadDir(r.Old); put && (err != nil || len(old) != len(before)) {
				t.Errorf("of %d entries %d were put aside, %v", len(before), len(old), err)
			}
		})
	}
}

// TestDamage: a cut or changed archive is refused, unless the change does not affect the restored
// files.
func TestDamage(t *testing.T) {
	whole := archive(t, workspace(t))
	try := func(what string, b []byte, harmless bool) {
		t.Helper()
		to := filepath.Join(t.TempDir(), "ws")
		_, err := Restore(t.Context(), saved(t, b), to, false, now)
		if err == nil {
			if !harmless {
				t.Errorf("%s was restored", what)
				return
			}
			sound(t, to, 500)
			return
		}
		if _, err := os.Stat(to); err == nil {
			t.Errorf("%s: something was left at %s", what, to)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(to), ".angler-*")); len(left) > 0 {
			t.Errorf("%s: left behind %v", what, left)
		}
	}
	for n := 0; n < len(whole)-1024; n += len(whole)/40 + 1 { // the last 1024 bytes are padding
		try(fmt.Sprintf("a backup cut off at %d of %d", n, len(whole)), whole[:n], false)
	}
	for i := 0; i < 100; i++ {
		at := (i*7919*31 + 13) % len(whole)
		b := slices.Clone(whole)
		b[at] ^= 1 << (i % 8)
		try(fmt.Sprintf("a backup with bit %d of byte %d changed", i%8, at), b, true)
		if m, err := VerifyBackup(t.Context(), saved(t, b)); err == nil {
			sum := sha256.New()
			tr := tar.NewReader(bytes.NewReader(b))
			_, err := tr.Next()
			must(t, err)
			_, err = io.Copy(sum, tr)
			must(t, err)
			if m.Files[0].SHA256 != hex.EncodeToString(sum.Sum(nil)) {
				t.Errorf("byte %d: verified with another hash", at)
			}
		}
	}
}

// entry is an entry of a hostile archive.
type entry struct {
	name, body string
	kind       byte // 0 = a file
}

func TestHostileArchives(t *testing.T) {
	dir := workspace(t)
	files := content(t, dir)
	database, settings := entry{name: "crawl.db", body: files["crawl.db"]}, entry{name: "angler.toml", body: files["angler.toml"]}
	for name, list := range map[string][]entry{
		"nothing":                 {},
		"no database":             {settings},
		"no settings":             {database},
		"a way out":               {database, settings, {name: "../evil", body: "x"}},
		"a way out of dict":       {database, settings, {name: "dict/../../evil", body: "x"}},
		"an absolute name":        {database, settings, {name: "/tmp/evil", body: "x"}},
		"a folder below dict":     {database, settings, {name: "dict/a/b", body: "x"}},
		"a hidden file":           {database, settings, {name: "dict/.x", body: "x"}},
		"dict itself":             {database, settings, {name: "dict/", kind: tar.TypeDir}},
		"another file":            {database, settings, {name: "ssh/rc", body: "x"}},
		"a symbolic link":         {{name: "crawl.db", kind: tar.TypeSymlink}, settings},
		"a hard link":             {database, settings, {name: "dict/x", kind: tar.TypeLink}},
		"a folder for a file":     {database, {name: "angler.toml", kind: tar.TypeDir}},
		"a device":                {database, settings, {name: "dict/x", kind: tar.TypeChar}},
		"one file twice":          {database, settings, settings},
		"no database in its name": {{name: "crawl.db", body: strings.Repeat("x", 100_000)}, settings},
		"an empty database":       {{name: "crawl.db"}, settings},
		"a torn database":         {{name: "crawl.db", body: files["crawl.db"][:len(files["crawl.db"])/2]}, settings},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			to := filepath.Join(root, "deep", "ws")
			_, err := Restore(t.Context(), saved(t, pack(t, list)), to, false, now)
			if err == nil {
				t.Fatal("it was restored")
			}
			if left := content(t, root); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
	// The same code makes a valid archive.
	if _, err := Restore(t.Context(), saved(t, pack(t, []entry{database, settings})), filepath.Join(t.TempDir(), "ws"), false, now); err != nil {
		t.Errorf("a right archive: %v", err)
	}
}

// pack makes an archive with a valid manifest.
func pack(t testing.TB, list []entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	m := Manifest{Schema: store.Schema, Made: now}
	for _, e := range list {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: e.name, Size: int64(len(e.body)), Mode: 0o777}
		if e.kind != 0 {
			h.Typeflag, h.Linkname = e.kind, "/etc/passwd"
		}
		must(t, w.WriteHeader(h))
		_, err := io.WriteString(w, e.body)
		must(t, err)
		sum := sha256.Sum256([]byte(e.body))
		m.Files = append(m.Files, backupFile{e.name, int64(len(e.body)), hex.EncodeToString(sum[:])})
	}
	text, err := json.Marshal(m)
	must(t, err)
	must(t, w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: manifestName, Size: int64(len(text))}))
	_, err = w.Write(text)
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

// TestSecrets: a transferred archive has neither key nor password, and the folder completes it.
func TestSecrets(t *testing.T) {
	dir := workspace(t)
	w, err := store.Open(dir)
	must(t, err)
	must(t, w.ChangeSettings(func(s *config.Settings) { s.Crawl.Proxy = "http://wang:hunter2@proxy:1" }))
	must(t, w.Close())
	src, err := store.OpenSource(dir)
	must(t, err)
	defer src.Close()
	folder := t.TempDir()
	without, with := filepath.Join(folder, "without.tar"), filepath.Join(folder, "with.tar")
	m, err := WriteBackupFile(t.Context(), src, without, false, BackupPlan{Now: now})
	must(t, err)
	if m.Secrets {
		t.Error("it says that secrets are in it")
	}
	m, err = ReceiveBackup(t.Context(), with, false, func(w io.Writer) error {
		_, err := CompleteBackup(t.Context(), without, dir, true, w)
		return err
	})
	must(t, err)
	if !m.Secrets || m.Schema != store.Schema || !m.Made.Equal(now) {
		t.Errorf("completed: %+v", m)
	}
	for file, secret := range map[string]bool{without: false, with: true} {
		to := filepath.Join(t.TempDir(), "ws")
		_, err := Restore(t.Context(), file, to, false, now)
		must(t, err)
		is := content(t, to)
		if _, key := is["ssh/host_ed25519"]; key != secret || strings.Contains(is["angler.toml"], "hunter2") != secret || is["ssh/authorized_keys"] == "" {
			t.Errorf("%s: key %v, settings\n%s", file, key, is["angler.toml"])
		}
		sound(t, to, 500)
	}
}

func TestCancelled(t *testing.T) {
	dir := workspace(t)
	src, err := store.OpenSource(dir)
	must(t, err)
	defer src.Close()
	ctx, cancel := context.WithCancel(t.Context())
	folder := t.TempDir()
	_, err = WriteBackupFile(ctx, src, filepath.Join(folder, "b.tar"), false, BackupPlan{Now: now, Progress: func(int64, int64) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if left := content(t, folder); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(""))
	f.Add(pack(f, []entry{{name: "crawl.db", body: "no database"}, {name: "angler.toml", body: "name = 'x'"}, {name: "dict/user.txt"}}))
	f.Add(pack(f, []entry{{name: "../x", body: "x"}, {name: "dict/y", kind: tar.TypeSymlink}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		n := int64(0)
		m, err := read(t.Context(), bytes.NewReader(b), int64(len(b)), func(name string, _ int64, r io.Reader) error {
			if !known(name) {
				t.Fatalf("%q was handed out", name)
			}
			k, err := io.Copy(io.Discard, r)
			n += k
			return err
		})
		if n > int64(len(b)) || err == nil && m.Bytes() != n {
			t.Fatalf("%d bytes were read of %d: %+v, %v", n, len(b), m, err)
		}
	})
}
