//go:build unix

package tuitest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"angler/store/secrets"
)

// TestSSHAlgorithms offers algorithms that the server must refuse, and those that it must accept.
func TestSSHAlgorithms(t *testing.T) {
	x := startServer(t, "--every", "0")
	rsa := filepath.Join(x.keys, "rsa")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "rsa", "-b", "2048", "-N", "", "-C", "rsa", "-f", rsa).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	public, err := os.ReadFile(rsa + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	x.authorize(func(file string) string { return file + string(public) })
	const no = "no matching "
	for _, c := range []struct {
		name, who, option string
		says              string // "": accepted
	}{
		{"what ssh wants by itself", "li", "LogLevel=ERROR", ""},
		{"Curve25519", "li", "KexAlgorithms=curve25519-sha256", ""},
		{"NIST's curves", "li", "KexAlgorithms=ecdh-sha2-nistp256", ""},
		{"SHA-2 MACs", "li", "MACs=hmac-sha2-256", ""},
		{"RSA with SHA-2", "rsa", "PubkeyAcceptedAlgorithms=rsa-sha2-256,rsa-sha2-512", ""},
		{"a key exchange with SHA-1", "li", "KexAlgorithms=diffie-hellman-group14-sha1", no + "key exchange method"},
		{"group 1", "li", "KexAlgorithms=diffie-hellman-group1-sha1", no + "key exchange method"},
		{"group exchange with SHA-1", "li", "KexAlgorithms=diffie-hellman-group-exchange-sha1", no + "key exchange method"},
		{"a finite field", "li", "KexAlgorithms=diffie-hellman-group16-sha512", no + "key exchange method"},
		{"an RSA host key", "li", "HostKeyAlgorithms=rsa-sha2-512", no + "host key type"},
		{"RSA with SHA-1", "rsa", "PubkeyAcceptedAlgorithms=ssh-rsa", "Permission denied"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := x.ssh(c.who, "-o", c.option, "127.0.0.1", "status")
			if c.says == "" && (r.Status != 0 || !strings.HasPrefix(r.Out, "ws · ")) || c.says != "" && (r.Status != 255 || !strings.Contains(r.Err, c.says)) {
				t.Errorf("status %d, wrote %q, said %q; want %q", r.Status, r.Out, r.Err, c.says)
			}
		})
	}
	// A MAC matters only with a cipher that needs one.
	if r := x.ssh("li", "-o", "Ciphers=aes128-ctr", "-o", "MACs=hmac-sha1", "127.0.0.1", "status"); r.Status != 255 || !strings.Contains(r.Err, no+"MAC") {
		t.Errorf("hmac-sha1: status %d, said %q", r.Status, r.Err)
	}
	if r := x.ssh("li", "-o", "MACs=hmac-sha1,hmac-sha1-96,hmac-md5", "-o", "Ciphers=aes256-ctr,aes128-cbc,3des-cbc", "127.0.0.1", "status"); r.Status != 255 || !strings.Contains(r.Err, no+"MAC") {
		t.Errorf("old MACs: status %d, said %q", r.Status, r.Err)
	}
	if r := x.ssh("li", "-vv", "127.0.0.1", "status"); !regexp.MustCompile(`kex: host key algorithm: ssh-ed25519`).MatchString(r.Err) || strings.Contains(serverProposal(r.Err), "sha1") {
		t.Errorf("the server proposes\n%s", serverProposal(r.Err))
	}
}

// serverProposal returns the server's lists from the log of ssh -vv.
func serverProposal(log string) string {
	_, rest, _ := strings.Cut(log, "peer server KEXINIT proposal")
	ours, _, _ := strings.Cut(rest, "kex: algorithm")
	return ours
}

// authorize rewrites authorized_keys.
func (x *server) authorize(change func(string) string) {
	x.t.Helper()
	path := secrets.AuthorizedKeysPath(x.dir)
	b, err := os.ReadFile(path)
	if err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(change(string(b))), 0o600); err != nil {
		x.t.Fatal(err)
	}
}

// TestSSHRevokedKey removes a key from the file while its owner is attached.
func TestSSHRevokedKey(t *testing.T) {
	t.Parallel()
	x := startServer(t, "--every", "0")
	li, wang := x.attach("li", 100, 30), x.attach("wang", 100, 30)
	li.samples()
	wang.samples()
	tail := exec.Command("ssh", x.args("chen", "127.0.0.1", "tail")...)
	if err := tail.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the tail runs", func() bool { return strings.Contains(x.logged(), "run=tail") })
	x.authorize(func(file string) string {
		lines := strings.Split(file, "\n")
		keep := lines[:0]
		for _, l := range lines {
			switch {
			case strings.HasPrefix(l, "role=viewer "), strings.HasSuffix(l, " chen"): // li and chen
			case strings.HasPrefix(l, "role=analyst "): // wang
				keep = append(keep, "role=viewer "+strings.TrimPrefix(l, "role=analyst "))
			default:
				keep = append(keep, l)
			}
		}
		return strings.Join(keep, "\n")
	})
	li.wait("taken out of authorized_keys", "left with status 1")
	wang.wait("or its role changed", "left with status 1")
	if err := tail.Wait(); tail.ProcessState.ExitCode() == 0 {
		t.Errorf("the tail of a revoked key ended with %v", err)
	}
	if r := x.ssh("li", "127.0.0.1", "status"); r.Status != 255 {
		t.Errorf("li gets in again: %+v", r)
	}
	wang = x.attach("wang", 100, 30)
	wang.wait("[1 Samples]", "read only") // where they were
}

func (x *server) logged() string {
	x.t.Helper()
	b, err := os.ReadFile(x.log)
	if err != nil {
		x.t.Fatal(err)
	}
	return string(b)
}
