package command

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/hostauth"
	"angler/store"
	"angler/store/config"
)

func loginCommand() *cobra.Command {
	var f engineFlags
	c := &cobra.Command{
		Use: "login DIR HOST", Short: "Try the login of a host, and say what came",
		Long: "login opens the door that [host.\"HOST\"] in angler.toml describes: it sends the form, or asks for a\n" +
			"page with the name, the cookies and the headers that are set, and tells what was asked and what\n" +
			"came, without a password. A login that succeeds is kept for the next run. Where a certificate is\n" +
			"without a known authority its fingerprint is shown. Captchas are not solved: log in with a browser,\n" +
			"export its cookies in Netscape's form, and name the file as cookies.",
		Args: arguments(2, 2),
		RunE: func(c *cobra.Command, args []string) error {
			host := strings.ToLower(args[1])
			if u, err := url.Parse(host); err == nil && u.Host != "" {
				host = u.Host
			}
			if why := config.CheckHostName(host); why != "" {
				return misuse(fmt.Errorf("%s %s", host, why))
			}
			try := func(e *crawl.Engine) error { return tried(c, host, e.TryLogin(c.Context(), host)) }
			err := f.With(c.Context(), args[0], try)
			if errors.Is(err, store.ErrLocked) {
				fmt.Fprintln(c.ErrOrStderr(), "the workspace is open elsewhere: the login is tried, and its cookies are not kept")
				return f.Reading(c.Context(), args[0], try)
			}
			return err
		},
	}
	f.Fetching(c)
	return c
}

// tried prints what came of a login.
func tried(c *cobra.Command, host string, r hostauth.LoginReport) error {
	w := c.OutOrStdout()
	for _, step := range r.Steps {
		fmt.Fprintln(w, step)
	}
	if len(r.Cookies) > 0 {
		fmt.Fprintf(w, "cookies: %s\n", strings.Join(r.Cookies, ", "))
	}
	vouch(w, host, r.Fingerprint)
	switch {
	case r.Err != nil:
		return r.Err
	case r.Already:
		fmt.Fprintf(w, "%s lets us in already\n", host)
	default:
		fmt.Fprintf(w, "%s lets us in\n", host)
	}
	return nil
}

func vouch(w io.Writer, host, fingerprint string) {
	if fingerprint != "" {
		fmt.Fprintf(w, "no authority vouches for the certificate of %s; if it is the right one, write into angler.toml:\n\n[host.%q]\ncertificate = %q\n\n", host, host, fingerprint)
	}
}
