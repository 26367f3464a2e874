// Package seeding is the command that looks for seeds and takes verdicts on what was
// found.
package seeding

import "github.com/spf13/cobra"

// Commands are the commands of this room; open opens files of the person.
func Commands() []*cobra.Command { return []*cobra.Command{seedsCommand()} }
