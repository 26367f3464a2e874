package cli

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/demo/demotest"
	"angler/store"
	"angler/store/config"
	"angler/store/secrets"
)

func TestTokenCommands(t *testing.T) {
	dir := t.TempDir() + "/ws"
	set := config.Default()
	set.Seeds = []string{"http://www.a.test/"}
	must(t, store.Create(dir, set))
	token, _, err := call(t, "token add", dir, "calendar")
	if err != nil || !strings.HasPrefix(token, "angler_") {
		t.Fatal(token, err)
	}
	for _, args := range []string{"--role admin x", "--role root x", "a/b", "calendar"} {
		if out, _, err := call(t, "token add "+dir+" "+args); err == nil || out != "" {
			t.Errorf("%q makes the token %q", args, out)
		}
	}
	out, _, err := call(t, "token list", dir)
	if err != nil || !strings.Contains(out, "calendar") || strings.Contains(out, strings.TrimSpace(token)) {
		t.Error(out, err)
	}
	done(t, "token remove", dir, "calendar")
	if _, _, err := call(t, "token remove", dir, "calendar"); err == nil {
		t.Error("a token is removed twice")
	}
}

// Tokens do not cross a network in plain text unless a person says so.
func TestHTTPFlags(t *testing.T) {
	for _, c := range []struct {
		f    httpFlags
		says string
	}{
		{httpFlags{}, ""},
		{httpFlags{address: "127.0.0.1:0"}, ""},
		{httpFlags{address: ":0", insecure: true}, ""},
		{httpFlags{address: ":0"}, "--http-insecure"},
		{httpFlags{address: "10.0.0.1:80"}, "--http-insecure"},
		{httpFlags{insecure: true}, "go with --http"},
		{httpFlags{address: ":0", cert: "a.pem"}, "go together"},
		{httpFlags{address: ":0", cert: "/none.pem", key: "/none.key"}, "--http-cert"},
	} {
		_, err := c.f.check()
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.f, err)
		}
	}
}

// A server with certificate files speaks TLS with those who trust the certificate, and refuses plain HTTP.
func TestHTTPOverTLS(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	made, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	must(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	root := t.TempDir()
	f := httpFlags{address: "127.0.0.1:0", cert: filepath.Join(root, "cert.pem"), key: filepath.Join(root, "key.pem")}
	for path, block := range map[string]*pem.Block{f.cert: {Type: "CERTIFICATE", Bytes: made}, f.key: {Type: "PRIVATE KEY", Bytes: private}} {
		must(t, os.WriteFile(path, pem.EncodeToMemory(block), 0o600))
	}
	cert, err := f.check()
	if err != nil || cert == nil {
		t.Fatal(cert, err)
	}
	dir := demotest.Stored(t, demotest.Tender(1))
	token, err := secrets.AddToken(dir, "li", "viewer", time.Now())
	must(t, err)
	e, err := crawl.Open(t.Context(), dir, crawl.Options{By: "wang"})
	must(t, err)
	defer demotest.Close(t, e)
	at := ""
	run, err := f.open(t.Context(), func(network, address string) (net.Listener, error) {
		l, err := net.Listen(network, address)
		if err == nil {
			at = l.Addr().String()
		}
		return l, err
	}, e, cert, slog.New(slog.DiscardHandler))
	must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() { over <- run(ctx) }()
	defer func() {
		stop()
		if err := <-over; err != nil {
			t.Error(err)
		}
	}()
	pool := x509.NewCertPool()
	if known, err := x509.ParseCertificate(made); err != nil {
		t.Fatal(err)
	} else {
		pool.AddCert(known)
	}
	get := func(scheme string, trusted *x509.CertPool) (int, error) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, scheme+at+"/api/v1/notices", nil)
		must(t, err)
		r.Header.Set("Authorization", "Bearer "+token)
		way := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}}
		defer way.CloseIdleConnections()
		answer, err := (&http.Client{Transport: way}).Do(r)
		if err != nil {
			return 0, err
		}
		answer.Body.Close()
		if scheme == "https://" && (answer.TLS.Version < tls.VersionTLS12 || answer.Header.Get("Strict-Transport-Security") == "") {
			t.Errorf("TLS %x, header %v", answer.TLS.Version, answer.Header)
		}
		return answer.StatusCode, nil
	}
	if status, err := get("https://", pool); err != nil || status != http.StatusOK {
		t.Errorf("with the certificate: %d, %v", status, err)
	}
	var unknown x509.UnknownAuthorityError
	if status, err := get("https://", x509.NewCertPool()); !errors.As(err, &unknown) {
		t.Errorf("without the certificate: %d, %v", status, err)
	}
	if status, err := get("http://", nil); err == nil && status != http.StatusBadRequest {
		t.Errorf("plain HTTP is answered with %d", status)
	}
	public := f
	public.address = ":0"
	if _, err := public.check(); err != nil {
		t.Errorf("with TLS on all addresses: %v", err)
	}
	public.cert, public.key = "", ""
	if _, err := public.check(); err == nil || !strings.Contains(err.Error(), "--http-insecure") {
		t.Errorf("without TLS on all addresses: %v", err)
	}
	public.insecure = true
	if cert, err := public.check(); err != nil || cert != nil {
		t.Errorf("without TLS, but told: %v, %v", cert, err)
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
