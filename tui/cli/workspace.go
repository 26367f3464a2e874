package cli

import "github.com/spf13/cobra"

func (p *program) workspaceNoun() *cobra.Command {
	return noun("workspace", "Check, compact, back up and restore a workspace",
		checkCommand(), compactCommand(), p.backupCommand(), backupsCommand(), restoreCommand())
}
