// Package recipe reads lists that a plain GET does not show. A recipe says what to send for page n of a list and how
// to read rows from the reply.
//
// A Recipe is a TOML file that people share and edit. build makes the request. readReply parses a reply into rows and
// the position of the next page. html renders the rows as a small list page. fromExchange proposes a recipe from
// captured browser traffic; ParseCURL parses a copied request. These functions neither fetch nor store. Reading a
// reply of 20 rows costs some tens of microseconds.
//
// Recipes holds the recipes of a workspace (sources/*.toml), tries recipes and proposals on their servers, and
// builds requests for a run (run.RequestBuilder). People edit the files. They are read again when a run starts, and
// a broken file does not affect others. Tokens and the rows seen in a run stay in memory. A preview costs one
// request per page, with the host's pause in between.
//
// Replies are hostile: truncated, nested without end, changed in shape, or the first page forever. Each gives an
// *unfit that describes the reply. robots.txt, the address guard and all fetch limits apply to a recipe. A list ends
// where it repeats itself. Only GET and POST to the recipe's address are sent.
//
// All functions are safe for concurrent use. P0 … P4: see docs/papers.md.
package recipe
