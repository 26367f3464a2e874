// Package wire is a terminal at the other end of a line: Input makes keys whole
// that the line tore apart, Screen sends only the cells that changed.
//
// The program hands Screen whole frames and never waits: the newest frame
// replaces one that was not sent yet, so a slow or stopped client costs the
// server one blocked goroutine and skips frames. A frame costs some 100 µs and
// about the bytes of what changed on it; nothing is sent when nothing changed.
// The danger is a client that shows something else than Screen believes (a
// resize, a line of another program): Redraw forgets what was sent.
package wire
