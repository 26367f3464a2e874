package recipe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/browser"
	"angler/crawl/decisions"
	"angler/crawl/fetch"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/modes"
)

// Folder is the folder of recipes in a workspace, Ending their file ending.
const (
	Folder        = "sources"
	Ending        = ".toml"
	replyEnding   = ".reply"   // last reply that did not fit
	removedEnding = ".removed" // a removed recipe, kept for undo
)

// Limits.
const (
	maxFiles = 500
	maxKept  = 256 << 10 // bytes of a kept reply
)

// recipeFetcher fetches pages for trials; implemented by *fetch.Fetcher.
type recipeFetcher interface {
	Fetch(ctx context.Context, r fetch.Request) (*fetch.Response, error)
	CrawlDelay(host string) time.Duration
}

// RecipesConfig holds the dependencies of Recipes.
type RecipesConfig struct {
	Store    *store.Workspace
	Fetch    recipeFetcher
	Limiter  *fetch.HostLimiter // pauses of hosts, shared with runs
	Settings func() *config.Settings
	Events   *view.EventLog
	Now      func() time.Time

	// Renderer renders pages by the rules of a run. Set it before the first Try.
	Renderer *browser.Rendering
	// Decisions logs verdicts on recipes and calls Decided for their effects; nil means no log.
	Decisions *decisions.Decisions
}

// Recipes holds the recipes of a workspace. It is safe for concurrent use.
type Recipes struct {
	RecipesConfig
	loaded atomic.Pointer[loaded]
	counts atomic.Pointer[view.RecipeNews]
	rev    atomic.Uint64
	saving sync.Mutex // one change of files at a time

	mu     sync.Mutex
	tokens map[string]*tokenCache // by recipe
	seen   map[string]firstRows   // by recipe: first rows of this run's pages
	wrong  map[string]string      // by recipe: why its last reply did not fit
}

// loaded is the content of the files at the last reading.
type loaded struct {
	recipes map[string]*Recipe
	broken  []brokenRecipe
}

// brokenRecipe is an invalid recipe file.
type brokenRecipe struct {
	File string `json:"file"` // relative to the workspace
	Why  string `json:"why"`
}

// NewRecipes returns the recipes in the folder of a workspace.
func NewRecipes(c RecipesConfig) *Recipes {
	s := &Recipes{RecipesConfig: c, tokens: map[string]*tokenCache{}, seen: map[string]firstRows{},
		wrong: map[string]string{}}
	s.read()
	return s
}

// dir returns the folder of the recipes.
func (s *Recipes) dir() string { return filepath.Join(s.Store.Dir(), Folder) }

// Reload reads the files again and clears the data of the previous run. It logs broken files.
func (s *Recipes) Reload() {
	s.read()
	s.mu.Lock()
	clear(s.tokens)
	clear(s.seen)
	s.mu.Unlock()
	for _, b := range s.loaded.Load().broken {
		s.Events.Note("warn", "recipe %s is left out: %s", b.File, b.Why)
	}
}

func (s *Recipes) read() {
	l := &loaded{recipes: map[string]*Recipe{}}
	defer func() { s.loaded.Store(l); s.updateNews() }()
	list, err := os.ReadDir(s.dir())
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			l.broken = append(l.broken, brokenRecipe{Folder, modes.Cause(err).Error()})
		}
		return
	}
	n := 0
	for _, f := range list {
		id, ok := strings.CutSuffix(f.Name(), Ending)
		if !ok || strings.HasPrefix(f.Name(), ".") {
			continue
		}
		if n++; n > maxFiles {
			l.broken = append(l.broken, brokenRecipe{Folder,
				fmt.Sprintf("more than %d recipes; those behind %s are left out",
					maxFiles, f.Name())})
			return
		}
		r, err := s.load(id, Ending)
		if err != nil {
			l.broken = append(l.broken, brokenRecipe{Folder + "/" + f.Name(), err.Error()})
			continue
		}
		l.recipes[id] = r
	}
}

// News returns the figures for viewers. It does not block.
func (s *Recipes) News() view.RecipeNews {
	return *s.counts.Load()
}

// updateNews updates the figures for viewers.
func (s *Recipes) updateNews() {
	known := s.loaded.Load().recipes
	n := &view.RecipeNews{Rev: s.rev.Add(1), Known: len(known)}
	for _, r := range s.waiting() {
		if known[r.ID] == nil {
			n.Waiting++
			n.Name = r.Name
		}
	}
	s.counts.Store(n)
}

// load reads the recipe in a file with this ending.
func (s *Recipes) load(id, ending string) (*Recipe, error) {
	if !ValidID(id) {
		return nil, errors.New("the file's name is a part of addresses: letters a–z, digits, - and _ only; rename it")
	}
	b, err := fetch.ReadFile(s.path(id, ending), maxRecipe)
	if err != nil {
		return nil, modes.Cause(err)
	}
	return Parse(id, b)
}

// get returns the recipe with this ID; nil if it is missing or broken.
func (s *Recipes) get(id string) *Recipe { return s.loaded.Load().recipes[id] }

// active returns the active recipe with this ID; nil if there is none.
func (s *Recipes) active(id string) *Recipe {
	if r := s.get(id); r != nil && !r.Off {
		return r
	}
	return nil
}

// RecipeRow is a recipe in lists.
type RecipeRow struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Address string    `json:"address"` // first page of its list
	SeenOn  string    `json:"seen_on,omitempty"`
	Pages   string    `json:"pages"`          // how it turns pages
	From    string    `json:"from,omitempty"` // source of the proposal: FromBrowser or FromCURL
	File    string    `json:"file"`
	Off     bool      `json:"off,omitempty"`
	Why     string    `json:"why,omitempty"`    // error of the file or of its last reply; "" = none
	Waits   bool      `json:"waits,omitempty"`  // a proposal without a decision
	Broken  bool      `json:"broken,omitempty"` // the file is invalid
	Reply   string    `json:"reply,omitempty"`  // file with the reply that did not fit
	List    uint64    `json:"list,omitempty"`   // id of its list's first page; 0 = not fetched yet
	Visited time.Time `json:"visited,omitzero"`
	Entries int       `json:"entries"`
}

// summary returns the row of a recipe whose file has this ending.
func (r *Recipe) summary(ending string) RecipeRow {
	return RecipeRow{ID: r.ID, Name: r.Name, Address: r.Address(FirstPage), SeenOn: r.SeenOn, Pages: r.Describe(),
		From: r.From, File: Folder + "/" + r.ID + ending}
}

// RecipeRows lists the recipes by name, broken ones first.
func (s *Recipes) RecipeRows() ([]RecipeRow, error) {
	l := s.loaded.Load()
	var broken, out []RecipeRow
	for _, b := range l.broken {
		broken = append(broken, RecipeRow{ID: strings.TrimSuffix(filepath.Base(b.File), Ending), File: b.File,
			Why: b.Why, Broken: true})
	}
	for _, r := range s.waiting() {
		if l.recipes[r.ID] == nil {
			row := r.summary(proposed)
			row.Waits = true
			out = append(out, row)
		}
	}
	for _, r := range l.recipes {
		row := r.summary(Ending)
		row.Off = r.Off
		if err := s.visited(&row); err != nil {
			return nil, err
		}
		s.mu.Lock()
		row.Why = cmp.Or(s.wrong[r.ID], row.Why)
		s.mu.Unlock()
		if row.Why != "" && s.exists(r.ID, replyEnding) {
			row.Reply = Folder + "/" + r.ID + replyEnding
		}
		out = append(out, row)
	}
	slices.SortStableFunc(out, func(a, b RecipeRow) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
	})
	return slices.Concat(broken, out), nil
}

// visited adds to a row what the store has of the list's first page.
func (s *Recipes) visited(row *RecipeRow) error {
	id, known := s.Store.Lookup(row.Address)
	if !known {
		return nil
	}
	row.List = id
	p, err := s.Store.Page(id)
	if err != nil {
		return err
	}
	if p != nil {
		row.Visited, row.Entries = p.Fetched, p.Records
	}
	if u, err := s.Store.URL(id); err == nil && u != nil && u.Fails > 0 {
		if row.Why = u.Failure.Error(); u.Failure.Kind == store.FailedRecipe {
			row.Why = strings.TrimPrefix(u.Failure.Detail, row.ID+": ")
		}
	}
	return nil
}

// text returns the content of a recipe's file.
func (s *Recipes) text(id string) ([]byte, error) {
	b, err := fetch.ReadFile(s.path(id, Ending), maxRecipe)
	if !ValidID(id) || errors.Is(err, fs.ErrNotExist) {
		return nil, unknown(id)
	}
	return b, err
}

func unknown(id string) error {
	return fmt.Errorf("no recipe is called %s; angler lists recipe list DIR shows them", id)
}
