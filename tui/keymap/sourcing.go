package keymap

import "angler/crawl/auth"

// Recipes opens the recipes over the screen Harvest, from every screen.
var Recipes = add(Entry{ID: "recipes", Keys: []string{"Q"}, Action: auth.Own("recipes"),
	Help: "recipes for lists that are not read whole: look for one, try it, accept it; again: back"})

// The recipes.
var (
	RecipeAccept = add(Entry{ID: "recipe_accept", Place: Sourcing, Keys: []string{"a"}, Action: auth.AcceptRecipe,
		Help: "recipes: accept the proposal; the next run reads its list", Foot: 1})
	RecipePause = add(Entry{ID: "recipe_pause", Place: Sourcing, Keys: []string{"p"}, Action: auth.SwitchRecipe,
		Help: "recipe: pause or resume this list", Foot: 2})
	RecipeRemove = add(Entry{ID: "recipe_remove", Place: Sourcing, Keys: []string{"r"}, Action: auth.RemoveRecipe,
		Help: "recipes: remove the recipe, or reject the proposal", Foot: 3})
	RecipePaste = add(Entry{ID: "recipe_paste", Place: Sourcing, Keys: []string{"C"},
		Action: auth.PasteRecipe.As("paste cURL"),
		Help:   "recipes: make one of a request that a browser has copied as cURL", Foot: 4})
	RecipeLook = add(Entry{ID: "recipe_look", Place: Sourcing, Keys: []string{"A"},
		Action: auth.TryRecipes.As("look at a page"), Help: "recipes: look for one on a page whose address you type",
		Foot: 5})
	RecipeCancel = add(Entry{ID: "recipe_cancel", Place: Sourcing, Keys: []string{"esc"}, Verb: back,
		Action: auth.Own("cancel"), Help: "recipes: cancel the looking", Foot: 8})
	RecipesClose = add(Entry{ID: "recipes_close", Place: Sourcing, Keys: []string{"esc"}, Verb: back,
		Action: auth.Own("back to the lists"), Help: "recipes: back to the screen", Foot: 9})
)
