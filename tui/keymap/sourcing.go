package keymap

import "angler/crawl/auth"

// Recipes opens the recipes over the screen Harvest, from every screen.
var Recipes = add(Everywhere, "recipes", "Q", Entry{Action: auth.Own("recipes"),
	Help: "recipes for lists that are not read whole: look for one, try it, accept it; again: back"})

// The recipes.
var (
	RecipeAccept = add(Sourcing, "recipe_accept", "a", Entry{Action: auth.AcceptRecipe,
		Help: "recipes: accept the proposal; the next run reads its list", Foot: 1})
	RecipePause = add(Sourcing, "recipe_pause", "p", Entry{Action: auth.SwitchRecipe,
		Help: "recipe: pause or resume this list", Foot: 2})
	RecipeRemove = add(Sourcing, "recipe_remove", "r", Entry{Action: auth.RemoveRecipe,
		Help: "recipes: remove the recipe, or reject the proposal", Foot: 3})
	RecipePaste = add(Sourcing, "recipe_paste", "C", Entry{Action: auth.PasteRecipe.As("paste cURL"),
		Help: "recipes: make one of a request that a browser has copied as cURL", Foot: 4})
	RecipeLook = add(Sourcing, "recipe_look", "A", Entry{Action: auth.TryRecipes.As("look at a page"),
		Help: "recipes: look for one on a page whose address you type", Foot: 5})
	RecipeCancel = add(Sourcing, "recipe_cancel", "esc", Entry{Verb: back, Action: auth.Own("cancel"),
		Help: "recipes: cancel the looking", Foot: 8})
	RecipesClose = add(Sourcing, "recipes_close", "esc", Entry{Verb: back, Action: auth.Own("back to the lists"),
		Help: "recipes: back to the screen", Foot: 9})
)
