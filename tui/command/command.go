// Package command is angler's command line: what the workbench does, headless.
//
// Commands only read flags, call the engine and print. Results go to standard
// output, one JSON object a line where --json is given and nothing else;
// progress and errors go to standard error, an error in one line that says what
// to do. Files are opened by the caller (Program.Open): nothing below tui
// touches the disk. A command that fails exits with 1. One that was called
// wrongly exits with 2, before anything was written.
//
// P0 … P4: see docs/papers.md.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"angler/store"
	"angler/store/config"
	"angler/store/redact"
	"angler/store/version"
)

// Program is what the command line needs from main.
type Program struct {
	Web  fs.FS // the sources of the demo web
	Open opener

	// What serve, attach and backup need: a socket, the end of a file, another
	// program on this terminal, of which Exec returns the exit status (-1 after a
	// signal) or why it could not be started. Pipe is Exec with the program's
	// standard output in out. Reloads makes hangups requests to read the settings
	// again, where they would end ctx otherwise.
	Listen  func(network, address string) (net.Listener, error)
	Append  func(path string) (io.WriteCloser, error)
	Exec    func(ctx context.Context, program string, args []string) (int, error)
	Pipe    func(ctx context.Context, program string, args []string, out io.Writer) (int, error)
	Reloads func() <-chan struct{}

	// Terminal takes down how the terminal is set and returns what sets it so
	// again, see Remember; nil is a process without one.
	Terminal func() (giveBack func())
}

// Run executes the command line args (without the program's name) and returns
// the exit status: 0 done, 1 failed, 2 misuse, 141 when the reader of the output has left
// any more; of attach it is ssh's.
func (p *Program) Run(ctx context.Context, args []string) int {
	root := p.rootCommand()
	root.SetArgs(args)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stderr := errorOutput{os.Stderr}
	root.SetOut(output{os.Stdout, cancel})
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if errors.Is(context.Cause(ctx), errUnread) {
		return statusUnread
	}
	return status(stderr, err)
}

// status is the exit status for the outcome of a command, which it tells stderr.
func status(stderr io.Writer, err error) int {
	var exit *exitError
	var misuse *misuseError
	var bad *config.SettingError
	if errors.As(err, &bad) && bad.Given {
		err = flagError(bad)
	}
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.Says == "":
		return exit.Status
	}
	fmt.Fprintln(stderr, "angler:", redact.Text(oneLine(err)))
	switch {
	case exit != nil:
		return exit.Status
	case errors.As(err, &misuse):
		return 2
	}
	return 1
}

func (p *Program) rootCommand() *cobra.Command {
	var f engineFlags
	var l look
	root := &cobra.Command{
		Use:               "angler [DIR]",
		Short:             "A terminal workbench for focused crawling",
		Long:              "angler finds the list pages of many sites that are like the samples you show it,\nand brings home the notices they announce.\n\nWith DIR it opens the workbench on that workspace, without it asks which one:\nthe demo, one used lately, or a new one.",
		Args:              command(arguments(0, 1)),
		PersistentPreRunE: noneNegative,
		SilenceErrors:     true, SilenceUsage: true, SuggestionsMinimumDistance: 2, // letters that are other
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				if err := terminal(); err != nil {
					return misuse(fmt.Errorf("name a workspace folder, or try: angler demo; %w", err))
				}
				return p.session(c.Context(), &f, &l, place{})
			}
			path := strings.ContainsRune(args[0], filepath.Separator)
			if _, err := os.Stat(args[0]); !path && errors.Is(err, fs.ErrNotExist) {
				return misuse(fmt.Errorf("no command or workspace named %q; see angler --help", args[0]))
			}
			if _, err := config.Read(args[0]); err != nil {
				return err
			}
			return p.session(c.Context(), &f, &l, place{dir: args[0]})
		},
	}
	f.Fetching(root)
	l.flags(root)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return misuse(fmt.Errorf("%w; %s --help lists the flags", wrongValue(err), c.CommandPath()))
	})
	root.AddCommand(p.newCommand(), p.demoCommand(), crawlCommand(), harvestCommand(), frontierCommand(), labCommand(), p.backupCommand(),
		p.serveCommand(), p.attachCommand(), p.workersCommand(), manCommand(), versionCommand())
	root.AddCommand(sampleCommand(), topicCommand(), featuresCommand(), scoreCommand(), labelCommand(p.Open), evalCommand(), explainCommand(), termsCommand(p.Open), segmentCommand(p.Open),
		extractCommand(p.Open), fieldsCommand(p.Open), exportCommand(), attachmentsCommand(), queryCommand(), searchCommand(),
		checkCommand(), runsCommand(), logCommand(), restoreCommand(), warcCommand(p.Open), compactCommand(), doctorCommand(), loginCommand(),
		workCommand(p.Open), inviteCommand(), notifyCommand(), listsCommand(), seedsCommand(), sourceCommand(p.Open))
	completions(root)
	return root
}

// command asks first whether what names no folder was meant for a command.
func command(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			path := strings.ContainsRune(args[0], filepath.Separator)
			if _, err := os.Stat(args[0]); !path && errors.Is(err, fs.ErrNotExist) {
				if near := c.SuggestionsFor(args[0]); len(near) > 0 {
					return misuse(fmt.Errorf("%q is no command and no folder; did you mean: angler %s", args[0], strings.Join(near, ", angler ")))
				}
			}
		}
		return check(c, args)
	}
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			revision := "unknown"
			if b, ok := debug.ReadBuildInfo(); ok {
				for _, s := range b.Settings {
					if s.Key == "vcs.revision" {
						revision = s.Value
					}
				}
			}
			_, err := fmt.Fprintf(c.OutOrStdout(), "angler %s, revision %s, workspace schema %d\n", version.Number, revision, store.Schema)
			return err
		},
	}
}
