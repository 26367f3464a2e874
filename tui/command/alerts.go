package command

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/alerts"
)

// alertFlags is what notify is to do; all of it empty shows the status.
type alertFlags struct {
	status, dry, now, asJSON bool
	test, drop               string
}

func (a *alertFlags) check(args []string) error {
	n := 0
	for _, on := range []bool{a.status, a.dry, a.now, a.test != "", a.drop != ""} {
		if on {
			n++
		}
	}
	switch {
	case n > 1:
		return errors.New("one of --status, --test, --dry-run, --now, --drop at a time")
	case len(args) > 1 && !a.dry:
		return errors.New("a name goes with --dry-run; --test and --drop have it behind them")
	}
	return nil
}

func notifyCommand() *cobra.Command {
	var a alertFlags
	c := &cobra.Command{
		Use: "notify DIR [NAME]", Short: "Show who is told of which notices, try it, send what is due",
		Long: "notify shows the rows of [[notify]] in angler.toml: where each sends, what it sent last, what\n" +
			"waits and why. angler serve, the workbench and angler harvest send by themselves what is due;\n" +
			"--now does it once, and tries again at once what has failed. --dry-run prints what would be\n" +
			"sent now and sends nothing. --test sends a few notices, marked as a test.",
		Args: arguments(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.check(args); err != nil {
				return misuse(err)
			}
			var f engineFlags
			if a.now || a.drop != "" {
				return f.With(c.Context(), args[0], func(e *crawl.Engine) error { return a.write(c, e) })
			}
			return f.Reading(c.Context(), args[0], func(e *crawl.Engine) error { return a.read(c, e, args[1:]) })
		},
	}
	c.Flags().BoolVar(&a.status, "status", false, "show how every row stands, which is done without flags as well")
	c.Flags().StringVar(&a.test, "test", "", "send a test message by the row of this name")
	c.Flags().BoolVar(&a.dry, "dry-run", false, "print what would be sent now, by all rows or the one that is named")
	c.Flags().BoolVar(&a.now, "now", false, "send what is due and what waits, and return when it is done")
	c.Flags().StringVar(&a.drop, "drop", "", "give up the messages of this row that wait; what they hold goes out with the next one")
	c.Flags().BoolVar(&a.asJSON, "json", false, "print JSON lines")
	return c
}

func (a *alertFlags) write(c *cobra.Command, e *crawl.Engine) error {
	if a.drop != "" {
		if _, err := e.Notify.Named(a.drop); err != nil {
			return misuse(err)
		}
		n, err := e.Notify.Drop(a.drop)
		if err == nil {
			fmt.Fprintf(c.ErrOrStderr(), "%d messages given up\n", n)
		}
		return err
	}
	if err := e.Words(c.Context()); err != nil {
		return err
	}
	if err := e.Notify.Flush(c.Context()); err != nil {
		return err
	}
	return a.show(c.OutOrStdout(), e)
}

func (a *alertFlags) read(c *cobra.Command, e *crawl.Engine, names []string) error {
	switch {
	case a.test != "":
		if _, err := e.Notify.Named(a.test); err != nil {
			return misuse(err)
		}
		if err := e.Notify.Test(c.Context(), a.test); err != nil {
			return err
		}
		fmt.Fprintf(c.ErrOrStderr(), "the test message of %s was sent\n", a.test)
		return nil
	case a.dry:
		if err := e.Words(c.Context()); err != nil {
			return err
		}
		return a.preview(c, e, names)
	}
	return a.show(c.OutOrStdout(), e)
}

func (a *alertFlags) preview(c *cobra.Command, e *crawl.Engine, names []string) error {
	if len(names) == 0 {
		for _, n := range e.Set().Notify {
			names = append(names, n.Name)
		}
	}
	for _, name := range names {
		list, err := e.Notify.Preview(c.Context(), name)
		switch {
		case errors.Is(err, alerts.ErrNone):
			return misuse(err)
		case err != nil:
			return err
		case a.asJSON:
			err = jsonLines(c.OutOrStdout(), list)
		default:
			err = texts(c.OutOrStdout(), list)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func texts(w io.Writer, list []*alerts.Digest) error {
	for _, d := range list {
		if _, err := fmt.Fprintln(w, d.Text()); err != nil {
			return err
		}
	}
	return nil
}

func (a *alertFlags) show(w io.Writer, e *crawl.Engine) error {
	rows, err := e.Notify.Status()
	if err != nil {
		return err
	}
	return listing[alerts.AlertRow]{
		None:  "no alerts: angler.toml has no [[notify]]; docs/daily.md shows how it looks",
		Heads: "name\twhere\trhythm\tlast sent\tnext\tstate",
		Left:  []int{0, 1, 2, 3, 4, 5},
		Cells: func(r *alerts.AlertRow) string {
			return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s", r.Name, r.Where, r.Rhythm, moment(r.Sent), moment(r.Next), alertState(r))
		},
	}.Print(w, rows, a.asJSON)
}

func alertState(r *alerts.AlertRow) string {
	switch {
	case r.Off:
		return "off"
	case r.Tries > 0:
		return fmt.Sprintf("attempt %d failed, the first at %s; %d rows wait, again at %s: %s", r.Tries, moment(r.Failed), r.Rows, moment(r.Again), r.Why)
	case r.Why != "":
		return r.Why
	case r.Waiting > 0:
		return fmt.Sprintf("%d messages of %d rows wait", r.Waiting, r.Rows)
	}
	return "ok"
}
