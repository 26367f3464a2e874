package sshd

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/charmbracelet/ssh"
	gossh "golang.org/x/crypto/ssh"

	"angler/crawl/auth"
	"angler/crawl/auth/ratelimit"
	"angler/store/config"
)

// Keys of values in a connection's context.
type (
	refusedKey struct{} // the first key that was refused
	toldKey    struct{} // the client was told how to log in
)

// keysFile describes the file to strangers without its path.
const keysFile = "ssh/authorized_keys in the workspace's folder"

// maxKeysTried bounds the keys that a client may offer on one connection.
const maxKeysTried = 8

// keysRead is the last state of authorized_keys.
type keysRead struct {
	file []byte
	keys keyList
	told string // problems already in the log
}

// keys reads the current authorized_keys file. On an error it returns no keys. It logs only new
// problems: strangers must not fill the log with them.
func (s *Server) keys() (keyList, error) {
	file, err := s.c.Keys()
	keys, news := s.parse(file, err)
	switch {
	case !news:
	case err != nil:
		s.c.Log.Error("no login is possible", "err", err)
	default:
		for _, p := range keys.problems {
			s.c.Log.Warn("a key was left out", "file", s.c.KeysPath, "why", p)
		}
	}
	return keys, err
}

// greet logs the address of the server and, when no login is possible, the remedy.
func (s *Server) greet(at net.Addr) {
	keys, err := s.keys()
	s.c.Log.Info("serving", "workspace", s.c.Engine.Workspace().Dir(), "listen", at.String(), "keys", len(keys.people),
		"version", config.Version)
	if err == nil && len(keys.people) == 0 {
		s.c.Log.Warn("no login is possible yet: add a line like this", "file", s.c.KeysPath, "line",
			`role=analyst,name="wang" ssh-ed25519 AAAA…`)
	}
}

// parse returns the keys of a file, and whether its problems are new.
func (s *Server) parse(file []byte, err error) (keys keyList, news bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &s.read
	switch {
	case err != nil:
		r.file, r.keys = nil, keyList{}
	case r.keys.people == nil || !bytes.Equal(file, r.file):
		r.file, r.keys = file, parseKeys(file)
	}
	problems := fmt.Sprint(err, r.keys.problems)
	news = problems != r.told
	r.told = problems
	return r.keys, news
}

// config returns the configuration of a new connection. The permissions that publicKey gives a key
// take effect once the client has proved it.
func (s *Server) config(ctx ssh.Context) *gossh.ServerConfig {
	set := sshConfig()
	set.VerifiedPublicKeyCallback = func(_ gossh.ConnMetadata, key gossh.PublicKey, p *gossh.Permissions,
		_ string) (*gossh.Permissions, error) {
		c, ok := ctx.Value(connKey{}).(*conn)
		if !ok {
			return nil, errors.New("no connection of this server")
		}
		who, _, err := personOf(p)
		if err == nil {
			err = s.proved(c, string(key.Marshal()), who)
		}
		if err != nil {
			s.warn(c.owner, "login refused", "name", who.Name, "from", hostOf(c.RemoteAddr()), "key",
				gossh.FingerprintSHA256(key), "why", err)
			return nil, err
		}
		return p, nil
	}
	return set
}

// banner tells the clients of a server without usable keys why no login is possible, and what to
// do. Other clients see nothing.
func (s *Server) banner(ssh.Context) string {
	if k, _ := s.keys(); len(k.people) > 0 {
		return ""
	}
	return "angler: no login is possible yet. Put a public key into " + keysFile + ",\none a line:\n" +
		`  role=analyst,name="wang" ssh-ed25519 AAAA…` +
		"\nroles: viewer (watches), analyst (decides), admin (also workers and seeds)\n"
}

// publicKey accepts a key in the file. The ssh user name is ignored: the key identifies the person.
func (s *Server) publicKey(ctx ssh.Context, key ssh.PublicKey) bool {
	c, ours := ctx.Value(connKey{}).(*conn)
	if !ours {
		return false
	}
	c.offered++
	k, _ := s.keys()
	p, ok := k.who(key)
	if !ok {
		if ctx.Value(refusedKey{}) == nil {
			ctx.SetValue(refusedKey{}, key)
		}
		s.wait(s.logins.Delay(c.owner, s.c.Now()), nil)
		return false
	}
	// Clients may offer several keys before they prove one: the permissions, unlike the context, belong
	// to the proved key.
	ctx.Permissions().Extensions = map[string]string{"name": p.Name, "role": string(p.Role),
		"key": string(key.Marshal())}
	return true
}

// explain runs when no key was accepted: it refuses the login and tells how to get access.
func (s *Server) explain(ctx ssh.Context, ask gossh.KeyboardInteractiveChallenge) bool {
	if ctx.Value(toldKey{}) != nil {
		return false // clients retry by themselves
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

// wait waits for d, or until done is closed or the server ends.
func (s *Server) wait(d time.Duration, done <-chan struct{}) {
	if d <= 0 {
		return
	}
	select {
	case <-s.c.After(d):
	case <-done:
	case <-s.ctx.Done():
	}
}

// failed logs a failed handshake. Only clients that offered a key count as failed logins: a port
// scan does not slow logins down.
func (s *Server) failed(nc net.Conn, err error) {
	from := hostOf(nc.RemoteAddr())
	owner, args := ratelimit.Owner(from), []any{"from", from}
	if p, ok := nc.RemoteAddr().(peer); ok && p.c.offered > 0 {
		s.logins.Failed(owner, s.c.Now())
		args = append(args, "keys", p.c.offered)
	}
	s.warn(owner, "login failed", append(args, "err", loggable(err.Error()))...)
}

// who returns the person that publicKey recorded for the proved key, and the key.
func who(c *gossh.ServerConn) (p auth.Actor, key string, err error) { return personOf(c.Permissions) }

func personOf(p *gossh.Permissions) (who auth.Actor, key string, err error) {
	if p == nil {
		return who, "", errors.New("no key was proved")
	}
	x := p.Extensions
	r, err := auth.Parse(x["role"])
	return auth.Actor{Name: x["name"], Role: r, Remote: true}, x["key"], err
}

func hostOf(a net.Addr) string {
	host, _, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}
	return host
}
