//go:debug x509usefallbackroots=1

package fetch

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// hostAt is the host of a test server, as it stands in URLs.
func hostAt(t *testing.T, s *httptest.Server) string {
	u, err := url.Parse(s.URL)
	must(t, err)
	return u.Host
}

// What a host is asked by goes to it and to no other.
func TestDoorsOfOneHost(t *testing.T) {
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "User-agent: other\nDisallow: /closed\n")
			return
		}
		fmt.Fprintf(w, "%s|%s|%s|%s|%s", r.UserAgent(), r.Header.Get("X-Token"), user, password, r.Method)
	})
	a, b := httptest.NewServer(echo), httptest.NewServer(echo)
	defer a.Close()
	defer b.Close()
	f := open(t, Config{AllowPrivate: true, UserAgent: "usual/1"})
	get := func(address string) string {
		t.Helper()
		res, err := f.Fetch(t.Context(), Request{URL: address})
		if err != nil {
			return err.Error()
		}
		return string(res.Body)
	}
	if got := get(a.URL + "/closed"); got != "usual/1||||GET" {
		t.Errorf("before: %s", got)
	}
	doors := map[string]HostOptions{hostAt(t, a): {UserAgent: "other/2", Header: http.Header{"X-Token": {"abc"}}, User: "alice", Password: "geheim"}}
	must(t, f.SetHostOptions(doors))
	if got := get(a.URL + "/"); got != "other/2|abc|alice|geheim|GET" {
		t.Errorf("with a door: %s", got)
	}
	if got := get(a.URL + "/closed"); !strings.Contains(got, "robots.txt forbids") {
		t.Errorf("robots.txt is read under the other name now: %s", got)
	}
	if got := get(b.URL + "/closed"); got != "usual/1||||GET" {
		t.Errorf("another host: %s", got)
	}
	must(t, f.SetHostOptions(nil))
	if got := get(a.URL + "/closed"); got != "usual/1||||GET" {
		t.Errorf("after: %s", got)
	}
	if err := f.SetHostOptions(map[string]HostOptions{"x.cn": {Proxy: "ftp://p"}}); err == nil || !strings.Contains(err.Error(), "x.cn") {
		t.Errorf("%v", err)
	}
}

// A certificate without a known authority is trusted by its fingerprint alone.
func TestCertificateByFingerprint(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "here") }))
	defer s.Close()
	s.Config.ErrorLog = nil
	sum := sha256.Sum256(s.Certificate().Raw)
	f := open(t, Config{AllowPrivate: true})
	_, err := f.Fetch(t.Context(), Request{URL: s.URL + "/"})
	var fe *Error
	if !errors.As(err, &fe) || fe.Kind != TLS || Fingerprint(err) != hex.EncodeToString(sum[:]) {
		t.Fatalf("%v, fingerprint %q", err, Fingerprint(err))
	}
	wrong := sum
	wrong[0]++
	for name, c := range map[string]struct {
		print []byte
		good  bool
	}{"the right one": {sum[:], true}, "another one": {wrong[:], false}} {
		must(t, f.SetHostOptions(map[string]HostOptions{hostAt(t, s): {Certificate: c.print}}))
		f.Reconsider()
		res, err := f.Fetch(t.Context(), Request{URL: s.URL + "/"})
		switch {
		case c.good && (err != nil || string(res.Body) != "here"):
			t.Errorf("%s: %v", name, err)
		case !c.good && (!errors.As(err, &fe) || fe.Kind != TLS || Fingerprint(err) != hex.EncodeToString(sum[:])):
			t.Errorf("%s: %v", name, err)
		}
	}
}

// authority is a certificate authority that this process knows, and its key.
var authority = sync.OnceValues(func() (*x509.Certificate, *ecdsa.PrivateKey) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	ca := &x509.Certificate{Subject: pkix.Name{CommonName: "a known authority"}, IsCA: true, BasicConstraintsValid: true}
	ca = issue(ca, ca, key)
	roots := x509.NewCertPool()
	roots.AddCert(ca)
	x509.SetFallbackRoots(roots) // they count instead of the system's by the go:debug line above
	return ca, key
})

func issue(c, by *x509.Certificate, key *ecdsa.PrivateKey) *x509.Certificate {
	c.SerialNumber, c.NotBefore, c.NotAfter = big.NewInt(1), time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	der, err := x509.CreateCertificate(rand.Reader, c, by, key.Public(), key)
	if err == nil {
		c, err = x509.ParseCertificate(der)
	}
	if err != nil {
		panic(err)
	}
	return c
}

// Beside the one it pins, a host's certificate must be vouched for and name the host, also
// one that is known by its address alone.
func TestPinnedHostIsVerifiedByName(t *testing.T) {
	ca, key := authority()
	for _, c := range []struct {
		name, host string
		of         *x509.Certificate
		good       bool
	}{
		{"an address, of another host", "127.0.0.1", &x509.Certificate{DNSNames: []string{"other.test"}}, false},
		{"an address, of another address", "127.0.0.1", &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 2)}}, false},
		{"an address, its own", "127.0.0.1", &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}, true},
		{"an address of version 6", "[::1]:8443", &x509.Certificate{IPAddresses: []net.IP{net.IPv6loopback}}, true},
		{"a name, of another host", "portal.test", &x509.Certificate{DNSNames: []string{"other.test"}}, false},
		{"a name, its own", "portal.test", &x509.Certificate{DNSNames: []string{"portal.test"}}, true},
	} {
		leaf := issue(c.of, ca, key)
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}))
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{leaf.Raw}, PrivateKey: key}}}
		s.StartTLS()
		f := open(t, Config{AllowPrivate: true, IgnoreRobots: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, s.Listener.Addr().String())
		}})
		must(t, f.SetHostOptions(map[string]HostOptions{c.host: {Certificate: make([]byte, sha256.Size)}}))
		_, err := f.Fetch(t.Context(), Request{URL: "https://" + c.host + "/"})
		var fe *Error
		if c.good && err != nil || !c.good && (!errors.As(err, &fe) || fe.Kind != TLS) {
			t.Errorf("%s: %v", c.name, err)
		}
		s.Close()
	}
}

// A proxy of its own is asked for one host, and none where it says so.
func TestProxyOfOneHost(t *testing.T) {
	var proxied atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		proxied.Add(1)
		fmt.Fprint(w, "by proxy")
	}))
	defer proxy.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "straight") }))
	defer s.Close()
	body := func(f *Fetcher) string {
		t.Helper()
		res, err := f.Fetch(t.Context(), Request{URL: s.URL + "/"})
		must(t, err)
		return string(res.Body)
	}
	f := open(t, Config{AllowPrivate: true, IgnoreRobots: true})
	must(t, f.SetHostOptions(map[string]HostOptions{hostAt(t, s): {Proxy: proxy.URL}}))
	if got := body(f); got != "by proxy" {
		t.Error(got)
	}
	g := open(t, Config{AllowPrivate: true, IgnoreRobots: true, Proxy: proxy.URL})
	must(t, g.SetHostOptions(map[string]HostOptions{hostAt(t, s): {Proxy: direct}}))
	if got := body(g); got != "straight" || proxied.Load() != 1 {
		t.Errorf("%s, %d by proxy", got, proxied.Load())
	}
}

// A door is opened before the first request, and its own requests go through.
func TestDoorIsEntered(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /login\n")
		case r.URL.Path == "/login":
			http.SetCookie(w, &http.Cookie{Name: "in", Value: "1", Path: "/"})
		default:
			if _, err := r.Cookie("in"); err != nil {
				w.WriteHeader(http.StatusForbidden)
			}
		}
	}))
	defer s.Close()
	f := open(t, Config{AllowPrivate: true})
	calls := 0
	failing := errors.New("the key is lost")
	door := HostOptions{Enter: func(ctx context.Context) error {
		if calls++; calls == 1 {
			return failing
		}
		_, err := f.Fetch(Entering(ctx), Request{URL: s.URL + "/login"})
		return err
	}}
	must(t, f.SetHostOptions(map[string]HostOptions{hostAt(t, s): door}))
	var fe *Error
	if _, err := f.Fetch(t.Context(), Request{URL: s.URL + "/"}); !errors.As(err, &fe) || fe.Kind != Login || !fe.Temporary() {
		t.Errorf("%v", err)
	}
	res, err := f.Fetch(t.Context(), Request{URL: s.URL + "/"})
	if err != nil || res.Status != 200 || calls != 2 {
		t.Errorf("%v, %v, %d calls", res, err, calls)
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
