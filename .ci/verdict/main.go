// Command verdict reads what `go test -json` writes and says it in one line a package.
// Of tests that fail, and of those that ran when their package failed, it prints
// everything; then come the tests that take longest.
// A test that skips counts as failed unless .ci/skips.txt gives a reason, or it
// wants real pages and there are none (ANGLER_DATA is not set).
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
)

const allowed = ".ci/skips.txt"

// noPages is what the package realpages says where it skips a test.
const noPages = "no folder of real pages"

// event is a line of `go test -json`.
type event struct {
	Action, Package, Test, Output, ImportPath string
	Elapsed                                   float64 // seconds
}

type test struct{ pkg, name string }

func (t test) String() string { return strings.TrimSpace(t.pkg + " " + t.name) }

type timed struct {
	test
	seconds float64
}

func main() {
	reasons, err := readReasons()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	said := map[test][]string{} // what tests that go on have written
	var slow []timed
	failed, packages := 0, 0
	complain := func(t test, why string) {
		failed++
		fmt.Printf("%s: %s\n%s\n", t, why, strings.Join(said[t], ""))
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			fmt.Println(lines.Text()) // what a build writes
			continue
		}
		t := test{e.Package, e.Test}
		switch e.Action {
		case "build-output":
			fmt.Print(e.Output)
		case "build-fail":
			failed++
		case "output":
			said[t] = append(said[t], e.Output)
		case "fail":
			complain(t, "failed")
			for running, words := range said { // when the package ended
				if e.Test == "" && running.pkg == e.Package && running.name != "" {
					fmt.Printf("%s was running:\n%s\n", running, strings.Join(words, ""))
				}
			}
		case "skip":
			if e.Test != "" && !reasons.allow(t, strings.Join(said[t], "")) {
				complain(t, "skipped, and "+allowed+" gives no reason")
			}
		}
		switch e.Action {
		case "pass", "fail", "skip":
			delete(said, t)
			if e.Test == "" {
				packages++
				fmt.Printf("%-4s %6.1fs %s\n", e.Action, e.Elapsed, e.Package)
			} else if !strings.Contains(e.Test, "/") {
				slow = append(slow, timed{t, e.Elapsed})
			}
		}
	}
	if err := lines.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	slices.SortFunc(slow, func(a, b timed) int { return cmp.Compare(b.seconds, a.seconds) })
	fmt.Printf("%d tests in %d packages; the longest:\n", len(slow), packages)
	for _, t := range slow[:min(5, len(slow))] {
		fmt.Printf("     %6.1fs %s\n", t.seconds, t.test)
	}
	if failed > 0 || packages == 0 {
		os.Exit(1)
	}
}

// reasons are the patterns of tests that may skip.
type reasons []test

// readReasons reads lines of package, test and the reason. A test may end in /*,
// which stands for its subtests.
func readReasons() (r reasons, err error) {
	raw, err := os.ReadFile(allowed)
	if err != nil {
		return nil, err
	}
	for n, line := range strings.Split(string(raw), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		if len(words) < 3 {
			return nil, fmt.Errorf("%s:%d: a package, a test and the reason are wanted", allowed, n+1)
		}
		r = append(r, test{path.Join("angler", words[0]), words[1]})
	}
	return r, nil
}

func (r reasons) allow(t test, said string) bool {
	if os.Getenv("ANGLER_DATA") == "" && strings.Contains(said, noPages) {
		return true
	}
	return slices.ContainsFunc(r, func(may test) bool {
		ok, _ := path.Match(may.name, t.name)
		return ok && may.pkg == t.pkg
	})
}
