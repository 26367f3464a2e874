// Command house checks the limits of size that keep a room readable: methods of a type,
// methods of an interface, lines of a file and of a package, tests left out. Run
// it from the root of the module. It prints what is largest, then everything that
// is over a limit, and ends with 1 if there is something.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// A limit holds for every type, interface, file or package of ours.
type limit struct {
	what string // what is counted, for people
	most int

	largest int
	name    string   // of the largest
	over    []string // names of what is over the limit, with their counts
}

func (l *limit) count(name string, n int) {
	if n > l.largest {
		l.largest, l.name = n, name
	}
	if n > l.most {
		l.over = append(l.over, fmt.Sprintf("%s: %d %s, at most %d may be", name, n, l.what, l.most))
	}
}

var (
	methods        = limit{what: "methods of a type", most: 40}
	interfaceSizes = limit{what: "methods of an interface, embedded ones counted", most: 15}
	fileLines      = limit{what: "lines of a file", most: 450}
	packageLines   = limit{what: "lines of a package", most: 4000}
)

// listed is what `go list` says of a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles, CgoFiles       []string
	Module                  *struct{ Main bool }
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	over := false
	for _, l := range []*limit{&methods, &interfaceSizes, &fileLines, &packageLines} {
		fmt.Printf("%5d of %5d %s: %s\n", l.largest, l.most, l.what, l.name)
		for _, what := range l.over {
			over = true
			fmt.Println("  over:", what)
		}
	}
	if over {
		os.Exit(1)
	}
}

func run() error {
	packages, err := list()
	if err != nil {
		return err
	}
	exports := map[string]string{}
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("%s is not built", path)
		}
		return os.Open(exports[path])
	})
	for _, p := range packages {
		if p.Module != nil && p.Module.Main {
			if err := measure(p, fset, imports); err != nil {
				return fmt.Errorf("%s: %w", p.ImportPath, err)
			}
		}
	}
	return nil
}

// list names the packages of the module and what they are built from.
func list() (packages []listed, err error) {
	c := exec.Command("go", "list", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles,CgoFiles,Module", "./...")
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages, nil
		case err != nil:
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, p)
	}
}

func measure(p listed, fset *token.FileSet, imports types.Importer) error {
	var files []*ast.File
	lines := 0
	for _, name := range append(p.GoFiles, p.CgoFiles...) {
		src, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), src, 0)
		if err != nil {
			return err
		}
		files = append(files, file)
		n := bytes.Count(src, []byte("\n"))
		fileLines.count(p.ImportPath+"/"+name, n)
		lines += n
	}
	packageLines.count(p.ImportPath, lines)

	info := types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: imports, FakeImportC: true}
	pkg, err := conf.Check(p.ImportPath, fset, files, &info)
	if err != nil {
		return err
	}
	for _, name := range pkg.Scope().Names() {
		if t, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok && !t.IsAlias() {
			if named, ok := t.Type().(*types.Named); ok && !types.IsInterface(named) {
				methods.count(p.ImportPath+"."+name, named.NumMethods())
			}
		}
	}
	for expr, t := range info.Types {
		if _, ok := expr.(*ast.InterfaceType); ok {
			at := fset.Position(expr.Pos())
			interfaceSizes.count(fmt.Sprintf("%s/%s:%d", p.ImportPath, filepath.Base(at.Filename), at.Line), t.Type.Underlying().(*types.Interface).NumMethods())
		}
	}
	return nil
}
