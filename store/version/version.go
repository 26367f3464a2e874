// Package version says which angler this is, once for the command, the crash
// report, the SSH server and the name under which pages are fetched.
package version

const (
	// Number is the version of the program.
	Number = "0.1.0"
	// UserAgent is how the program introduces itself to a web server unless the
	// settings say otherwise; its product token selects the robots.txt group.
	UserAgent = "angler/" + Number + " (focused crawler)"
)
