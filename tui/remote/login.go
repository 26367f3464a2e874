package remote

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/ssh"
	gossh "golang.org/x/crypto/ssh"

	"angler/tui/role"
)

// Keys of values in a connection's context.
type (
	refusedKey struct{} // the first key that was refused
	toldKey    struct{} // that the client was told how to get in
)

// keysFile names the file to strangers, who need not know where it is.
const keysFile = "ssh/authorized_keys in the workspace's folder"

// keys reads the authorized_keys file as it is now; problems are logged when
// they are others than before: strangers must not fill the log with them.
func (s *Server) keys() Keys {
	file, err := s.c.Keys()
	var k Keys
	if err == nil {
		k = ParseKeys(file)
	}
	problems := fmt.Sprint(err, k.Problems)
	s.mu.Lock()
	news := problems != s.told
	s.told = problems
	s.mu.Unlock()
	switch {
	case !news:
	case err != nil:
		s.c.Log.Error("nobody can log in", "err", err)
	default:
		for _, p := range k.Problems {
			s.c.Log.Warn("a key was left out", "file", s.c.KeysPath, "why", p)
		}
	}
	return k
}

// banner tells the clients of a server that lets nobody in why that is, and
// what to do. Clients of other servers see nothing.
func (s *Server) banner(ssh.Context) string {
	if k := s.keys(); k.Len() > 0 {
		return ""
	}
	return "angler: nobody may log in yet. Put a public key into " + keysFile + ",\none a line:\n" +
		`  role=analyst,name="wang" ssh-ed25519 AAAA…` + "\nroles: viewer (watches), analyst (decides), admin (also workers and seeds)\n"
}

// publicKey accepts a key that the file lists. The user name given to ssh means
// nothing: the key says who the person is.
func (s *Server) publicKey(ctx ssh.Context, key ssh.PublicKey) bool {
	k := s.keys()
	p, ok := k.Who(key)
	if !ok {
		if ctx.Value(refusedKey{}) == nil {
			ctx.SetValue(refusedKey{}, key)
		}
		return false
	}
	// Clients may ask for several keys before they prove one: the permissions,
	// unlike the context, belong to the key that was proved.
	ctx.Permissions().Extensions = map[string]string{"name": p.Name, "role": string(p.Role), "key": string(key.Marshal())}
	return true
}

// explain is asked when no key was accepted: it lets nobody in, but says how to
// get in.
func (s *Server) explain(ctx ssh.Context, ask gossh.KeyboardInteractiveChallenge) bool {
	if ctx.Value(toldKey{}) != nil {
		return false // clients try again by themselves
	}
	ctx.SetValue(toldKey{}, true)
	why := "Bring a key: ssh-keygen -t ed25519"
	if key, ok := ctx.Value(refusedKey{}).(ssh.PublicKey); ok {
		why = "To let this key in, add this line to " + keysFile + ":\n" +
			`  role=viewer,name="you" ` + strings.TrimSpace(string(gossh.MarshalAuthorizedKey(key)))
	}
	_, _ = ask("", "angler: no key of yours is known here. "+why+"\n", nil, nil)
	return false
}

// failed logs what did not become a connection. Only keys that were tried count
// as attempts: a port scan that connects and leaves must not lock an address
// out.
func (s *Server) failed(c net.Conn, err error) {
	from := hostOf(c.RemoteAddr())
	var tried *gossh.ServerAuthError
	if errors.As(err, &tried) && len(tried.Errors) > 1 { // the first asks what there is
		s.tries.failed(from, time.Now())
	}
	s.c.Log.Warn("login failed", "from", from, "err", err)
}

// who reads what publicKey wrote down for the key that was proved, and the key.
func who(c *gossh.ServerConn) (p Person, key string, err error) {
	if c.Permissions == nil {
		return p, "", errors.New("no key was proved")
	}
	x := c.Permissions.Extensions
	r, err := role.Parse(x["role"])
	return Person{Name: x["name"], Role: r}, x["key"], err
}

func hostOf(a net.Addr) string {
	host, _, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}
	return host
}

// attempts counts failed logins by address.
type attempts struct {
	most int
	mu   sync.Mutex
	from map[string]tries
}

type tries struct {
	n     int
	since time.Time
}

const (
	triesFor    = 10 * time.Minute
	triesHosts  = 4096 // addresses remembered
	triesPrefix = 64   // bits of an IPv6 address that one client may own all of
)

func (a *attempts) key(host string) string {
	if ip := net.ParseIP(host); ip != nil && ip.To4() == nil {
		return ip.Mask(net.CIDRMask(triesPrefix, 128)).String()
	}
	return host
}

func (a *attempts) failed(host string, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	k := a.key(host)
	if a.from == nil || len(a.from) >= triesHosts {
		a.from = map[string]tries{} // forgetting all is better than growing
	}
	t := a.from[k]
	if now.Sub(t.since) > triesFor {
		t = tries{since: now}
	}
	t.n++
	a.from[k] = t
}

func (a *attempts) tooMany(host string, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.from[a.key(host)]
	return t.n >= a.most && now.Sub(t.since) <= triesFor
}
