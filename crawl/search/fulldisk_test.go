//go:build heavy

package search

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"angler/crawl/filter"
	"angler/store"
)

// TestMergeOnAFullDisk fills the disk under an index that is being made and merged, with
// without a check of the room: the program goes on, words are found in the
// stored notices, and once there is room everything is in the index.
func TestMergeOnAFullDisk(t *testing.T) {
	const n = 6000
	all := make([]store.Notice, n)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range all {
		var text strings.Builder
		for range 120 {
			text.WriteRune(rune(0x4e00 + random.IntN(3000)))
		}
		all[i] = store.Notice{URL: fmt.Sprintf("http://a.edu.cn/%d", i), Title: fmt.Sprintf("公告 %d", i), Text: text.String()}
	}
	w, _ := workspaceOf(t, all...)
	small := filepath.Join(w.Dir(), Folder)
	must(t, os.Mkdir(small, 0o700))
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", small).CombinedOutput(); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", small).CombinedOutput(); err != nil {
			t.Errorf("%v %s", err, out)
		}
	})
	blind := func(f *fixture) { f.Free = nil }
	f := keep(t, w, plain, blind)
	said := <-f.notes
	for !strings.Contains(said, "free some space") && !strings.Contains(said, "cannot be made") {
		said = <-f.notes
	}
	if got := holds(t, f.Search, "公告"); len(got) != n {
		t.Errorf("公告 is found in %d notices of %d while the disk is full", len(got), n)
	}
	f.stop()
	if out, err := exec.Command("mount", "-o", "remount,size=300m", small).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	f = keep(t, w, plain, blind)
	f.ready()
	if p := f.present(); !p.Ready {
		t.Errorf("with room: %+v", p)
	}
	m := f.state()
	defer m.close()
	if m.ix == nil || m.ix.docs != n {
		t.Fatalf("the index holds %+v", m.ix)
	}
	if got := held(t, f.Search, filter.Word{Text: "公告"})[0]; int(got.GetCardinality()) != n {
		t.Errorf("公告 is found in %d notices of %d", got.GetCardinality(), n)
	}
	if _, err := os.Stat(filepath.Join(small, rootFile)); errors.Is(err, os.ErrNotExist) {
		t.Error("the index has no root")
	}
}
