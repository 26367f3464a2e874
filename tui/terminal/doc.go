// Package terminal serves the terminal of the process or a remote one. Input joins keys that
// arrived in several packets, Screen sends only changed cells, and Terminal takes over the terminal
// of the process. All output of the program's screens passes this package.
//
// The program gives Screen whole frames and never waits: a newer frame replaces one that was not
// sent. So a slow or stopped client costs the server one blocked goroutine and skips frames. A
// frame costs about 100 µs and about the bytes that changed. Without changes it sends nothing and
// no timer runs. A client may show something else than Screen assumes (after a resize, or output of
// another program): Redraw sends everything again.
package terminal
