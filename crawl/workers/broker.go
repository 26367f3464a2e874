package workers

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"angler/store/modes"
)

// folder is the broker's folder in a workspace.
const folder = "workers"

// Broker is a running JetStream server.
type Broker struct {
	server *server.Server
	owner  string // the owner's password, made at each start
	access atomic.Pointer[WorkerAccess]
	banned atomic.Pointer[func(worker string) bool] // nil = none banned
	closed chan struct{}
	watch  sync.WaitGroup
}

// Limits of the server: maxMemory bytes for the queues, maxStore bytes on disk for the tables, maxConns connections.
const (
	maxMemory = 256 << 20
	maxStore  = 64 << 20
	maxConns  = 1024
)

// StartBroker starts the server of a workspace. It refuses an address without a host; 0.0.0.0 means all networks.
func StartBroker(dir, listen string) (*Broker, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil || host == "" {
		return nil, fmt.Errorf("%q is no address to listen on: write HOST:PORT, such as 127.0.0.1:4222", listen)
	}
	number, err := strconv.Atoi(port)
	if err != nil || number < 0 || number > 65535 {
		return nil, fmt.Errorf("%q is no port: write a number, such as 4222", port)
	}
	if number == 0 {
		number = server.RANDOM_PORT
	}
	keys, err := open(dir)
	if err != nil {
		return nil, err
	}
	b := &Broker{owner: rand.Text(), closed: make(chan struct{})}
	b.access.Store(&keys.access)
	b.server, err = server.NewServer(&server.Options{
		ServerName: "angler", Host: host, Port: number, NoSigs: true, NoLog: true, MaxPayload: maxPayload,
		MaxConn:   maxConns,
		JetStream: true, StoreDir: filepath.Join(dir, folder), JetStreamMaxStore: maxStore,
		JetStreamMaxMemory: maxMemory,
		TLS:                true, TLSTimeout: 5, TLSConfig: &tls.Config{MinVersion: tls.VersionTLS13,
			Certificates: []tls.Certificate{keys.certificate}},
		CustomClientAuthentication: authenticator{b},
	})
	if err != nil {
		return nil, fmt.Errorf("cannot start the server of the workers: %w", err)
	}
	b.server.Start()
	if !b.server.ReadyForConnections(20 * time.Second) {
		b.Close()
		return nil, fmt.Errorf(
			"the server of the workers does not come up on %s: is the address taken? choose another with --workers-listen",
			listen)
	}
	b.watch.Go(func() { b.watchToken(dir) })
	return b, nil
}

// tokenInterval is the interval at which the server checks its token file.
const tokenInterval = time.Second

// watchToken disconnects workers when the token changes, until Close. It ignores an unreadable token.
func (b *Broker) watchToken(dir string) {
	tick := time.NewTicker(tokenInterval)
	defer tick.Stop()
	for {
		select {
		case <-b.closed:
			return
		case <-tick.C:
		}
		token, err := readToken(dir)
		now := b.Invitation()
		if err != nil || token == "" || token == now.Token {
			continue
		}
		now.Token = token
		b.access.Store(&now)
		b.disconnectWorkers()
	}
}

// disconnectWorkers closes all connections but the owner's.
func (b *Broker) disconnectWorkers() {
	all, err := b.server.Connz(&server.ConnzOptions{Username: true, Limit: maxConns})
	if err != nil {
		return // Connz fails only for wrong options
	}
	for _, c := range all.Conns {
		if c.AuthorizedUser != ownerUser {
			// The connection may have closed meanwhile.
			_ = b.server.DisconnectClientByID(c.Cid)
		}
	}
}

// authenticator authenticates connections and sets their permissions.
type authenticator struct{ *Broker }

// Check implements server.Authentication.
func (d authenticator) Check(c server.ClientAuthentication) bool {
	said := c.GetOpts()
	if said.Username == ownerUser {
		c.RegisterUser(&server.User{Username: ownerUser})
		return subtle.ConstantTimeCompare([]byte(said.Password), []byte(d.owner)) == 1
	}
	worker, ok := d.Invitation().opens(said.Username, said.Password)
	if banned := d.banned.Load(); !ok || worker != "" && banned != nil && (*banned)(worker) {
		return false
	}
	publish, subscribe := workerPermissions(worker)
	c.RegisterUser(&server.User{Username: said.Username, Permissions: &server.Permissions{
		Publish: &server.SubjectPermission{Allow: publish}, Subscribe: &server.SubjectPermission{Allow: subscribe}}})
	return true
}

// ownerUser is the owner's login name.
const ownerUser = "owner"

// Bar sets the test for banned workers. The server refuses a banned worker that has a personal invitation, whatever
// name it uses. The owner refuses the others.
func (b *Broker) Bar(banned func(worker string) bool) { b.banned.Store(&banned) }

// Addr returns the listen address.
func (b *Broker) Addr() string { return b.server.Addr().String() }

// Invitation returns the invitation for all workers.
func (b *Broker) Invitation() WorkerAccess { return *b.access.Load() }

// Connect returns a connection for the owner, within this process.
func (b *Broker) Connect() (*nats.Conn, error) {
	return nats.Connect("", nats.InProcessServer(b.server), nats.UserInfo(ownerUser, b.owner), nats.Name("owner"),
		nats.MaxReconnects(-1))
}

// Close shuts the server down and waits for its end.
func (b *Broker) Close() {
	close(b.closed)
	b.watch.Wait()
	b.server.Shutdown()
	b.server.WaitForShutdown()
}

// WorkerInvitation returns the invitation for all workers of a workspace. It makes one at the first call.
func WorkerInvitation(dir string) (WorkerAccess, error) {
	k, err := open(dir)
	return k.access, err
}

// WithdrawInvitation invalidates all invitations of a workspace with a new token. A running server disconnects its
// workers within about two seconds.
func WithdrawInvitation(dir string) error {
	if err := modes.MakeFolder(filepath.Join(dir, folder)); err != nil {
		return err
	}
	return makeToken(dir)
}

func makeToken(dir string) error {
	return modes.Replace(filepath.Join(dir, folder, "token"), []byte(rand.Text()))
}

func readToken(dir string) (string, error) {
	b, err := os.ReadFile(filepath.Join(dir, folder, "token"))
	return strings.TrimSpace(string(b)), err
}

type keys struct {
	certificate tls.Certificate
	access      WorkerAccess
}

// open reads the token and certificate of a workspace. It creates them the first time.
func open(dir string) (k keys, err error) {
	if err := modes.MakeFolder(filepath.Join(dir, folder)); err != nil {
		return k, err
	}
	token, err := readToken(dir)
	if errors.Is(err, os.ErrNotExist) {
		if err = makeToken(dir); err == nil {
			token, err = readToken(dir)
		}
	}
	if err != nil {
		return k, fmt.Errorf("the token of the workers: %w", err)
	}
	path := filepath.Join(dir, folder, "certificate.pem")
	both, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		if both, err = certificate(); err == nil {
			err = modes.Replace(path, both)
		}
	}
	if err != nil {
		return k, fmt.Errorf("the certificate of the workers' server: %w", err)
	}
	if k.certificate, err = tls.X509KeyPair(both, both); err != nil {
		return k, fmt.Errorf("%s cannot be read: %w; remove it, and invite the workers anew", path, err)
	}
	k.access = WorkerAccess{Token: token, Fingerprint: sha256.Sum256(k.certificate.Certificate[0])}
	return k, nil
}

// certificate returns a new key and its self-signed certificate as PEM.
func certificate() ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 100))
	if err != nil {
		return nil, err
	}
	now := time.Now()
	t := &x509.Certificate{SerialNumber: serial, Subject: pkix.Name{CommonName: "angler"}, DNSNames: []string{"angler"},
		NotBefore: now.AddDate(0, 0, -1), NotAfter: now.AddDate(50, 0, 0),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	der, err := x509.CreateCertificate(rand.Reader, t, t, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})...), nil
}
