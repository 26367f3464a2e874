package seeds

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"angler/crawl/fetch"
	"angler/store"
	"angler/store/config"
)

// Setup creates workspaces and remembers them.
type Setup struct {
	// Recent is the file with the list of recent workspaces; "" means no list.
	Recent string

	// Resolve looks up a host name without a dot; nil accepts every name.
	Resolve func(host string) error
}

// NewSetup returns the Setup of the user who runs the program.
func NewSetup() Setup {
	s := Setup{Resolve: func(host string) error {
		_, err := net.DefaultResolver.LookupHost(context.Background(), host)
		return err
	}}
	if dir, err := os.UserConfigDir(); err == nil {
		s.Recent = filepath.Join(dir, "angler", "workspaces")
	}
	return s
}

// ReadSeeds reads a seed file.
func (Setup) ReadSeeds(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	b, err := fetch.ReadFile(path, maxSeedText)
	return string(b), err
}

// Free returns why no workspace can be created in dir.
func (Setup) Free(dir string) error {
	switch st, err := os.Stat(dir); {
	case strings.TrimSpace(dir) == "":
		return errors.New("type a folder")
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s cannot be used; choose another folder", dir)
	case !st.IsDir():
		return fmt.Errorf("%s is a file; choose another name", dir)
	}
	if _, err := os.Stat(filepath.Join(dir, "angler.toml")); err == nil {
		return fmt.Errorf("%s is a workspace already; open it instead", dir)
	}
	return store.Free(dir)
}

// WorkspacePlan describes a workspace to create.
type WorkspacePlan struct {
	Dir, Topic string
	Notices    string // a kind or words, see NoticePatterns
	Scope      string // the kind of scope
	Seeds      []string
	Words      []string // words for a seed search, if there are no seeds yet
}

// Create creates a workspace.
func (s Setup) Create(p WorkspacePlan) error {
	set := config.Default()
	set.Name, set.Harvest.Patterns, set.Harvest.Fields = p.Topic, NoticePatterns(p.Notices), FieldsOf(p.Notices)
	set.Seeds, set.Scope.Kind = p.Seeds, p.Scope
	set.Suggest.Words = append(set.Suggest.Words, p.Words...)
	if err := s.CheckStart(&set); err != nil {
		return err
	}
	return store.Create(p.Dir, set)
}

// WorkspacePlace is a recent workspace.
type WorkspacePlace struct {
	Dir, Name string
	Seeds     int
	Used      time.Time // last write of its database; zero = no database yet
	Open      bool      // a process has it open, or was killed with it open
	Counted   bool      // Pages and Notices are valid; false while it is open, or after its process was killed

	Pages, Notices int
}

// maxRecent is the maximum number of recent workspaces.
const maxRecent = 30

// Places returns the recent workspaces that still exist, newest first.
func (s Setup) Places() []WorkspacePlace {
	var out []WorkspacePlace
	for _, dir := range s.recent() {
		if set, err := config.Read(dir); err == nil {
			p := WorkspacePlace{Dir: dir, Name: set.Name, Seeds: len(set.Seeds)}
			p.readCounts()
			out = append(out, p)
		}
	}
	return out
}

func (s Setup) recent() []string {
	b, err := os.ReadFile(s.Recent)
	if err != nil {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return lines[:min(len(lines), maxRecent)]
}

// Remember moves a workspace to the head of the list. It ignores write errors.
func (s Setup) Remember(dir string) {
	abs, err := filepath.Abs(dir)
	if err != nil || s.Recent == "" || strings.ContainsAny(abs, "\n\r") {
		return
	}
	list := slices.DeleteFunc(s.recent(), func(d string) bool { return d == abs || d == "" })
	list = append([]string{abs}, list[:min(len(list), maxRecent-1)]...)
	if os.MkdirAll(filepath.Dir(s.Recent), 0o755) != nil {
		return
	}
	tmp := s.Recent + ".new"
	if os.WriteFile(tmp, []byte(strings.Join(list, "\n")+"\n"), 0o600) == nil {
		_ = os.Rename(tmp, s.Recent)
	}
}
