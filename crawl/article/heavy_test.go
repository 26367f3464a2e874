//go:build heavy

package article

func init() { step = 1 }
