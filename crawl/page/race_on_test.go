//go:build race

package page

// instrumented says that the race detector watches: it makes a page five to ten
// times as dear, so that times say nothing about the program.
const instrumented = true
