// Package cli is angler's command line: the functions of the workbench without a screen.
//
// A command is a noun with verbs: angler NOUN VERB DIR …; tree.go arranges them. Commands only read
// flags, call the engine and print. Results go to standard output; with --json they are one JSON
// object a line. Progress and errors go to standard error, an error in one line with its remedy.
// A failed command exits with 1. A misused command exits with 2 and has written nothing.
//
// P0 … P4: see docs/papers.md.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"angler/store"
	"angler/store/config"
	"angler/store/secrets"
)

// program is what the commands share.
type program struct {
	web fs.FS // the sources of the demo web

	// exec runs another program on this terminal with its standard output in out. It returns the exit
	// status, -1 after a signal, or why the program could not start.
	exec func(ctx context.Context, name string, args []string, out io.Writer) (int, error)
	// reloads turns hangups into requests to read the settings again; otherwise they end ctx.
	reloads func() <-chan struct{}
	// terminal is rememberTerminal for the terminal of the process; nil means a process without one.
	terminal func() (giveBack func())
}

// Main runs the command line of the process with the sources of the demo web. It returns the exit
// status: 0 done, 1 failed, 2 misuse, 141 if the reader of the output has closed it. attach returns
// that of ssh.
func Main(web fs.FS) int {
	if os.Getenv(watchEnv) != "" {
		return reportCrash(os.Stdin)
	}
	// net/http logs misbehaving servers to the standard logger, which would write over the screen; the
	// crawl records them with the page.
	log.SetOutput(io.Discard)
	ctx, reloads, stop := watchSignals(os.Stderr, os.Exit)
	defer stop()
	p := &program{web: web, exec: runProgram, reloads: reloads,
		terminal: func() func() { return rememberTerminal(os.Stdin, os.Stdout) }}
	return p.run(ctx, os.Args[1:])
}

// run executes the command line args, without the program's name, and returns the exit status.
func (p *program) run(ctx context.Context, args []string) int {
	root := p.rootCommand()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stderr := errorOutput{os.Stderr}
	out := &output{w: os.Stdout, end: cancel}
	root.SetOut(out)
	root.SetErr(stderr)
	err := execute(ctx, root, args)
	if errors.Is(context.Cause(ctx), errUnread) {
		return statusUnread
	}
	return status(stderr, cmp.Or(err, out.err))
}

// status prints the error of a command to stderr and returns the exit status.
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
	fmt.Fprintln(stderr, "angler:", secrets.Redact(oneLine(err)))
	switch {
	case exit != nil:
		return exit.Status
	case errors.As(err, &misuse):
		return 2
	}
	return 1
}

// rootCommand is the tree of all commands. Its arguments go through verbFirst, see execute.
func (p *program) rootCommand() *cobra.Command {
	root := p.openCommand("angler [DIR]")
	root.Short = "A terminal workbench for focused crawling"
	root.Long = "angler finds the list pages of many sites that are like the samples you show it, and fetches\n" +
		"the notices they announce.\n\n" +
		"With DIR it opens the workbench on that workspace. Without it asks for one: the demo, one used\n" +
		"lately, or a new one."
	root.Example = "  angler demo\n  angler new tenders --seed http://www.example.edu.cn/\n  angler tenders"
	root.Args = command(arguments(0, 1))
	root.PersistentPreRunE = noneNegative
	root.SilenceErrors, root.SilenceUsage, root.SuggestionsMinimumDistance = true, true, maxTypos
	root.SetUsageTemplate(usageText)
	root.SetFlagErrorFunc(flagProblem)
	root.AddGroup(groups...)
	open := p.openCommand("open DIR")
	open.Short, open.Example = "Open the workbench on a workspace", "  angler open tenders --theme light"
	open.Long = "open shows the workbench on the workspace in DIR. angler DIR is the same."
	add(root, "work", open, p.demoCommand(), p.newCommand(), crawlCommand(), harvestCommand(), p.serveCommand(),
		p.attachCommand(), mcpCommand(), tokenNoun())
	add(root, "topic", samplesNoun(), labelsNoun(), topicNoun(), termsNoun(), seedsNoun())
	add(root, "results", noticesNoun(), listsNoun(), frontierNoun(), exportCommand(), importCommand(),
		alertsNoun())
	add(root, "upkeep", historyNoun(), p.workspaceNoun(), p.workersNoun(), labCommand(), doctorCommand())
	add(root, "more", textNoun(), shortExtractCommand(), versionCommand(), manCommand(),
		completionCommand())
	help := helpCommand(root)
	add(root, "more", help)
	root.SetHelpCommand(help)
	return root
}

// execute runs the command line args below root.
func execute(ctx context.Context, root *cobra.Command, args []string) error {
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) { // takes longer than all the rest here
		completions(root)
	}
	root.SetArgs(verbFirst(root, args))
	return root.ExecuteContext(ctx)
}

// openCommand opens the workbench on the named folder, or on one that the user chooses.
func (p *program) openCommand(use string) *cobra.Command {
	var f engineFlags
	var l look
	c := &cobra.Command{Use: use, RunE: func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			if err := terminal(); err != nil {
				return misusef("name a workspace folder, or try: angler demo; %w", err)
			}
			return p.session(c.Context(), &f, &l, place{})
		}
		if _, err := config.Read(args[0]); err != nil {
			return err
		}
		return p.session(c.Context(), &f, &l, place{dir: args[0]})
	}}
	f.fetching(c)
	l.flags(c)
	return c
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Example: "  angler version",
		RunE: func(c *cobra.Command, _ []string) error {
			revision := "unknown"
			if b, ok := debug.ReadBuildInfo(); ok {
				for _, s := range b.Settings {
					if s.Key == "vcs.revision" {
						revision = s.Value
					}
				}
			}
			_, err := fmt.Fprintf(c.OutOrStdout(), "angler %s, revision %s, workspace schema %d\n", config.Version,
				revision, store.Schema)
			return err
		},
	}
}
