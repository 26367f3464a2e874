//go:build !race

package page

const instrumented = false
