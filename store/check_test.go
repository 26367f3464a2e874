package store_test

import (
	"angler/store"
	"angler/store/check"
)

func init() {
	run := func(f func(check.Checker) (*check.Checked, error)) func(*store.Workspace) ([]store.Problem, error) {
		return func(w *store.Workspace) (out []store.Problem, err error) {
			found, err := f(check.Checker{Workspace: w})
			for _, p := range found.Problems {
				out = append(out, store.Problem{Text: p.Text, Repairs: p.Repairs})
			}
			return out, err
		}
	}
	store.CheckHook, store.RepairHook = run(check.Checker.Check), run(check.Checker.Repair)
}
