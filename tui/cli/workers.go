package cli

import "github.com/spf13/cobra"

// workersNoun lists the workers of a served crawl and sends them orders, over SSH like attach: only
// the serving process knows them.
func (p *program) workersNoun() *cobra.Command {
	return noun("workers", "Let other machines fetch for a served crawl",
		p.workerListCommand(), p.orderCommand("drain", "Let workers finish their jobs and get no more"),
		p.orderCommand("resume", "Give jobs again to workers"),
		p.orderCommand("stop", "End the processes of workers after their jobs"),
		p.orderCommand("ban", "Give the jobs of workers to others, refuse them"),
		inviteCommand(), joinCommand())
}

func (p *program) workerListCommand() *cobra.Command {
	var identity string
	c := &cobra.Command{
		Use: "list DIR|[USER@]HOST[:PORT]", Short: "List the workers of a served crawl",
		Long: "list shows the workers of the crawl that angler serve DIR --workers-listen ADDR leads: name,\n" +
			"state, tags, hosts, rate, jobs in flight, failures, processor, memory and version. It asks the\n" +
			"server with the system's ssh, as angler attach does.",
		Example: "  angler workers list DIR",
		RunE: func(c *cobra.Command, args []string) error {
			ask := []string{args[0], "workers"}
			if wantsJSON(c) {
				ask = append(ask, "--json")
			}
			return p.attach(c, ask, identity)
		},
	}
	identityFlag(c, &identity)
	return jsonFlag(c)
}

// orderCommand sends one order.
func (p *program) orderCommand(order, short string) *cobra.Command {
	var identity string
	c := &cobra.Command{
		Use: order + " DIR|[USER@]HOST[:PORT] NAME…", Short: short,
		Long: order + " needs a key with role=admin at the server. Drain and ban are decisions: resume, or undo in\n" +
			"the workbench, takes them back.",
		Example: "  angler workers " + order + " DIR lab-pc-2",
		RunE: func(c *cobra.Command, args []string) error {
			return p.attach(c, append([]string{args[0], "workers", order}, args[1:]...), identity)
		},
	}
	identityFlag(c, &identity)
	return c
}
