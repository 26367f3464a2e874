package tui

import (
	"context"
	"testing"

	"angler/tui/parts"
)

// A line that is cut before the first frame ends the program before its first Cmds are
// run: nobody waits for an opener that is never called, and a late Cmd does not call it.
func TestOpeningThatNeverBegins(t *testing.T) {
	o := opening{ctx: t.Context(), progress: make(chan string, 1)}
	o.open = func(context.Context, func(string)) (parts.All, error) {
		t.Error("the workspace is opened for nobody")
		return parts.All{}, nil
	}
	late := o.begin()
	o.close()
	if msg := late(); msg != nil {
		t.Errorf("a late opening brings %v", msg)
	}
}
