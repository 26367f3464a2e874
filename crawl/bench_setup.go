package crawl

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"angler/crawl/urls"
	"angler/store"
)

// This file is what a first run needs before there is an engine: seeds from
// pasted text, what a scope lets in, a new workspace, and the ones used lately.

// SeedLine is what became of one line of a seed list.
type SeedLine struct {
	Text  string // as it was given
	URL   string // canonical; "" when it is no seed
	Opens string // what the scope makes of it, e.g. "everything under x.edu.cn"
	Wrong string // why it is no seed
}

// SeedCheck is a seed list under a kind of scope.
type SeedCheck struct {
	Lines []SeedLine // those that are seeds first, then the others, each in the order given
	Good  int
	Twice int // left out because they were named before
	Hosts int // different hosts among the seeds
	scope *urls.Scope
}

// maxSeedText bounds a pasted or read seed list, in bytes.
const maxSeedText = 8 << 20

// CheckSeedText reads a seed list (one address a line or between spaces, # begins
// a comment, http:// may be left out) and says what is in and out.
func CheckSeedText(text, kind string) *SeedCheck {
	c := &SeedCheck{}
	if len(text) > maxSeedText {
		text = text[:maxSeedText]
	}
	known := map[string]bool{}
	hosts := map[string]bool{}
	var seeds []string
	var bad []SeedLine
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "# ")
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, word := range strings.Fields(line) {
			u, err := seedURL(word)
			switch {
			case err != nil:
				bad = append(bad, SeedLine{Text: word, Wrong: err.Error()})
				continue
			case known[u]:
				c.Twice++
				continue
			}
			known[u] = true
			hosts[urls.HostOf(u)] = true
			seeds = append(seeds, u)
			c.Lines = append(c.Lines, SeedLine{Text: word, URL: u, Opens: opens(u, kind)})
		}
	}
	c.Good, c.Hosts = len(c.Lines), len(hosts)
	c.Lines = append(c.Lines, bad...)
	c.scope, _ = urls.NewScope(kind, seeds, nil, nil) // the seeds are canonical, the kinds are ours
	return c
}

// seedURL is one word of a seed list made canonical. What has no dot in its
// host and is no number is more likely prose than an address.
func seedURL(word string) (string, error) {
	if !strings.Contains(word, "://") {
		if host, _, _ := strings.Cut(word, "/"); !strings.Contains(host, ".") && !strings.HasPrefix(host, "localhost") {
			return "", errors.New("is no address")
		}
		word = "http://" + word
	}
	return urls.Canonical(word)
}

// opens says in a pattern what a seed brings into the scope.
func opens(seed, kind string) string {
	host := urls.HostOf(seed)
	switch kind {
	case urls.ScopeHost:
		return host + "/*"
	case urls.ScopePrefix:
		_, rest, _ := strings.Cut(seed, "://")
		rest, _, _ = strings.Cut(rest, "?")
		return rest[:strings.LastIndexByte(rest, '/')+1] + "*"
	}
	return "*." + strings.TrimPrefix(host, "www.")
}

// Seeds returns the canonical seeds.
func (c *SeedCheck) Seeds() []string {
	out := make([]string, c.Good)
	for i := range out {
		out[i] = c.Lines[i].URL
	}
	return out
}

// Contains reports whether an address would be part of the crawl; ok is false
// when it is no address.
func (c *SeedCheck) Contains(raw string) (in, ok bool) {
	u, err := seedURL(strings.TrimSpace(raw))
	if err != nil || c.scope == nil {
		return false, false
	}
	return c.scope.Contains(u), true
}

// Setup makes workspaces and remembers them.
type Setup struct {
	// Recent is the file that lists the workspaces used lately; "" = none is
	// kept.
	Recent string
}

// NewSetup returns the Setup of the user running the program.
func NewSetup() Setup {
	dir, err := os.UserConfigDir()
	if err != nil {
		return Setup{}
	}
	return Setup{Recent: filepath.Join(dir, "angler", "workspaces")}
}

// ReadSeeds reads a seed file.
func (Setup) ReadSeeds(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	b, err := readBounded(path, maxSeedText)
	return string(b), err
}

// Free reports why no workspace can be made in dir.
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
	return nil
}

// Create makes a workspace for a topic.
func (Setup) Create(dir, topic, kind string, seeds []string) error {
	set := store.DefaultSettings()
	if topic != "" && topic != set.Name {
		set.Name, set.Harvest.Patterns = topic, []string{} // the default ones are about tenders
	}
	set.Seeds, set.Scope.Kind = seeds, kind
	if err := CheckSeeds(&set); err != nil {
		return err
	}
	return store.Create(dir, set)
}

// Place is a workspace that was used lately.
type Place struct {
	Dir, Name string
	Seeds     int
}

// maxRecent is how many workspaces are remembered.
const maxRecent = 30

// Places lists the workspaces used lately that are still there, the last first.
func (s Setup) Places() []Place {
	var out []Place
	for _, dir := range s.recent() {
		if set, err := store.ReadSettings(dir); err == nil {
			out = append(out, Place{Dir: dir, Name: set.Name, Seeds: len(set.Seeds)})
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

// Remember puts a workspace at the head of the list. A list that cannot be
// written is no reason to trouble anyone.
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
