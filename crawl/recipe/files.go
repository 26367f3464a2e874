package recipe

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/store/modes"
)

// This file changes recipe files after decisions. A verdict is logged first or last, never alone: Decided makes the
// files match it, and is idempotent.

// SaveRecipe writes a recipe and activates it. It returns the recipe's ID, or a free one if another recipe has that
// ID. It replaces a recipe with the same request.
func (s *RecipeEditor) SaveRecipe(r *Recipe) (id string, err error) {
	if err := s.May(auth.AcceptRecipe); err != nil {
		return "", err
	}
	c, err := s.write(r)
	if err != nil {
		return "", err
	}
	s.clearErrors(c.ID)
	list, err := s.storeList(c)
	if err != nil {
		return c.ID, err
	}
	return c.ID, s.judge(s.Name, decisions.RecipeAccepted, list)
}

// write writes the file of a recipe.
func (s *Recipes) write(r *Recipe) (*Recipe, error) {
	s.saving.Lock()
	defer s.saving.Unlock()
	if err := r.check(); err != nil {
		return nil, err
	}
	s.read()
	c := *r
	c.Off = false
	if !ValidID(c.ID) {
		c.ID = idFor(&c)
	}
	base := c.ID
	for n := 2; ; n++ {
		old := s.get(c.ID)
		if old == nil && !s.exists(c.ID, Ending) || old != nil && old.bare() == c.bare() &&
			old.Request.Body == c.Request.Body && old.Request.URL == c.Request.URL {
			break
		}
		c.ID = fmt.Sprintf("%s-%d", base, n)
	}
	b, err := c.Encode()
	if err != nil {
		return nil, err
	}
	if err := modes.MakeFolder(s.dir()); err != nil {
		return nil, fmt.Errorf("cannot make %s: %w", s.dir(), modes.Cause(err))
	}
	if err := modes.Replace(s.path(c.ID, Ending), b); err != nil {
		return nil, err
	}
	_ = os.Remove(s.path(c.ID, proposed))
	_ = os.Remove(s.path(base, proposed))
	s.read()
	return &c, nil
}

func (s *Recipes) path(id, ending string) string { return filepath.Join(s.dir(), id+ending) }

// storeList stores the address of a recipe's list.
func (s *Recipes) storeList(r *Recipe) (decisions.RecipeChoice, error) {
	address := r.Address(FirstPage)
	x := decisions.RecipeChoice{ID: r.ID}
	if _, err := s.Store.Seed([]string{address}); err != nil {
		return x, err
	}
	x.List, _ = s.Store.Lookup(address)
	return x, nil
}

func (s *Recipes) judge(by, state string, list ...decisions.RecipeChoice) error {
	if s.Decisions == nil {
		var turns []decisions.RecipeTurn
		for _, x := range list {
			turns = append(turns, decisions.RecipeTurn{ID: x.ID, After: state})
		}
		return s.Decided(turns)
	}
	return decisions.JudgeRecipes(s.Decisions, by, state, list...)
}

// SwitchRecipe turns a recipe on or off and keeps the rest of its file.
func (s *RecipeEditor) SwitchRecipe(id string, on bool) error {
	if err := s.May(auth.SwitchRecipe); err != nil {
		return err
	}
	if ValidID(id) && !s.exists(id, Ending) && s.exists(id, proposed) {
		return fmt.Errorf("%s is a proposal that is not accepted; angler lists recipe add DIR %s does", id, id)
	}
	if err := s.setOff(id, on); err != nil {
		return err
	}
	if !on {
		return s.judge(s.Name, decisions.RecipePaused, decisions.RecipeChoice{ID: id})
	}
	s.clearErrors(id)
	x, err := s.storeList(s.get(id))
	if err != nil {
		return err
	}
	return s.judge(s.Name, decisions.RecipeAccepted, x)
}

// setOff adds or removes the line that turns a recipe off.
func (s *Recipes) setOff(id string, on bool) error {
	s.saving.Lock()
	defer s.saving.Unlock()
	b, err := s.text(id)
	if err != nil {
		return err
	}
	table := false
	lines := slices.DeleteFunc(strings.SplitAfter(string(b), "\n"), func(line string) bool {
		table = table || strings.HasPrefix(strings.TrimSpace(line), "[")
		k, _, ok := strings.Cut(line, "=")
		return !table && ok && strings.TrimSpace(k) == "off"
	})
	if !on {
		lines = append([]string{"off = true\n"}, lines...)
	}
	text := strings.Join(lines, "")
	if _, err := Parse(id, []byte(text)); err != nil {
		return fmt.Errorf("%s/%s%s: %w", Folder, id, Ending, err)
	}
	if text != string(b) {
		if err := modes.Replace(s.path(id, Ending), []byte(text)); err != nil {
			return err
		}
	}
	s.read()
	return nil
}

// RemoveRecipes removes recipes, and proposals, which are not proposed again. A removed file is kept until another
// with the same name is removed.
func (s *RecipeEditor) RemoveRecipes(ids ...string) error {
	if err := s.May(auth.RemoveRecipe); err != nil {
		return err
	}
	var saved, waited []decisions.RecipeChoice
	for _, id := range ids {
		switch {
		case !ValidID(id):
			return unknown(id)
		case s.exists(id, Ending):
			saved = append(saved, decisions.RecipeChoice{ID: id})
		case s.exists(id, proposed):
			waited = append(waited, decisions.RecipeChoice{ID: id})
		default:
			return unknown(id)
		}
	}
	var err error
	if len(saved) > 0 {
		err = s.judge(s.Name, decisions.RecipeRemoved, saved...)
	}
	if len(waited) > 0 && err == nil {
		err = s.judge(s.Name, decisions.RecipeRejected, waited...)
	}
	for _, x := range slices.Concat(saved, waited) { // a file restored by hand after the verdict
		if err == nil && (s.exists(x.ID, Ending) || s.exists(x.ID, proposed)) {
			err = s.Decided([]decisions.RecipeTurn{{ID: x.ID, After: decisions.RecipeRemoved}})
		}
	}
	return err
}

func (s *Recipes) exists(id, ending string) bool {
	_, err := os.Stat(s.path(id, ending))
	return err == nil
}

// Decided makes the files match changed verdicts. After the undo of a recipe's only verdict, an accepted recipe
// becomes a proposal again; others become active.
func (s *Recipes) Decided(turns []decisions.RecipeTurn) error {
	var all error
	for _, t := range turns {
		if ValidID(t.ID) {
			all = errors.Join(all, s.applyVerdict(t))
		}
	}
	s.saving.Lock()
	defer s.saving.Unlock()
	s.read()
	return all
}

func (s *Recipes) applyVerdict(t decisions.RecipeTurn) error {
	switch t.After {
	case decisions.RecipeRemoved, decisions.RecipeRejected:
		return s.move(t.ID, removedEnding, Ending, proposed)
	case decisions.RecipeAccepted, decisions.RecipePaused:
		if err := s.move(t.ID, Ending, proposed, removedEnding); err != nil || !s.exists(t.ID, Ending) {
			return err
		}
		return s.setOff(t.ID, t.After == decisions.RecipeAccepted)
	}
	switch t.Before {
	case decisions.RecipeAccepted:
		return s.move(t.ID, proposed, Ending)
	case decisions.RecipeRejected:
		return s.move(t.ID, proposed, removedEnding)
	case decisions.RecipeRemoved, decisions.RecipePaused:
		if err := s.move(t.ID, Ending, removedEnding); err != nil || !s.exists(t.ID, Ending) {
			return err
		}
		return s.setOff(t.ID, true)
	}
	return nil
}

// move changes a file's ending from the first existing one of endings. It does nothing if the file has the ending
// already, or if there is no file.
func (s *Recipes) move(id, to string, endings ...string) error {
	s.saving.Lock()
	defer s.saving.Unlock()
	if to != removedEnding && s.exists(id, to) {
		return nil
	}
	for _, from := range endings {
		err := os.Rename(s.path(id, from), s.path(id, to))
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return modes.Cause(err)
		}
	}
	return nil
}

// clearErrors clears the errors of a rewritten recipe.
func (s *Recipes) clearErrors(id string) {
	s.mu.Lock()
	delete(s.wrong, id)
	delete(s.tokens, id)
	delete(s.seen, id)
	s.mu.Unlock()
	_ = os.Remove(s.path(id, replyEnding))
}

// isRejected reports whether a person rejected or removed a recipe for this page.
func (s *Recipes) isRejected(page string) bool {
	return slices.ContainsFunc(s.ending(removedEnding), func(r *Recipe) bool { return r.SeenOn == page })
}
