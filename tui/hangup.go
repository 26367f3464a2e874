package tui

import "os"

// keyboard is standard input for Bubble Tea. Its end means that the terminal is gone. Bubble Tea
// would continue without keys for ever, or report the error of a device.
type keyboard struct {
	*os.File
	gone func() // may be called more than once
}

func (k keyboard) Read(p []byte) (int, error) {
	n, err := k.File.Read(p)
	if err != nil {
		k.gone()
	}
	return n, err
}
