// Package terminal serves a terminal, that of the process or one at the other end of a
// connection: Input puts keys together that arrived in several packets, Screen sends
// only the cells that changed, and Terminal takes over the one of the process. All
// screens of the program are written here.
//
// The program hands Screen whole frames and never waits: the newest frame
// replaces one that was not sent yet, so a slow or stopped client costs the
// server one blocked goroutine and skips frames. A frame costs some 100 µs and
// about the bytes of what changed on it. When nothing changes nothing is sent, and
// no timer runs.
// A client may show something else than Screen believes (after a resize, or a
// line of another program): Redraw forgets what was sent.
package terminal
