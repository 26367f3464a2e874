package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/recipe"
	"angler/tui/report"
	"angler/tui/widget"
)

// recipeFlags are the flags of the verbs of recipes.
type recipeFlags struct {
	engineFlags
	curl  string
	pages int
	save  bool
	blind bool
	name  string
}

func recipeNoun() *cobra.Command {
	c := noun("recipe", "Read lists that need a request of their own",
		recipeListCommand(), recipeProposeCommand("propose"), recipeTestCommand(),
		recipeProposeCommand("add"), recipeExportCommand(),
		recipeSwitchCommand("pause", "Pause a recipe", false,
			"paused; resume it with: angler lists recipe resume DIR NAME"),
		recipeSwitchCommand("resume", "Resume a paused recipe", true,
			"resumed; the next harvest or discovery reads it"),
		recipeRemoveCommand())
	c.Long += "\n\nrecipe works with sources/*.toml of a workspace: recipes for lists that are filled by JSON, JSONP\n" +
		"or a posted form. A saved recipe is an aggregation page like any other. Lists that are signed,\n" +
		"encrypted or behind a captcha are reported and not read."
	return c
}

func recipeListCommand() *cobra.Command {
	var a recipeFlags
	return jsonFlag(&cobra.Command{
		Use: "list DIR", Short: "List recipes and proposals, with their state",
		Example: "  angler lists recipe list DIR",
		RunE: runs(a.reading, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			return a.list(c, e)
		}),
	})
}

// recipeProposeCommand is propose, or add, which saves its proposal.
func recipeProposeCommand(verb string) *cobra.Command {
	a := recipeFlags{save: verb == "add"}
	c := &cobra.Command{Use: verb + " DIR [URL]"}
	if a.save {
		c.Use = verb + " DIR [URL|FILE|NAME]"
		c.Short = "Save a recipe: of a page, of a file, or a proposal"
		c.Long = "add URL proposes a recipe and saves it. add FILE saves a shared recipe after reading its first\n" +
			"pages. add NAME accepts a proposal. --curl FILE (- is standard input) takes a request copied as\n" +
			"cURL, without Chromium; URL is then the page of the list, where the request names none."
		c.Example = "  angler lists recipe add DIR http://www.example.edu.cn/zbgg/\n" +
			"  angler lists recipe add DIR shared.toml"
		c.Flags().BoolVar(&a.blind, "untried", false, "FILE: save a recipe without a request to its server")
	} else {
		c.Short = "Propose a recipe for the list of a page"
		c.Long = "propose renders a page in Chromium, tries the requests that brought its rows, and shows pages 1\n" +
			"and 2 as records. --curl FILE (- is standard input) does so for a request copied as cURL, without\n" +
			"Chromium; URL is then the page of the list, where the request names none."
		c.Example = "  angler lists recipe propose DIR http://www.example.edu.cn/zbgg/\n" +
			"  angler lists recipe propose DIR --curl request.txt"
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		rest := args[1:]
		if len(rest) == 0 && a.curl == "" {
			return misusef("missing URL or --curl FILE; usage: %s", usageOf(c))
		}
		if !a.save && len(rest) > 0 {
			if err := checkURL(rest[0]); err != nil {
				return err
			}
		}
		open := widget.Either(a.save, a.with, a.reading)
		return open(c, args[0], func(e *crawl.Engine) error {
			if a.save && a.curl == "" && !strings.Contains(rest[0], "://") {
				return a.addRecipe(c, e, rest[0])
			}
			return a.propose(c, e, rest)
		})
	}
	a.fetching(c)
	c.Flags().StringVar(&a.curl, "curl", "", "file with a request copied as cURL; - is standard input")
	c.Flags().StringVar(&a.name, "name", "", "name of the list")
	return jsonFlag(c)
}

func recipeTestCommand() *cobra.Command {
	var a recipeFlags
	c := &cobra.Command{
		Use: "test DIR NAME|FILE", Short: "Read the first pages of a recipe",
		Example: "  angler lists recipe test DIR zbgg --pages 3",
		RunE: runs(a.reading, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			return a.test(c, e, args[1])
		}),
	}
	a.fetching(c)
	c.Flags().IntVar(&a.pages, "pages", 2, "number of pages")
	return jsonFlag(c)
}

func recipeExportCommand() *cobra.Command {
	var a recipeFlags
	return &cobra.Command{
		Use: "export DIR [NAME…]", Short: "Print recipes, to share them",
		Example: "  angler lists recipe export DIR zbgg > zbgg.toml",
		RunE: runs(a.reading, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			return a.export(c.OutOrStdout(), e, args[1:])
		}),
	}
}

// recipeSwitchCommand pauses or resumes a recipe.
func recipeSwitchCommand(verb, short string, on bool, said string) *cobra.Command {
	return &cobra.Command{
		Use:     verb + " DIR NAME",
		Short:   short,
		Example: "  angler lists recipe " + verb + " DIR zbgg",
		RunE: runs(new(engineFlags).with, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			if err := e.Recipes.SwitchRecipe(args[1], on); err != nil {
				return err
			}
			c.PrintErrf("%s: %s\n", widget.Clean(args[1]), said)
			return nil
		}),
	}
}

func recipeRemoveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "remove DIR NAME…", Short: "Remove recipes, or reject proposals",
		Example: "  angler lists recipe remove DIR zbgg",
		RunE: runs(new(engineFlags).with, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			if err := e.Recipes.RemoveRecipes(args[1:]...); err != nil {
				return err
			}
			c.PrintErrf("removed: %s; take it back with: angler history undo %s\n",
				widget.Clean(strings.Join(args[1:], ", ")), args[0])
			return nil
		}),
	}
}

func (a *recipeFlags) list(c *cobra.Command, e *crawl.Engine) error {
	rows, err := e.Recipes.RecipeRows()
	return listing[recipe.RecipeRow]{
		None:  "no recipes; propose one for a list without entries: angler lists recipe propose DIR URL",
		Heads: "recipe\tlist\tpages\tvisited\tentries\tstate",
		Left:  []int{0, 1, 2, 3, 4, 5},
		Cells: func(r *recipe.RecipeRow) string {
			return fmt.Sprintf("%s\t%s\t%s\t%s\t%d\t%s", widget.Clean(r.ID), widget.Clean(r.Name), r.Pages,
				moment(r.Visited),
				r.Entries, recipeState(r))
		},
	}.print(c, rows, err)
}

// recipeState describes the state of a recipe.
func recipeState(r *recipe.RecipeRow) string {
	switch {
	case r.Broken:
		return "left out: " + widget.Clean(r.Why)
	case r.Why != "" && r.Reply != "":
		return "does not fit: " + widget.Clean(r.Why) + " (reply: " + r.Reply + ")"
	case r.Why != "":
		return "does not fit: " + widget.Clean(r.Why)
	case r.Waits:
		return "proposed; save it with: angler lists recipe add DIR " + r.ID
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
		fmt.Fprint(w, text)
	}
	return nil
}

// named returns a recipe by its name, or from a file.
func (a *recipeFlags) named(e *crawl.Engine, name string) (*recipe.Recipe, error) {
	if recipe.ValidID(name) && !strings.HasSuffix(name, recipe.Ending) {
		return e.Recipes.Recipe(name)
	}
	return a.fromFile(name)
}

func (a *recipeFlags) fromFile(name string) (*recipe.Recipe, error) {
	b, err := readDocument(name)
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
	return printed(c, p.Pages, nil, func(w io.Writer) { show(w, p) })
}

// addRecipe saves a shared recipe, or an open proposal.
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
	c.PrintErrf("saved as %s/%s%s; the next harvest or discovery reads the list\n", recipe.Folder, id,
		recipe.Ending)
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
	t := newProgress(c)
	said := func(s string) { t.now("%s", widget.Clean(s)) }
	var list []recipe.Proposal
	if a.curl != "" {
		b, err := readDocument(a.curl)
		if err != nil {
			return fmt.Errorf("cannot read the request: %w", err)
		}
		p, err := e.Recipes.RecipeFromCURL(c.Context(), string(b), strings.Join(rest, ""), said)
		t.end()
		if err != nil {
			return err
		}
		list = append(list, p)
	} else {
		var err error
		list, err = e.Recipes.ProposeRecipes(c.Context(), rest[0], said)
		t.end()
		if err != nil {
			return err
		}
	}
	for i := range list {
		if err := a.tell(c, &list[i]); err != nil {
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
func (a *recipeFlags) tell(c *cobra.Command, p *recipe.Proposal) error {
	w := c.OutOrStdout()
	var text []byte
	if p.Recipe != nil {
		var err error
		if text, err = p.Recipe.Encode(); err != nil {
			return err
		}
	}
	if wantsJSON(c) {
		return report.JSON(w, proposed{string(text), p.Why, p.Refused, p.Notes, p.Preview})
	}
	if p.Recipe == nil {
		fmt.Fprintf(w, "# %s: %s\n", widget.Clean(p.Why), widget.Clean(p.Refused))
		return nil
	}
	fmt.Fprintf(w, "# %s\n", widget.Clean(p.Why))
	for _, n := range p.Notes {
		fmt.Fprintf(w, "# note: %s\n", widget.Clean(n))
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
		end := widget.Either(s.End != "", "; ends here: "+widget.Clean(s.End), "")
		fmt.Fprintf(w, "page %d: %d rows%s%s\n", s.Page, len(s.Rows), amounts(", ",
			amount{s.Left, "without title or address"}, amount{s.Total, "in all"}, amount{s.Last, "pages"}), end)
		for j := range s.Rows {
			r := &s.Rows[j]
			where := widget.Clean(r.URL)
			if r.Text != "" {
				where = fmt.Sprintf("(its text stands in the row: %d letters)", len([]rune(r.Text)))
			}
			fmt.Fprintf(w, "  %-16s  %s\n  %-16s  %s\n", cmp.Or(r.Day, "–"), widget.Clean(r.Title), "", where)
		}
	}
	if p.Note != "" {
		fmt.Fprintf(w, "note: %s\n", widget.Clean(p.Note))
	}
}
