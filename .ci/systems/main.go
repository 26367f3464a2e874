// Command systems checks that the program compiles for macOS and Windows, where no test
// runs. It checks types and writes no machine code, which takes a tenth of a build.
package main

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	failed := false
	for _, system := range []string{"darwin", "windows"} {
		loaded, err := packages.Load(&packages.Config{
			Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps |
				packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo,
			Env: append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
		}, "./...")
		if err != nil {
			fmt.Fprintln(os.Stderr, system, err)
			os.Exit(1)
		}
		failed = packages.PrintErrors(loaded) > 0 || failed
	}
	if failed {
		os.Exit(1)
	}
}
