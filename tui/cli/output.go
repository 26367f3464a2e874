package cli

import (
	"context"
	"errors"
	"io"
	"syscall"
)

// statusUnread is the exit status of a program whose output lost its reader: the one that a
// shell reports for the signal of a broken pipe.
const statusUnread = 128 + 13

// errUnread ends a command whose output has no reader any more.
var errUnread = errors.New("the reader of the output has left")

// output is standard output. It keeps the error of the first failed write and writes no more; the
// program ends with that error, so commands need not check each line. If the reader has closed the
// output (a pipe to head), the command ends as cleanly as after an interrupt.
type output struct {
	w   io.Writer
	end context.CancelCauseFunc
	err error
}

func (o *output) Write(p []byte) (n int, err error) {
	if o.err != nil {
		return 0, o.err
	}
	n, o.err = o.w.Write(p)
	if errors.Is(o.err, syscall.EPIPE) {
		o.end(errUnread)
	}
	return n, o.err
}

// errorOutput is standard error. A message without a reader is not a failure.
type errorOutput struct{ w io.Writer }

func (o errorOutput) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	// EPIPE is a pipe without a reader, EIO a terminal that was closed.
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.EIO) {
		return len(p), nil
	}
	return n, err
}
