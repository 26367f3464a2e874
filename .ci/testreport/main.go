// Command testreport reads the output of `go test -json` and prints one line per package.
// It prints the whole output of every failed test and the command that runs that test alone.
// The arguments are the flags of the run: testreport -tags heavy.
//
// A skipped test counts as failed unless .ci/skips.txt allows it or the flags contain
// -short. A test that needs real pages may skip if ANGLER_DATA is not set.
//
// The last line reads "N passed, N failed, N skipped" and counts tests without subtests.
// If TEST_TIMES names a file, each test appends a line to it: seconds, result, package, name.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
)

const (
	allowed = ".ci/skips.txt"
	noPages = "no folder of real pages" // the reason that realpages gives for a skip
)

// event is a line of `go test -json`.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64 // seconds
}

type test struct{ pkg, name string }

type result struct {
	test
	action  string
	seconds float64
}

// report collects the results. Its output holds the lines of tests without a result.
type report struct {
	flags    []string
	allowed  []test
	commands []string // each runs one failed test
	output   map[test][]string
	results  []result
	problems int             // failures of any kind
	failed   map[string]bool // packages with a failed test
	packages int
}

func main() {
	r := report{flags: os.Args[1:], output: map[test][]string{}, failed: map[string]bool{}}
	err := r.readAllowed()
	if err == nil {
		err = r.read()
	}
	if err == nil {
		err = r.finish()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if r.problems > 0 || r.packages == 0 {
		os.Exit(1)
	}
}

func (r *report) read() error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Println(lines.Text()) // output of the build
			continue
		}
		r.add(e)
	}
	return lines.Err()
}

func (r *report) add(e event) {
	t := test{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		fmt.Print(e.Output)
	case "output":
		r.output[t] = append(r.output[t], e.Output)
	case "pass", "fail", "skip":
		switch {
		case e.Test == "":
			r.endPackage(e)
		case e.Action == "fail":
			r.fail(t, "failed")
		case e.Action == "skip" && !r.maySkip(t):
			e.Action = "fail"
			r.fail(t, "skipped, but "+allowed+" does not allow it")
		}
		if e.Test != "" && !strings.Contains(e.Test, "/") {
			r.results = append(r.results, result{t, e.Action, e.Elapsed})
		}
		delete(r.output, t)
	}
}

// endPackage prints the line of a package and the tests that ran when it failed.
func (r *report) endPackage(e event) {
	r.packages++
	fmt.Printf("%-4s %6.1fs %s\n", e.Action, e.Elapsed, e.Package)
	if e.Action != "fail" {
		return
	}
	for t, lines := range r.output {
		waits := strings.HasPrefix(lines[len(lines)-1], "=== PAUSE") // for its turn
		if t.pkg == e.Package && t.name != "" && !waits {
			r.fail(t, "did not end")
			if !strings.Contains(t.name, "/") {
				r.results = append(r.results, result{t, "fail", e.Elapsed})
			}
		}
	}
	if !r.failed[e.Package] { // no test explains the failure
		r.fail(test{e.Package, ""}, "failed")
	}
}

func (r *report) fail(t test, why string) {
	r.problems++
	r.failed[t.pkg] = true
	fmt.Printf("\n%s: %s\n%s", strings.TrimSpace(t.pkg+" "+t.name), why, strings.Join(r.output[t], ""))
	top, _, _ := strings.Cut(t.name, "/")
	run := ""
	if top != "" {
		run = " -run '^" + top + "$'"
	}
	flags := strings.Join(append([]string{""}, r.flags...), " ")
	command := fmt.Sprintf("reproduce: go test%s .%s%s -count=1", flags, strings.TrimPrefix(t.pkg, "angler"), run)
	fmt.Print(command, "\n\n")
	if !slices.Contains(r.commands, command) {
		r.commands = append(r.commands, command)
	}
}

func (r *report) finish() error {
	slices.SortStableFunc(r.results, func(a, b result) int { return cmp.Compare(b.seconds, a.seconds) })
	fmt.Printf("the slowest of %d tests in %d packages:\n", len(r.results), r.packages)
	for _, t := range r.results[:min(10, len(r.results))] {
		fmt.Printf("     %6.1fs %s %s\n", t.seconds, t.pkg, t.name)
	}
	if len(r.commands) > 0 {
		fmt.Printf("failures:\n%s\n", strings.Join(r.commands, "\n"))
	}
	count := map[string]int{}
	var times strings.Builder
	for _, t := range r.results {
		count[t.action]++
		fmt.Fprintf(&times, "%.1f %s %s %s\n", t.seconds, t.action, t.pkg, t.name)
	}
	if r.problems > 0 && count["fail"] == 0 { // a build or a TestMain failed
		count["fail"]++
		fmt.Fprintf(&times, "0 fail angler -\n")
	}
	fmt.Printf("%d passed, %d failed, %d skipped\n", count["pass"], count["fail"], count["skip"])
	name := os.Getenv("TEST_TIMES")
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(times.String()); err != nil {
		return err
	}
	return f.Close()
}

// readAllowed reads lines of package, test and reason. A test may end in /*, which
// stands for its subtests. A reason "without TOOL" holds only if TOOL is not installed.
func (r *report) readAllowed() error {
	raw, err := os.ReadFile(allowed)
	if err != nil {
		return err
	}
	for n, line := range strings.Split(string(raw), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		if len(words) < 3 {
			return fmt.Errorf("%s:%d: write a package, a test and a reason", allowed, n+1)
		}
		if words[2] == "without" && len(words) > 3 {
			if _, err := exec.LookPath(words[3]); err == nil {
				continue
			}
		}
		r.allowed = append(r.allowed, test{path.Join("angler", words[0]), words[1]})
	}
	return nil
}

func (r *report) maySkip(t test) bool {
	if slices.Contains(r.flags, "-short") {
		return true
	}
	if os.Getenv("ANGLER_DATA") == "" && strings.Contains(strings.Join(r.output[t], ""), noPages) {
		return true
	}
	return slices.ContainsFunc(r.allowed, func(may test) bool {
		ok, _ := path.Match(may.name, t.name)
		return ok && may.pkg == t.pkg
	})
}
