package decisions

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"angler/crawl/auth"
	"angler/crawl/urls"
	"angler/store/modes"
)

// This file is the way of proposals from a process that only reads the workspace: a file each in the
// folder proposals of the workspace. The process that has the workspace open takes them in. A file is
// removed after its proposal is logged, so a crash loses none.

const (
	dropFolder    = "proposals"
	damagedFolder = "damaged" // in dropFolder: files without a proposal
	maxDropped    = 64 << 10  // bytes of a file
	maxDamaged    = 100       // files that are kept there
)

// DropProposal writes a checked proposal into the drop box of the workspace in dir. The file appears in one
// step. At most MaxWaiting wait there.
func DropProposal(dir string, p Proposal) error {
	folder := filepath.Join(dir, dropFolder)
	if err := modes.MakeFolder(folder); err != nil {
		return fmt.Errorf("cannot make %s (%w); check that you may write to %s", folder, modes.Cause(err), dir)
	}
	names, err := dropped(folder)
	if err != nil {
		return err
	}
	if len(names) >= MaxWaiting {
		return fmt.Errorf("%d proposals wait in %s; open the workspace, so that it takes them in", len(names), folder)
	}
	b, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return modes.Replace(filepath.Join(folder, rand.Text()+".json"), b)
}

// dropped returns the names of the files in a drop box; none if there is no box.
func dropped(folder string) (names []string, err error) {
	f, err := os.Open(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read %s (%w); check that you may", folder, modes.Cause(err))
	}
	defer f.Close()
	entries, err := f.ReadDir(4 * MaxWaiting)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("cannot read %s (%w); check that you may", folder, modes.Cause(err))
	}
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".json") && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// readDropped parses a file of the drop box. The proposal is not checked against the workspace.
func readDropped(b []byte) (p Proposal, err error) {
	switch err := json.Unmarshal(b, &p); {
	case len(b) > maxDropped:
		return Proposal{}, fmt.Errorf("it has more than %d bytes", maxDropped)
	case err != nil:
		return Proposal{}, err
	case p.Kind != ProposeLabel && p.Kind != ProposeSample && p.Kind != ProposeSeed:
		return Proposal{}, fmt.Errorf("%.40q cannot be proposed", p.Kind)
	case len(p.URL) > urls.MaxLength || utf8.RuneCountInString(p.Reason) > maxReason:
		return Proposal{}, errors.New("a text is too long")
	}
	p.By = AgentName(p.By)
	return p, nil
}

// TakeDropped takes in the proposals of the drop box. A file that is no proposal is set aside with a
// note. It is to be called by one goroutine at a time.
func (d *Decisions) TakeDropped() {
	folder := filepath.Join(d.Store.Dir(), dropFolder)
	names, err := dropped(folder)
	for _, name := range names {
		if err = cmp.Or(err, d.takeFile(folder, name)); err != nil {
			break // it is tried again with the next call
		}
	}
	said := ""
	if err != nil {
		said = err.Error()
	}
	if said != d.dropSaid && said != "" {
		d.Events.Note("warn", "proposals wait in %s: %s", folder, said)
	}
	d.dropSaid = said
}

// takeFile takes in one file. An error means that the file waits.
func (d *Decisions) takeFile(folder, name string) error {
	path := filepath.Join(folder, name)
	b, err := readAtMost(path, maxDropped+1)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var p Proposal
	if err == nil {
		p, err = readDropped(b)
	}
	if err != nil {
		d.Events.Note("warn", "%s is no proposal (%v) and was set aside", path, modes.Cause(err))
		return setAside(folder, name)
	}
	err = d.TopicOf(auth.Actor{Name: p.By, Role: auth.Analyst, Remote: true}).ProposeDecision(p)
	if no, refused := errors.AsType[refusal](err); refused {
		d.Events.Note("warn", "a proposal of %s was refused: %v", p.By, no)
	} else if err != nil {
		return err
	}
	return os.Remove(path)
}

func readAtMost(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// setAside moves a file out of the way; beyond maxDamaged files it removes it.
func setAside(folder, name string) error {
	path, aside := filepath.Join(folder, name), filepath.Join(folder, damagedFolder)
	if err := modes.MakeFolder(aside); err != nil {
		return err
	}
	f, err := os.Open(aside)
	if err != nil {
		return err
	}
	defer f.Close()
	if kept, _ := f.Readdirnames(maxDamaged); len(kept) >= maxDamaged {
		return os.Remove(path)
	}
	return os.Rename(path, filepath.Join(aside, name))
}
