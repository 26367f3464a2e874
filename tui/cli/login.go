package cli

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
		Use:     "login DIR HOST",
		Short:   "Try the login of a host and print each step",
		Example: "  angler lists login DIR zbb.example.edu.cn",
		Long: "login logs in by [host.\"HOST\"] of angler.toml: it sends the form, or requests a page with the\n" +
			"user name, cookies and headers. It prints each request and reply without the password. The next run\n" +
			"uses a successful login. A certificate without a known authority is shown with its fingerprint.\n" +
			"Captchas are not solved: log in with a browser, export its cookies in Netscape format, and\n" +
			"name that file as cookies.",
		RunE: func(c *cobra.Command, args []string) error {
			host := strings.ToLower(args[1])
			if u, err := url.Parse(host); err == nil && u.Host != "" {
				host = u.Host
			}
			if why := config.CheckHostName(host); why != "" {
				return misusef("%s %s", host, why)
			}
			try := func(e *crawl.Engine) error { return tried(c, host, e.TryLogin(c.Context(), host)) }
			err := f.with(c, args[0], try)
			if errors.Is(err, store.ErrLocked) {
				c.PrintErrln("the workspace is open elsewhere: the login is tried, and its cookies are not kept")
				return f.reading(c, args[0], try)
			}
			return err
		},
	}
	f.fetching(c)
	return c
}

// tried prints the report of a login.
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
		fmt.Fprintf(w, "%s is logged in already\n", host)
	default:
		fmt.Fprintf(w, "%s accepts the login\n", host)
	}
	return nil
}

func vouch(w io.Writer, host, fingerprint string) {
	if fingerprint != "" {
		fmt.Fprintf(w, "no known authority signed the certificate of %s; to trust it, write into angler.toml:\n\n"+
			"[host.%q]\ncertificate = %q\n\n", host, host, fingerprint)
	}
}
