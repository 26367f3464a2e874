package cli

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"

	"angler/crawl"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/store/config"
	"angler/store/modes"
	"angler/store/secrets"
	"angler/tui/i18n"
	"angler/tui/widget"
)

// machine is the machine that the doctor checks.
type machine struct {
	getenv  func(string) string
	in, out *os.File
	dir     string // a workspace, or the folder for a new one
	now     time.Time
	lookup  func(ctx context.Context, host string) ([]string, error)
}

// patience is the time limit for a terminal, a name server and a proxy.
const patience = 3 * time.Second

func (m *machine) findings(ctx context.Context, set *config.Settings) []finding {
	return []finding{m.terminal(), m.colours(), m.cells(), m.locale(), m.ssh(), m.disk(), m.clock(),
		m.resolver(ctx, set), m.proxy(ctx, set)}
}

// the smallest screen with room for every pane.
const leastWide, leastHigh = 80, 24

func (m *machine) terminal() finding {
	if !term.IsTerminal(m.out.Fd()) {
		return finding{"terminal", true, "standard output is none; commands work, the workbench wants one"}
	}
	name := m.getenv("TERM")
	w, h, err := term.GetSize(m.out.Fd())
	switch {
	case err != nil:
		return finding{"terminal", false, fmt.Sprintf("%s does not tell its size: %v", name, err)}
	case name == "" || name == "dumb":
		return finding{"terminal", false,
			fmt.Sprintf(
				"TERM is %q: the workbench cannot move the cursor there; set TERM to what the terminal is, such as "+
					"xterm-256color", name)}
	case w < leastWide || h < leastHigh:
		return finding{"terminal", false,
			fmt.Sprintf("%s of %d×%d cells; the workbench wants %d×%d", name, w, h, leastWide, leastHigh)}
	}
	return finding{"terminal", true, fmt.Sprintf("%s of %d×%d cells", name, w, h)}
}

func (m *machine) colours() finding {
	theme, err := widget.Pick("", false, m.getenv)
	if err != nil {
		return finding{"colours", false, err.Error()}
	}
	says := widget.Either(m.getenv("NO_COLOR") != "",
		"none, NO_COLOR is set", "theme "+theme.Name+"; --theme chooses another")
	return finding{"colours", true, says}
}

func (m *machine) locale() finding {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := m.getenv(name); v != "" {
			if i18n.UTF8(m.getenv) {
				return finding{"locale", true, name + "=" + v}
			}
			return finding{"locale", false,
				fmt.Sprintf("%s=%s is no UTF-8: Chinese cannot be shown, borders are ASCII; set LANG=C.UTF-8", name, v)}
		}
	}
	return finding{"locale", true,
		"LANG is not set: the terminal is taken for one of UTF-8; else set LANG=C for ASCII borders"}
}

func (m *machine) ssh() finding {
	path, err := exec.LookPath("ssh")
	says := widget.Either(err != nil,
		"no ssh client: attach and a backup of a served workspace go without; install openssh-client", path)
	if from, _, ok := strings.Cut(m.getenv("SSH_CONNECTION"), " "); ok {
		says += "; this session comes from " + from
	}
	return finding{"ssh", true, says}
}

func (m *machine) disk() finding {
	free, size, ok := modes.Disk(m.dir)
	if !ok {
		return finding{"disk", true, "this system does not tell how much is free"}
	}
	says := fmt.Sprintf("%d MB of %d MB free below %s", free>>20, size>>20, m.dir)
	if free < crawl.LeastFree {
		return finding{"disk", false, says + "; a crawl stops where there is no room for a commit: make some, or " +
			"run angler workspace compact"}
	}
	return finding{"disk", true, says}
}

func (m *machine) clock() finding {
	says := m.now.Format("2006-01-02 15:04:05 MST")
	if revisit.Behind(m.now) {
		return finding{"clock", false,
			says + " is before this program was made: set the clock, dates of pages are read by it"}
	}
	return finding{"clock", true, says}
}

// maxResolved is the number of seeds looked up.
const maxResolved = 3

// resolver looks up the hosts of the first seeds. With a proxy, the proxy does.
func (m *machine) resolver(ctx context.Context, set *config.Settings) finding {
	if set.Crawl.Proxy != "" && set.Crawl.Proxy != "direct" {
		return finding{"resolver", true, "the proxy asks"}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	asked := map[string]bool{}
	for _, seed := range set.Seeds {
		host, _, _ := strings.Cut(urls.HostOf(seed), ":")
		if _, err := netip.ParseAddr(host); err == nil || host == "" || asked[host] || reserved(host) ||
			len(asked) == maxResolved {
			continue
		}
		asked[host] = true
		if _, err := m.lookup(ctx, host); err != nil {
			return finding{"resolver", false,
				fmt.Sprintf("%s has no address: %v; see /etc/resolv.conf and the name of the seed", host, err)}
		}
	}
	if len(asked) == 0 {
		return finding{"resolver", true, fmt.Sprintf("nothing to look up: none of %s has a public host name",
			count(len(set.Seeds), "seed"))}
	}
	return finding{"resolver", true, "resolves " + count(len(asked), "seed host")}
}

// reserved reports whether a name is reserved and unknown to every server (RFC 6761).
func reserved(host string) bool {
	i := strings.LastIndexByte(host, '.')
	switch host[i+1:] {
	case "test", "invalid", "localhost", "example":
		return true
	}
	return false
}

// proxy checks whether the proxy accepts connections.
func (m *machine) proxy(ctx context.Context, set *config.Settings) finding {
	if set.Crawl.Proxy == "" || set.Crawl.Proxy == "direct" {
		says := "none"
		if env := m.getenv("http_proxy") + m.getenv("HTTP_PROXY") + m.getenv("https_proxy") +
			m.getenv("HTTPS_PROXY"); env != "" {
			says = "none; those of the environment are not used, crawl.proxy or --proxy names one"
		}
		return finding{"proxy", true, says}
	}
	shown := secrets.Redact(set.Crawl.Proxy)
	u, err := url.Parse(set.Crawl.Proxy)
	if err != nil {
		return finding{"proxy", false, shown + " is no address; write http://HOST:PORT or socks5://HOST:PORT"}
	}
	address := u.Host
	if u.Port() == "" {
		address = net.JoinHostPort(u.Hostname(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
		if u.Scheme == "socks5" {
			address = net.JoinHostPort(u.Hostname(), "1080")
		}
	}
	d := net.Dialer{Timeout: patience}
	c, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return finding{"proxy", false, fmt.Sprintf("%s cannot be reached: %s; start it, or change crawl.proxy", shown,
			secrets.Redact(err.Error()))}
	}
	_ = c.Close() // nothing was sent
	return finding{"proxy", true, shown + " answers"}
}

// cells measures how wide the terminal draws. Chinese takes two cells, and a sign of ambiguous
// width in Unicode one; otherwise columns shift.
func (m *machine) cells() finding {
	if !term.IsTerminal(m.out.Fd()) || !term.IsTerminal(m.in.Fd()) {
		return finding{"cells", true, "only a terminal tells how wide it draws"}
	}
	state, err := term.MakeRaw(m.in.Fd())
	if err != nil {
		return finding{"cells", true, "the terminal cannot be asked: " + err.Error()}
	}
	defer func() { _ = term.Restore(m.in.Fd(), state) }()
	answers, err := cancelreader.NewReader(m.in)
	if err != nil {
		return finding{"cells", true, "the terminal cannot be asked: " + err.Error()}
	}
	defer answers.Close()
	late := time.AfterFunc(patience, func() { answers.Cancel() })
	defer late.Stop()
	return askCells(answers, m.out)
}

// askCells draws signs at the start of a line and queries the cursor position.
func askCells(in io.Reader, out io.Writer) finding {
	var wrong []string
	for _, sign := range []struct{ text, what, helps string }{
		{"中", "a Chinese character", "its font or settings lack Chinese"},
		{"─", "a line of borders", "set ambiguous characters to narrow in the terminal, or use --ascii"},
		{"★", "a star", "set ambiguous characters to narrow in the terminal"},
	} {
		if _, err := io.WriteString(out, "\r"+sign.text+"\x1b[6n"); err != nil {
			return finding{"cells", true, "the terminal cannot be asked: " + err.Error()}
		}
		var row, column int
		_, err := fmt.Fscanf(in, "\x1b[%d;%dR", &row, &column)
		fmt.Fprint(out, "\r\x1b[K")
		if err != nil {
			return finding{"cells", true, "the terminal does not say where its cursor is"}
		}
		if want := widget.Width(sign.text); column-1 != want {
			wrong = append(wrong,
				fmt.Sprintf("%s takes %d cells and should take %d: %s", sign.what, column-1, want, sign.helps))
		}
	}
	if len(wrong) > 0 {
		return finding{"cells", false, strings.Join(wrong, "; ")}
	}
	return finding{"cells", true, "Chinese takes two, ambiguous signs take one"}
}

// beginning returns the folder of a workspace, or the folder for a new one.
func beginning(args []string) string {
	if len(args) == 1 {
		return args[0]
	}
	return "."
}
