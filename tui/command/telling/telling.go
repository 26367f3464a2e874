// Package telling is the commands that tell people: who is told of which notices,
// and which lists stopped to tell.
package telling

import "github.com/spf13/cobra"

// Commands are the commands of this room.
func Commands() []*cobra.Command { return []*cobra.Command{notifyCommand(), listsCommand()} }
