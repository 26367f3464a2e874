//go:build heavy

package maintenance

func init() { copies = 200 }
