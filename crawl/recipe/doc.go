// Package recipe reads lists that a plain GET does not show: what to send for page n of
// a list, and how to read rows from the reply.
//
// A Recipe is a TOML file that people share and edit. Make says what to send, Read
// turns a reply into rows and says whether the list goes on, HTML writes the rows as a
// small list that is read like any other page. fromExchange proposes a recipe from
// captured browser traffic, ParseCURL reads a copied request. These are pure: nothing
// is fetched and nothing stored. Reading a reply of 20 rows costs some tens of
// microseconds.
//
// Recipes holds the recipes of a workspace (sources/*.toml), tries recipes and
// proposals on their servers, and answers a run (run.RequestBuilder). The files belong
// to people: they are read again when a run begins, and a file that cannot be read
// stops no other. Tokens and the rows that a run has seen stay in memory. A preview
// costs one request a page, with the pause of the host between them.
//
// Replies are hostile: cut, nested without end, of another shape than yesterday, or the
// first page for ever. Each gives an *Unfit that says what was met. A recipe is bound by
// robots.txt, the address guard and the limits of every fetch; a list ends where it
// repeats itself; only GET and POST to the recipe's address are sent.
//
// All functions are safe for concurrent use. P0 … P4: see docs/papers.md.
package recipe
