//go:build heavy

package dict

func init() { gseOwnWords = true }
