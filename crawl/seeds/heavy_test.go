//go:build heavy

package seeds_test

func init() { tenWordsPlan = "" }
