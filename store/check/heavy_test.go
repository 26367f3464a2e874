//go:build heavy

package check

func init() { copies = 200 }
