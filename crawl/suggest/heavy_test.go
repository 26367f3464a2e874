//go:build heavy

package suggest_test

func init() { tenWordsPlan = "" }
