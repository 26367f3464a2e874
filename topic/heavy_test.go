//go:build heavy

package topic_test

func init() { wide = true }
