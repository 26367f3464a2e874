//go:build heavy

package maintext

func init() { step = 1 }
