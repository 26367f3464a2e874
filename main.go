// Command angler is a terminal workbench for focused crawling. It learns from sample list pages,
// lets an analyst tune the similarity threshold live, and harvests every notice that such pages
// list.
package main

import (
	"embed"
	"io/fs"
	"os"

	"angler/tui/cli"
	_ "angler/tui/early/garbage" // before the packages that initialise large tables
)

//go:embed testdata/web
var sources embed.FS

func main() {
	web, err := fs.Sub(sources, "testdata/web")
	if err != nil {
		panic(err) // the pattern above and this path differ
	}
	os.Exit(cli.Main(web))
}
