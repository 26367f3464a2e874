package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/alerts"
	"angler/store/config"
	"angler/tui/widget"
)

func alertsNoun() *cobra.Command {
	c := noun("alerts", "Show, test and send the alerts of new notices",
		alertListCommand(), alertTestCommand(), alertPreviewCommand(), alertSendCommand(), alertDropCommand())
	c.Long += "\n\nalerts works with the rows of [[notify]] in angler.toml. angler serve, the workbench and angler\n" +
		"harvest send by themselves what is due."
	return c
}

func alertListCommand() *cobra.Command {
	return jsonFlag(&cobra.Command{
		Use: "list DIR", Short: "List alerts: where each sends, what it sent, what waits",
		Example: "  angler alerts list DIR",
		RunE: runs(new(engineFlags).reading, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			return listAlerts(c, e)
		}),
	})
}

func alertTestCommand() *cobra.Command {
	return &cobra.Command{
		Use: "test DIR NAME", Short: "Send a few notices, marked as a test",
		Example: "  angler alerts test DIR mail",
		RunE: runs(new(engineFlags).reading, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			if _, err := e.Notify.Named(args[1]); err != nil {
				return misuse(err)
			}
			if err := e.Notify.Test(c.Context(), args[1]); err != nil {
				return err
			}
			c.PrintErrf("sent the test message of %s\n", args[1])
			return nil
		}),
	}
}

func alertSendCommand() *cobra.Command {
	return jsonFlag(&cobra.Command{
		Use: "send DIR", Short: "Send what is due now, retry what failed",
		Example: "  angler alerts send DIR",
		RunE: runs(new(engineFlags).withWords, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			if err := e.Notify.Flush(c.Context()); err != nil {
				return err
			}
			return listAlerts(c, e)
		}),
	})
}

func alertDropCommand() *cobra.Command {
	return &cobra.Command{
		Use: "drop DIR NAME", Short: "Discard the waiting messages of an alert",
		Long:    "drop discards the messages that wait. Their notices are part of the next message.",
		Example: "  angler alerts drop DIR mail",
		RunE: runs(new(engineFlags).with, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			if _, err := e.Notify.Named(args[1]); err != nil {
				return misuse(err)
			}
			n, err := e.Notify.Drop(args[1])
			if err == nil {
				c.PrintErrf("discarded %s\n", count(n, "message"))
			}
			return err
		}),
	}
}

func alertPreviewCommand() *cobra.Command {
	return jsonFlag(&cobra.Command{
		Use: "preview DIR [NAME]", Short: "Print what would be sent now, send nothing",
		Example: "  angler alerts preview DIR mail",
		RunE: runs(new(engineFlags).readingWords, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			return previewAlerts(c, e, args[1:])
		}),
	})
}

func previewAlerts(c *cobra.Command, e *crawl.Engine, names []string) error {
	if len(names) == 0 {
		names = widget.Map(e.Set().Notify, func(n config.Notify) string { return n.Name })
	}
	for _, name := range names {
		list, err := e.Notify.Preview(c.Context(), name)
		if errors.Is(err, alerts.ErrNone) {
			return misuse(err)
		}
		err = printed(c, list, err, func(w io.Writer) {
			for _, d := range list {
				fmt.Fprintln(w, d.Text())
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func listAlerts(c *cobra.Command, e *crawl.Engine) error {
	rows, err := e.Notify.Status()
	return listing[alerts.AlertRow]{
		None:  "no alerts: angler.toml has no [[notify]]; docs/daily.md shows how it looks",
		Heads: "name\twhere\trhythm\tlast sent\tnext\tstate",
		Left:  []int{0, 1, 2, 3, 4, 5},
		Cells: func(r *alerts.AlertRow) string {
			return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s", r.Name, r.Where, r.Rhythm, moment(r.Sent), moment(r.Next),
				alertState(r))
		},
	}.print(c, rows, err)
}

func alertState(r *alerts.AlertRow) string {
	switch {
	case r.Off:
		return "off"
	case r.Tries > 0:
		return fmt.Sprintf("attempt %d failed, the first at %s; %d rows wait, again at %s: %s", r.Tries,
			moment(r.Failed), r.Rows, moment(r.Again), r.Why)
	case r.Why != "":
		return r.Why
	case r.Waiting > 0:
		return fmt.Sprintf("%d messages of %d rows wait", r.Waiting, r.Rows)
	}
	return "ok"
}
