package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"angler/crawl/api"
	"angler/crawl/mcp"
)

func mcpCommand() *cobra.Command {
	propose := false
	c := &cobra.Command{
		Use: "mcp DIR", Short: "Answer an assistant's questions about a workspace",
		Example: "  angler mcp DIR",
		Long: "mcp speaks the Model Context Protocol over standard input and output, for the client of an\n" +
			"assistant to start. It reads a copy of the workspace, changes nothing and sends no request. A\n" +
			"workbench or a server can have the workspace open meanwhile. With --allow-label the assistant\n" +
			"may also propose labels, samples and seeds, which a person answers on screen 6. See\n" +
			"docs/agents.md.",
		RunE: func(c *cobra.Command, args []string) error {
			s, err := api.Open(c.Context(), args[0])
			if err != nil {
				return err
			}
			err = mcp.Serve(c.Context(), s, propose, c.InOrStdin(), c.OutOrStdout())
			return errors.Join(err, s.Close())
		},
	}
	c.Flags().BoolVar(&propose, "allow-label", false, "let the assistant propose labels, samples and seeds")
	return c
}
