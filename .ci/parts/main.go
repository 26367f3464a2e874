// Command parts deals the heavy tests to ten parts of about equal time.
//
// A heavy test stands in a file with the build tag heavy. A test of another file is
// heavy, too, if it uses a variable that an init function of a heavy file sets.
// .ci/heavy.txt holds measured seconds; other tests count as ten seconds.
//
//	parts -list     all parts
//	parts all       the tests of all parts
//	parts 3         the tests of part 3
//	parts NAME      the tests of a package, or a test
//
// Each printed line is a package and its tests.
package main

import (
	"bufio"
	"cmp"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	number  = 10
	unknown = 10.0 // seconds of a test that is not in the table
	link    = 3.0  // seconds to link a package's tests
)

// unit is what stays in one part: a package, or one test of a package that takes long.
type unit struct {
	pkg     string
	tests   []string
	seconds float64
}

type part struct {
	units   []unit
	seconds float64
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: parts -list | all | NUMBER | PACKAGE | TEST")
	}
	parts, err := deal()
	if err != nil {
		log.Fatal(err)
	}
	want, found := os.Args[1], false
	for i, p := range parts {
		lines := map[string][]string{}
		for _, u := range p.units {
			for _, t := range u.tests {
				if n := strconv.Itoa(i + 1); slices.Contains([]string{"-list", "all", n,
					strings.TrimPrefix(u.pkg, "./"), u.pkg, t}, want) {
					lines[u.pkg] = append(lines[u.pkg], t)
				}
			}
		}
		if want == "-list" {
			fmt.Printf("part %d, about %.0f s\n", i+1, p.seconds)
		}
		for _, pkg := range slices.Sorted(maps.Keys(lines)) {
			found = true
			fmt.Println(pkg, strings.Join(lines[pkg], " "))
		}
	}
	if !found {
		log.Fatalf("no part, package or test named %s; parts -list shows all", want)
	}
}

// deal gives the longest unit to the part with the least time, then the next.
func deal() ([]part, error) {
	heavy, err := find()
	if err != nil {
		return nil, err
	}
	seconds, err := table()
	if err != nil {
		return nil, err
	}
	var units []unit
	total := 0.0
	for pkg, tests := range heavy {
		u := unit{pkg: pkg, tests: tests, seconds: link}
		for _, t := range tests {
			u.seconds += cmp.Or(seconds[pkg+" "+t], unknown)
		}
		units = append(units, u)
		total += u.seconds
	}
	for i := 0; i < len(units); i++ { // reaches the units that it appends
		if u := units[i]; u.seconds > total/number && len(u.tests) > 1 {
			units[i] = unit{u.pkg, u.tests[:1], link + cmp.Or(seconds[u.pkg+" "+u.tests[0]], unknown)}
			units = append(units, unit{u.pkg, u.tests[1:], u.seconds - units[i].seconds + link})
		}
	}
	slices.SortFunc(units, func(a, b unit) int {
		return cmp.Or(cmp.Compare(b.seconds, a.seconds), cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.tests[0], b.tests[0]))
	})
	parts := make([]part, number)
	for _, u := range units {
		least := 0
		for i := range parts {
			if parts[i].seconds < parts[least].seconds {
				least = i
			}
		}
		parts[least].units = append(parts[least].units, u)
		parts[least].seconds += u.seconds
	}
	return parts, nil
}

// table reads .ci/heavy.txt: "seconds package test".
func table() (map[string]float64, error) {
	f, err := os.Open(".ci/heavy.txt")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	seconds := map[string]float64{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		s, err := strconv.ParseFloat(words[0], 64)
		if err != nil || len(words) < 3 {
			return nil, fmt.Errorf(".ci/heavy.txt: not a row: %s", lines.Text())
		}
		seconds[words[1]+" "+words[2]] = s
	}
	return seconds, lines.Err()
}

// find returns the heavy tests of each package, sorted.
func find() (map[string][]string, error) {
	files := map[string][]string{} // the test files of a folder
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		base := filepath.Base(name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (base[0] == '.' || base == "testdata"):
			return filepath.SkipDir
		case strings.HasSuffix(name, "_test.go"):
			dir := filepath.Dir(name)
			files[dir] = append(files[dir], name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	heavy := map[string][]string{}
	for dir, names := range files {
		tests, err := heavyTests(names)
		if err != nil {
			return nil, err
		}
		if len(tests) > 0 {
			heavy["./"+filepath.ToSlash(dir)] = tests
		}
	}
	return heavy, nil
}

// heavyTests returns the heavy tests among the test files of one package.
func heavyTests(files []string) ([]string, error) {
	heavy := map[string]bool{}           // names that the tag declares or changes
	uses := map[string]map[string]bool{} // a function of the tests → the names in its body
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		mentioned, tagged := tag(f)
		for _, d := range f.Decls {
			fn, isFunc := d.(*ast.FuncDecl)
			if isFunc && fn.Name.Name != "init" {
				if uses[fn.Name.Name] == nil {
					uses[fn.Name.Name] = map[string]bool{}
				}
				maps.Copy(uses[fn.Name.Name], idents(fn))
			}
			switch {
			case !mentioned: // the same with and without the tag
			case isFunc && fn.Name.Name == "init":
				maps.Copy(heavy, assigned(fn))
			case isFunc && tagged && fn.Recv == nil:
				heavy[fn.Name.Name] = true
			case !tagged: // the twin of a heavy file: its names have other values there
				maps.Copy(heavy, declared(d))
			}
		}
	}
	for grown := true; grown && len(heavy) > 0; {
		grown = false
		for fn, names := range uses {
			for name := range names {
				if heavy[name] && !heavy[fn] {
					heavy[fn], grown = true, true
				}
			}
		}
	}
	var tests []string
	for name := range heavy {
		if uses[name] != nil && strings.HasPrefix(name, "Test") && name != "TestMain" {
			tests = append(tests, name)
		}
	}
	slices.Sort(tests)
	return tests, nil
}

// tag reports whether a file mentions the build tag heavy, and whether it needs it.
func tag(f *ast.File) (mentioned, tagged bool) {
	for _, g := range f.Comments {
		for _, c := range g.List {
			if x, err := constraint.Parse(c.Text); err == nil && c.Pos() < f.Package {
				with := x.Eval(func(t string) bool { return true })
				without := x.Eval(func(t string) bool { return t != "heavy" })
				mentioned = mentioned || with != without
				tagged = tagged || with && !without
			}
		}
	}
	return mentioned, tagged
}

func idents(n ast.Node) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names[id.Name] = true
		}
		return true
	})
	return names
}

// declared are the names of a declaration.
func declared(d ast.Decl) map[string]bool {
	names := map[string]bool{}
	switch d := d.(type) {
	case *ast.FuncDecl:
		names[d.Name.Name] = true
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok {
				for _, id := range v.Names {
					names[id.Name] = true
				}
			}
		}
	}
	return names
}

// assigned are the names on the left of a function's assignments.
func assigned(fn *ast.FuncDecl) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(fn, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok != token.DEFINE {
			for _, left := range a.Lhs {
				maps.Copy(names, idents(left))
			}
		}
		return true
	})
	return names
}
