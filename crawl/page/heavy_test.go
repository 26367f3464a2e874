//go:build heavy

package page

func init() { full = true }
