// Package notices is the commands for what came home, and for how it is read.
package notices

import (
	"github.com/spf13/cobra"

	"angler/tui/command/cli"
)

// Commands are the commands of this room; open opens the files that they read.
func Commands(open cli.Open) []*cobra.Command {
	return []*cobra.Command{extractCommand(open), fieldsCommand(open), exportCommand(), attachmentsCommand(), queryCommand(), searchCommand(open)}
}
