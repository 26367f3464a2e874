// Command layers checks the rules of .ci/layers.txt on the imports of the program.
// It prints each forbidden chain of imports and exits with 1 if it finds one.
package main

import (
	"errors"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() {
	imports := map[string][]string{}
	list, err := exec.Command("go", "list", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	rules, unread := os.ReadFile(".ci/layers.txt")
	if err != nil || unread != nil {
		log.Fatal("cannot read imports or rules: ", errors.Join(err, unread))
	}
	for line := range strings.Lines(string(list)) {
		names := strings.Fields(line)
		imports[names[0]] = names[1:]
	}
	checked, bad := 0, 0
	for n, line := range strings.Split(string(rules), "\n") {
		complain := func(what string) { bad++; fmt.Printf(".ci/layers.txt:%d: %s\n", n+1, what) }
		kind, rule, _ := strings.Cut(line, " ")
		from, to, isRule := strings.Cut(rule, " -> ")
		if kind == "" || kind == "#" {
			continue
		} else if !isRule || kind != "never" && kind != "import" {
			complain("not a rule: " + line)
		}
		for _, name := range strings.Fields(from + " " + to) {
			if len(members(name, imports)) == 0 {
				complain("the program has no package " + name)
			}
		}
		for _, pkg := range slices.Sorted(maps.Keys(members(from, imports))) {
			if chain := reach(pkg, members(to, imports), imports, kind == "import"); chain != "" {
				complain(chain)
			}
		}
		checked++
	}
	fmt.Printf("%d rules, %d violations\n", checked, bad)
	os.Exit(min(bad, 1))
}

// members are the packages that the names of a rule stand for.
func members(names string, imports map[string][]string) map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(names) {
		if first, _, _ := strings.Cut(name, "/"); !strings.Contains(first, ".") {
			name = strings.TrimSuffix("angler/"+name, "/main")
		}
		for pkg := range imports {
			if pkg == name || strings.HasPrefix(pkg, name+"/") && name != "angler" {
				set[pkg] = true
			}
		}
	}
	return set
}

// reach returns the shortest chain of imports from a package to one of a set, or "".
func reach(from string, to map[string]bool, imports map[string][]string, directly bool) string {
	seen, queue := map[string]bool{from: true}, [][]string{{from}}
	for ; len(queue) > 0; queue = queue[1:] {
		chain := queue[0]
		for _, next := range imports[chain[len(chain)-1]] {
			if longer := append(slices.Clip(chain), next); to[next] {
				return strings.Join(longer, " → ")
			} else if !seen[next] && !directly {
				seen[next], queue = true, append(queue, longer)
			}
		}
	}
	return ""
}
