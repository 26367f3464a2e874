package decisions

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"angler/message"
	"angler/store"
	"angler/topic"
)

// This file holds decisions about source recipes. Package recipe derives the files in force from
// them: a decision and its undo take the same way.

// The verdicts on a recipe.
const (
	RecipeAccepted = "accepted" // its list is read
	RecipePaused   = "paused"   // kept, but not used
	RecipeRemoved  = "removed"  // removed from the workspace
	RecipeRejected = "rejected" // rejected as a proposal, and not proposed again
)

// recipeVerdict is a person's verdict on a recipe.
type recipeVerdict struct {
	State string    `json:"state"` // RecipeAccepted …
	By    string    `json:"by"`
	At    time.Time `json:"at"`
}

// RecipeTurn is a recipe whose verdict has changed; "" means no verdict.
type RecipeTurn struct{ ID, Before, After string }

// RecipeChoice is a recipe to judge. List is the id of its list, which an accepted recipe makes an
// aggregation page; 0: unknown.
type RecipeChoice struct {
	ID   string
	List uint64
}

// recipeLine is the line of the log for each verdict.
var recipeLine = map[string]string{RecipeAccepted: "recipe accepted: %s", RecipePaused: "recipe paused: %s",
	RecipeRemoved: "recipe removed: %s", RecipeRejected: "recipe rejected: %s"}

// JudgeRecipes sets the verdict on recipes for a person in one step that undo takes back. It skips
// recipes that have it already.
func JudgeRecipes(d *Decisions, by, state string, list ...RecipeChoice) error {
	return d.act(func(s *State, log *store.Decisions) (*store.Event, error) {
		var changes []store.Change
		var names []string
		for _, x := range list {
			if s.Recipes[x.ID].State != state {
				changes = append(changes, d.set(kindRecipe, x.ID, recipeVerdict{State: state, By: by, At: d.Now()}))
				names = append(names, x.ID)
			}
			if state != RecipeAccepted || x.List == 0 || s.Labels[x.List] == topic.Yes {
				continue
			}
			changes = append(changes, d.set(kindLabel, strconv.FormatUint(x.List, 10),
				labelValue{Label: topic.Yes, By: by, At: d.Now()}))
			if !slices.Contains(names, x.ID) {
				names = append(names, x.ID)
			}
		}
		return log.Do(by, message.Of(recipeLine[state], strings.Join(names, ", ")), changes...)
	})
}
