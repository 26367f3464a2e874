// Package sourcing is the command of source recipes: lists that need a request of their
// own are proposed, tried, saved, listed and shared.
package sourcing

import (
	"github.com/spf13/cobra"

	"angler/tui/command/cli"
)

// Commands are the commands of this room; open opens files of the person.
func Commands(open cli.Open) []*cobra.Command { return []*cobra.Command{sourceCommand(open)} }
