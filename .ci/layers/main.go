// Command layers checks that imports run downwards only, as .ci/layers.txt says. Run it
// from the root of the module. It prints every import that breaks a rule, with
// the chain that leads there, and ends with 1 if there is one.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
)

const (
	module = "angler"
	table  = ".ci/layers.txt"
)

// rules are what the table says, in import paths.
type rules struct {
	floor map[string]int // package → its floor, 0 the lowest
	never []never
}

// never says that no package of from, nor one in their folders, depends on one of to.
type never struct{ from, to []string }

func main() {
	r, err := readRules(table)
	if err == nil {
		var imports map[string][]string
		if imports, err = listImports(); err == nil {
			err = check(r, imports)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readRules(file string) (rules, error) {
	r := rules{floor: map[string]int{}}
	raw, err := os.ReadFile(file)
	if err != nil {
		return r, err
	}
	floors := 0
	for n, line := range strings.Split(string(raw), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		arrow := slices.Index(words, "->")
		switch {
		case words[0] == "floor" && len(words) > 1:
			for _, name := range words[1:] {
				if _, twice := r.floor[ours(name)]; twice {
					return r, fmt.Errorf("%s:%d: %s stands here twice", file, n+1, name)
				}
				r.floor[ours(name)] = floors
			}
			floors++
		case words[0] == "never" && arrow > 1 && arrow < len(words)-1:
			r.never = append(r.never, never{paths(words[1:arrow]), paths(words[arrow+1:])})
		default:
			return r, fmt.Errorf("%s:%d: neither a floor nor a never: %q", file, n+1, line)
		}
	}
	return r, nil
}

// ours is the import path of a name in the table: names with a dot in their
// first element are of other modules.
func ours(name string) string {
	first, _, _ := strings.Cut(name, "/")
	switch {
	case name == "main":
		return module
	case strings.Contains(first, "."):
		return name
	}
	return path.Join(module, name)
}

func paths(names []string) (out []string) {
	for _, name := range names {
		out = append(out, ours(name))
	}
	return out
}

// listImports returns what each package of the program imports, without tests.
func listImports() (map[string][]string, error) {
	c := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports", "./...")
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	imports := map[string][]string{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return imports, nil
		case err != nil:
			return nil, fmt.Errorf("go list: %w", err)
		}
		imports[p.ImportPath] = p.Imports
	}
}

func check(r rules, imports map[string][]string) error {
	var bad []string
	count := 0
	for _, from := range slices.Sorted(maps.Keys(imports)) {
		if !inside(from, module) {
			continue
		}
		count++
		floor, known := r.floor[from]
		if !known {
			bad = append(bad, fmt.Sprintf("%s stands on no floor of %s", from, table))
			continue
		}
		for _, to := range imports[from] {
			if above, known := r.floor[to]; known && above >= floor {
				bad = append(bad, fmt.Sprintf("%s imports %s, which stands no lower", from, to))
			}
		}
		for _, n := range r.never {
			if slices.ContainsFunc(n.from, func(root string) bool { return inside(from, root) }) {
				if chain := chainTo(from, n.to, imports); chain != nil {
					bad = append(bad, "must not be: "+strings.Join(chain, " → "))
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.floor)) {
		if _, there := imports[name]; !there {
			bad = append(bad, fmt.Sprintf("%s: %s is no package", table, name))
		}
	}
	if len(bad) > 0 {
		return errors.New(strings.Join(bad, "\n"))
	}
	fmt.Printf("%d packages, every import runs down\n", count)
	return nil
}

// chainTo is the shortest chain of imports to a package in one of the folders,
// or nil.
func chainTo(from string, to []string, imports map[string][]string) []string {
	via := map[string]string{from: ""}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at != from && slices.ContainsFunc(to, func(root string) bool { return inside(at, root) }) {
			var chain []string
			for ; at != ""; at = via[at] {
				chain = append([]string{at}, chain...)
			}
			return chain
		}
		for _, next := range imports[at] {
			if _, seen := via[next]; !seen {
				via[next] = at
				queue = append(queue, next)
			}
		}
	}
	return nil
}

// inside says whether a package is the root or lies in its folder.
func inside(pkg, root string) bool { return pkg == root || strings.HasPrefix(pkg, root+"/") }
