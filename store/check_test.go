package store_test

import (
	"angler/store"
	"angler/store/maintenance"
)

func init() {
	run := func(f func(maintenance.Checker) (*maintenance.Checked, error)) func(*store.Workspace) ([]store.Problem, error) {
		return func(w *store.Workspace) (out []store.Problem, err error) {
			found, err := f(maintenance.Checker{Workspace: w})
			for _, p := range found.Problems {
				out = append(out, store.Problem{Text: p.Text, Repairs: p.Repairs})
			}
			return out, err
		}
	}
	store.CheckHook, store.RepairHook = run(maintenance.Checker.Check), run(maintenance.Checker.Repair)
}
