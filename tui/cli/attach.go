package cli

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"angler/store"
	"angler/store/config"
	"angler/store/secrets"
)

func (p *program) attachCommand() *cobra.Command {
	var identity string
	c := &cobra.Command{
		Use: "attach [USER@]HOST[:PORT]|DIR [status|export|tail …]", Short: "Join a served workbench over SSH",
		Args:    arguments(1, -1),
		Example: "  angler attach wang@crawl.example.edu.cn\n  angler attach DIR status --json",
		Long: "attach runs the system's ssh: to HOST, or to the server that has DIR open on this machine. A\n" +
			"command behind it prints rows instead of showing the workbench.",
		RunE: func(c *cobra.Command, args []string) error { return p.attach(c, args, identity) },
	}
	// Arguments after the host belong to the server: status --json.
	c.Flags().SetInterspersed(false)
	identityFlag(c, &identity)
	return c
}

// identityFlag adds the private key of commands that run ssh.
func identityFlag(c *cobra.Command, identity *string) {
	c.Flags().StringVarP(identity, "identity", "i", "", "file with the private key; by default ssh chooses")
}

// attach runs ssh to the first argument, with the rest as command.
func (p *program) attach(c *cobra.Command, args []string, identity string) error {
	ssh, err := attachArgs(args, identity)
	if err != nil {
		return err
	}
	giveBack := func() {}
	if p.terminal != nil && len(args) == 1 {
		giveBack = p.terminal()
	}
	status, err := p.exec(c.Context(), "ssh", ssh, os.Stdout)
	if err != nil {
		return fmt.Errorf("cannot run ssh: %w; install the OpenSSH client", err)
	}
	if status != 0 {
		giveBack() // ssh does not restore the terminal if it was killed or lost the server
	}
	return attachEnd(status, c.Context().Err() != nil)
}

// alive is how often ssh checks a silent server: a dead host must not keep the terminal for ever.
const alive = "ServerAliveInterval=15"

// sshFailed is the exit status of ssh for its own errors (ssh(1)); every other
// one is the server's, which has printed the reason.
const sshFailed = 255

// attachEnd turns ssh's exit status into the command's. told reports whether a person ended the
// command.
func attachEnd(status int, told bool) error {
	switch {
	case status == 0:
		return nil
	case status < 0:
		return &exitError{Status: 1, Says: "a signal ended ssh"}
	case status == sshFailed && !told:
		return &exitError{Status: status, Says: "ssh could not attach, or lost the connection; what it said stands " +
			"above: check that angler serve runs there, its address and port, and that your key is in its " +
			"ssh/authorized_keys"}
	}
	return &exitError{Status: status}
}

// attachArgs returns the arguments for ssh: to a folder that this machine serves, whose host key is
// in the folder, or to a host.
func attachArgs(args []string, identity string) ([]string, error) {
	to, rest := args[0], args[1:]
	host, port := to, "2222"
	var known []string
	_, err := config.Read(to)
	switch {
	case err == nil:
		listen := store.Served(to)
		if listen == "" {
			return nil, fmt.Errorf("%s is not served; start it with: angler serve %s", to, to)
		}
		if host, port, err = net.SplitHostPort(listen); err != nil {
			return nil, fmt.Errorf("%s says it is served at %q, which is no address", to, listen)
		}
		if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
			host = "127.0.0.1"
		}
		file, err := filepath.Abs(secrets.KnownHostsPath(to))
		if err != nil {
			return nil, err
		}
		known = []string{"-o", "HostKeyAlias=" + secrets.HostAlias, "-o", `UserKnownHostsFile="` + file + `"`, "-o",
			"StrictHostKeyChecking=yes"}
	case strings.ContainsRune(to, '/'):
		return nil, err
	default:
		user, at, found := strings.Cut(to, "@")
		if !found {
			user, at = "", to
		}
		if h, pt, err := net.SplitHostPort(at); err == nil {
			at, port = h, pt
		}
		if host = at; user != "" {
			host = user + "@" + at
		}
	}
	if host == "" || strings.HasPrefix(host, "-") || strings.HasPrefix(port, "-") {
		return nil, misusef("give HOST, USER@HOST, HOST:PORT or a served workspace folder")
	}
	out := []string{"-p", port, "-x", "-a", "-o", alive, "-o", "ServerAliveCountMax=3", "-o",
		"SendEnv=COLORTERM NO_COLOR COLORFGBG LANG LC_*"}
	out = append(out, known...)
	if identity != "" {
		out = append(out, "-i", identity)
	}
	if len(rest) == 0 {
		out = append(out, "-t")
	}
	return append(append(out, "--", host), rest...), nil
}
