package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/recipe"
	"angler/tui/ui"
)

// recipeFlags is what the command is to do.
type recipeFlags struct {
	flags  engineFlags
	files  opener
	curl   string
	pages  int
	save   bool
	blind  bool
	name   string
	asJSON bool
}

func sourceCommand(open opener) *cobra.Command {
	a := recipeFlags{files: open}
	c := &cobra.Command{
		Use:   "source DIR [list | propose [URL] | test NAME | add [FILE|NAME|URL] | export [NAME…] | on NAME | off NAME | remove NAME…]",
		Short: "Recipes for lists that a plain GET does not show: propose, try, save, share",
		Long: "source works with sources/*.toml of a workspace: recipes for lists that are filled by JSON, JSONP\n" +
			"or a posted form. A saved recipe is an aggregation page like any other.\n\n" +
			"propose URL renders a page in Chromium, tries the requests that brought its rows, and shows pages 1\n" +
			"and 2 as records; --curl FILE (- is standard input) does so for a request copied as cURL, without\n" +
			"Chromium. --save saves what was proposed, and add is propose with --save. add FILE takes\n" +
			"a shared recipe, test reads the first pages of one, and export prints them. off and\n" +
			"on pause one and have it go on, remove takes it away or rejects a proposal: topic DIR --undo takes each\n" +
			"back. Lists that are signed, encrypted or behind a captcha are told of, and not read.",
		Args: arguments(1, -1),
		RunE: func(c *cobra.Command, args []string) error {
			verb, rest := verbOf(args)
			return a.do(c, args[0], verb, rest)
		},
	}
	a.flags.Fetching(c)
	f := c.Flags()
	f.StringVar(&a.curl, "curl", "", "propose, add: a request copied as cURL, from a file or standard input (-)")
	f.IntVar(&a.pages, "pages", 2, "test: how many pages are read")
	f.BoolVar(&a.save, "save", false, "propose: save the recipe that was proposed")
	f.BoolVar(&a.blind, "untried", false, "add FILE: save a recipe without asking its server")
	f.StringVar(&a.name, "name", "", "propose, add: what the list is called")
	f.BoolVar(&a.asJSON, "json", false, "print JSON lines")
	return c
}

func (a *recipeFlags) do(c *cobra.Command, dir, verb string, rest []string) error {
	one := func(what string) error {
		if len(rest) != 1 {
			return misuse(fmt.Errorf("%s takes %s", verb, what))
		}
		return nil
	}
	switch verb {
	case "list":
		if len(rest) > 0 {
			return misuse(errors.New("list takes no names"))
		}
		return a.flags.Reading(c.Context(), dir, func(e *crawl.Engine) error { return a.list(c.OutOrStdout(), e) })
	case "export":
		return a.flags.Reading(c.Context(), dir, func(e *crawl.Engine) error { return a.export(c.OutOrStdout(), e, rest) })
	case "test":
		if err := one("the name of a recipe, or its file"); err != nil {
			return err
		}
		return a.flags.Reading(c.Context(), dir, func(e *crawl.Engine) error { return a.test(c, e, rest[0]) })
	case "on", "off":
		if err := one("the name of a recipe"); err != nil {
			return err
		}
		return a.flags.With(c.Context(), dir, func(e *crawl.Engine) error {
			if err := e.Recipes.SwitchRecipe(rest[0], verb == "on"); err != nil {
				return err
			}
			said := rest[0] + " is left alone; on reads it again"
			if verb == "on" {
				said = rest[0] + " is read from the next harvest or discovery on"
			}
			fmt.Fprintln(c.ErrOrStderr(), ui.Clean(said))
			return nil
		})
	case "remove":
		if len(rest) == 0 {
			return misuse(errors.New("remove takes the names of recipes; list shows them"))
		}
		return a.flags.With(c.Context(), dir, func(e *crawl.Engine) error {
			if err := e.Recipes.RemoveRecipes(rest...); err != nil {
				return err
			}
			fmt.Fprintf(c.ErrOrStderr(), "removed: %s; angler topic DIR --undo brings it back\n", ui.Clean(strings.Join(rest, ", ")))
			return nil
		})
	case "propose", "add":
		if len(rest) == 0 && a.curl == "" || len(rest) > 1 {
			return misuse(fmt.Errorf("%s takes the address of a page, or --curl FILE, with the address of its page where it names none", verb))
		}
		if a.save = a.save || verb == "add"; !a.save {
			return a.flags.Reading(c.Context(), dir, func(e *crawl.Engine) error { return a.propose(c, e, rest) })
		}
		return a.flags.With(c.Context(), dir, func(e *crawl.Engine) error {
			if verb == "add" && a.curl == "" && !strings.Contains(rest[0], "://") {
				return a.addRecipe(c, e, rest[0])
			}
			return a.propose(c, e, rest)
		})
	}
	return misuse(fmt.Errorf("%q is none of list, propose, test, add, export, on, off, remove", verb))
}

func (a *recipeFlags) list(w io.Writer, e *crawl.Engine) error {
	rows, err := e.Recipes.RecipeRows()
	if err != nil {
		return err
	}
	return listing[recipe.RecipeRow]{
		None:  "no recipes; angler source DIR propose URL looks for one, where URL is the page of a list that came home empty",
		Heads: "recipe\tlist\tpages\tvisited\tentries\tstate",
		Left:  []int{0, 1, 2, 3, 4, 5},
		Cells: func(r *recipe.RecipeRow) string {
			return fmt.Sprintf("%s\t%s\t%s\t%s\t%d\t%s", ui.Clean(r.ID), ui.Clean(r.Name), r.Pages, moment(r.Visited), r.Entries, recipeState(r))
		},
	}.Print(w, rows, a.asJSON)
}

// recipeState says how a recipe stands.
func recipeState(r *recipe.RecipeRow) string {
	switch {
	case r.Broken:
		return "left out: " + ui.Clean(r.Why)
	case r.Why != "" && r.Reply != "":
		return "does not fit: " + ui.Clean(r.Why) + " (reply: " + r.Reply + ")"
	case r.Why != "":
		return "does not fit: " + ui.Clean(r.Why)
	case r.Waits:
		return "proposed; angler source DIR add " + r.ID + " saves it"
	case r.Off:
		return "off"
	case r.Visited.IsZero():
		return "not visited yet"
	}
	return "ok"
}

func (a *recipeFlags) export(w io.Writer, e *crawl.Engine, names []string) error {
	if len(names) == 0 {
		rows, err := e.Recipes.RecipeRows()
		if err != nil {
			return err
		}
		for i := range rows {
			if !rows[i].Broken && !rows[i].Waits {
				names = append(names, rows[i].ID)
			}
		}
	}
	for i, name := range names {
		text, err := e.Recipes.RecipeText(name)
		if err != nil {
			return misuse(err)
		}
		if len(names) > 1 {
			if i > 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, "# %s%s\n", name, recipe.Ending)
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}

// named is a recipe by its name, or out of a file.
func (a *recipeFlags) named(e *crawl.Engine, name string) (*recipe.Recipe, error) {
	if recipe.ValidID(name) && !strings.HasSuffix(name, recipe.Ending) {
		return e.Recipes.Recipe(name)
	}
	return a.fromFile(name)
}

func (a *recipeFlags) fromFile(name string) (*recipe.Recipe, error) {
	b, err := a.files.document(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read the recipe: %w", err)
	}
	r, err := recipe.Parse(strings.TrimSuffix(filepath.Base(name), recipe.Ending), b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

func (a *recipeFlags) test(c *cobra.Command, e *crawl.Engine, name string) error {
	r, err := a.named(e, name)
	if err != nil {
		return err
	}
	p, err := e.Recipes.TryRecipe(c.Context(), r, min(max(a.pages, 1), 100))
	if err != nil {
		return err
	}
	if a.asJSON {
		return jsonLines(c.OutOrStdout(), p.Pages)
	}
	show(c.OutOrStdout(), p)
	return nil
}

// addRecipe saves a shared recipe, or a proposal that waits.
func (a *recipeFlags) addRecipe(c *cobra.Command, e *crawl.Engine, name string) error {
	r, err := a.named(e, name)
	if err != nil {
		return err
	}
	if a.name != "" {
		r.Name = a.name
	}
	if !a.blind {
		p, err := e.Recipes.TryRecipe(c.Context(), r, 2)
		if err != nil {
			return fmt.Errorf("%w; --untried saves it all the same", err)
		}
		show(c.OutOrStdout(), p)
	}
	return a.saved(c, e, r)
}

func (a *recipeFlags) saved(c *cobra.Command, e *crawl.Engine, r *recipe.Recipe) error {
	id, err := e.Recipes.SaveRecipe(r)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.ErrOrStderr(), "saved as %s/%s%s; the next harvest or discovery reads the list\n", recipe.Folder, id, recipe.Ending)
	return nil
}

// proposed is a proposal as JSON.
type proposed struct {
	Recipe  string          `json:"recipe,omitempty"` // its TOML
	Why     string          `json:"why"`
	Refused string          `json:"refused,omitempty"`
	Notes   []string        `json:"notes,omitempty"`
	Preview *recipe.Preview `json:"preview,omitempty"`
}

func (a *recipeFlags) propose(c *cobra.Command, e *crawl.Engine, rest []string) error {
	t := newProgress(c.ErrOrStderr())
	said := func(s string) { t.Now("%s", ui.Clean(s)) }
	var list []recipe.Proposal
	if a.curl != "" {
		b, err := a.files.document(a.curl)
		if err != nil {
			return fmt.Errorf("cannot read the request: %w", err)
		}
		p, err := e.Recipes.RecipeFromCURL(c.Context(), string(b), strings.Join(rest, ""), said)
		t.End()
		if err != nil {
			return err
		}
		list = append(list, p)
	} else {
		var err error
		list, err = e.Recipes.ProposeRecipes(c.Context(), rest[0], said)
		t.End()
		if err != nil {
			return err
		}
	}
	for i := range list {
		if err := a.tell(c.OutOrStdout(), &list[i]); err != nil {
			return err
		}
	}
	best := &list[0]
	if best.Recipe == nil {
		return errors.New("no request of the page brings a list that can be read; paste the one that does: --curl FILE")
	}
	if !a.save {
		return nil
	}
	if a.name != "" {
		best.Recipe.Name = a.name
	}
	return a.saved(c, e, best.Recipe)
}

// tell shows one proposal.
func (a *recipeFlags) tell(w io.Writer, p *recipe.Proposal) error {
	var text []byte
	if p.Recipe != nil {
		var err error
		if text, err = p.Recipe.Encode(); err != nil {
			return err
		}
	}
	if a.asJSON {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return enc.Encode(proposed{string(text), p.Why, p.Refused, p.Notes, p.Preview})
	}
	if p.Recipe == nil {
		fmt.Fprintf(w, "# %s: %s\n", ui.Clean(p.Why), ui.Clean(p.Refused))
		return nil
	}
	fmt.Fprintf(w, "# %s\n", ui.Clean(p.Why))
	for _, n := range p.Notes {
		fmt.Fprintf(w, "# note: %s\n", ui.Clean(n))
	}
	fmt.Fprintf(w, "\n%s\n", text)
	show(w, p.Preview)
	return nil
}

// show prints the pages of a preview as records.
func show(w io.Writer, p *recipe.Preview) {
	if p == nil {
		return
	}
	for i := range p.Pages {
		s := &p.Pages[i]
		fmt.Fprintf(w, "page %d: %d rows", s.Page, len(s.Rows))
		if s.Left > 0 {
			fmt.Fprintf(w, ", %d without title or address", s.Left)
		}
		if s.Total > 0 {
			fmt.Fprintf(w, ", %d in all", s.Total)
		}
		if s.Last > 0 {
			fmt.Fprintf(w, ", %d pages", s.Last)
		}
		if s.End != "" {
			fmt.Fprintf(w, "; ends here: %s", ui.Clean(s.End))
		}
		fmt.Fprintln(w)
		for j := range s.Rows {
			r := &s.Rows[j]
			where := ui.Clean(r.URL)
			if r.Text != "" {
				where = fmt.Sprintf("(its text stands in the row: %d letters)", len([]rune(r.Text)))
			}
			fmt.Fprintf(w, "  %-16s  %s\n  %-16s  %s\n", orDash(r.Day), ui.Clean(r.Title), "", where)
		}
	}
	if p.Note != "" {
		fmt.Fprintf(w, "note: %s\n", ui.Clean(p.Note))
	}
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}
