package command

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"angler/tui/remote"
)

// workersCommand lists the workers of a served crawl and orders them, over SSH as attach
// does: only the process that serves knows them.
func (p *Program) workersCommand() *cobra.Command {
	var identity string
	var asJSON bool
	c := &cobra.Command{
		Use: "workers DIR|[USER@]HOST[:PORT] [drain|resume|stop|ban NAME …]", Short: "List the workers of a served crawl; drain, stop or ban some",
		Long: "workers lists who takes part in the crawl that angler serve DIR --workers-listen ADDR leads:\n" +
			"name, state, tags, hosts, rate, jobs in flight, failures, processor, memory and version.\n\n" +
			"drain has a worker end the jobs it has and get no other, resume takes that back, stop ends\n" +
			"its process after its jobs, ban gives its jobs to others and lets it in no more (resume lets\n" +
			"it in again). That takes a key with role=admin; drain and ban are decisions that the\n" +
			"workbench can undo. It asks the server with the system's ssh, as angler attach does.",
		Args: arguments(1, -1),
		RunE: func(c *cobra.Command, args []string) error {
			said := append([]string{args[0], "workers"}, args[1:]...)
			switch {
			case asJSON && len(args) > 1:
				return misuse(errors.New("--json goes with the list"))
			case asJSON:
				said = append(said, "--json")
			case len(args) == 2 || len(args) > 2 && !slices.Contains(remote.Orders, args[1]):
				return misuse(errors.New("write drain, resume, stop or ban, and names of workers"))
			}
			return p.attach(c, said, identity)
		},
	}
	c.Flags().StringVarP(&identity, "identity", "i", "", "file with the private key; by default ssh chooses")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}
