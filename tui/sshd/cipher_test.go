package sshd

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/binary"
	"io"
	"net"
	"slices"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"
)

// offered reads the lists of a server's first packet (SSH_MSG_KEXINIT, RFC 4253 section 7.1), which
// no client's preferences have changed.
func offered(t *testing.T, addr string) (lists [][]string) {
	t.Helper()
	nc, err := net.Dial("tcp", addr)
	must(t, err)
	defer nc.Close()
	_, err = io.WriteString(nc, "SSH-2.0-test\r\n")
	must(t, err)
	r := bufio.NewReader(nc)
	_, err = r.ReadString('\n')
	must(t, err)
	var head [5]byte // the packet's length and its padding's
	_, err = io.ReadFull(r, head[:])
	must(t, err)
	packet := make([]byte, binary.BigEndian.Uint32(head[:])-1)
	_, err = io.ReadFull(r, packet)
	must(t, err)
	if packet[0] != 20 {
		t.Fatalf("the first packet is of type %d", packet[0])
	}
	packet = packet[17:] // the type and the cookie
	for range 8 {
		n := binary.BigEndian.Uint32(packet)
		lists = append(lists, strings.Split(string(packet[4:4+n]), ","))
		packet = packet[4+n:]
	}
	return lists
}

func TestWhatTheServerOffers(t *testing.T) {
	x := newSite(t, Limits{})
	lists := offered(t, x.addr)
	kex := slices.DeleteFunc(slices.Clone(lists[0]), func(s string) bool { return strings.HasPrefix(s, "ext-info") || strings.HasPrefix(s, "kex-strict") })
	want := []string{"mlkem768x25519-sha256", "curve25519-sha256", "curve25519-sha256@libssh.org", "ecdh-sha2-nistp256", "ecdh-sha2-nistp384", "ecdh-sha2-nistp521"}
	if !slices.Equal(kex, want) {
		t.Errorf("key exchanges %q, want %q", kex, want)
	}
	if !slices.Contains(lists[0], "kex-strict-s-v00@openssh.com") {
		t.Errorf("no strict key exchange (CVE-2023-48795) in %q", lists[0])
	}
	if !slices.Equal(lists[1], []string{"ssh-ed25519"}) {
		t.Errorf("host keys %q", lists[1])
	}
	for i, name := range []string{"key exchange", "host key", "cipher in", "cipher out", "MAC in", "MAC out", "compression in", "compression out"} {
		for _, s := range lists[i] {
			if strings.Contains(s, "sha1") || strings.HasSuffix(s, "cbc") || strings.HasPrefix(s, "diffie") || strings.Contains(s, "rc4") || strings.Contains(s, "arcfour") || strings.Contains(s, "96") || s == "ssh-rsa" || s == "zlib" {
				t.Errorf("%s: %s is offered", name, s)
			}
		}
		if strings.HasPrefix(name, "MAC") && !slices.Equal(lists[i], []string{"hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256", "hmac-sha2-512"}) {
			t.Errorf("%s: %q", name, lists[i])
		}
	}
}

// only signs with one algorithm.
func only(t *testing.T, key any, algorithm string) gossh.Signer {
	t.Helper()
	s, err := gossh.NewSignerFromKey(key)
	must(t, err)
	if algorithm == "" {
		return s
	}
	one, err := gossh.NewSignerWithAlgorithms(s.(gossh.AlgorithmSigner), []string{algorithm})
	must(t, err)
	return one
}

func TestKeysThatLetIn(t *testing.T) {
	x := newSite(t, Limits{})
	long, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	t.Setenv("GODEBUG", "rsa1024min=0")
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	must(t, err)
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	for _, c := range []struct {
		name      string
		key       any
		algorithm string
		in        bool
	}{
		{"RSA with SHA-512", long, gossh.KeyAlgoRSASHA512, true},
		{"RSA with SHA-256", long, gossh.KeyAlgoRSASHA256, true},
		{"RSA with SHA-1", long, gossh.KeyAlgoRSA, false},
		{"a short RSA key", short, gossh.KeyAlgoRSASHA256, false},
		{"ECDSA", curve, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := only(t, c.key, c.algorithm)
			x.setKeys(append([]byte(`role=viewer,name="li" `), gossh.MarshalAuthorizedKey(s.PublicKey())...))
			client, err := x.dial(s)
			if (err == nil) != c.in {
				t.Fatalf("let in: %v", err)
			}
			if err == nil {
				client.Close()
			}
		})
	}
	if k := parseKeys(append([]byte(`role=admin `), gossh.MarshalAuthorizedKey(only(t, short, "").PublicKey())...)); len(k.people) != 0 || len(k.problems) != 1 || !strings.Contains(k.problems[0], "ssh-keygen -t ed25519") {
		t.Errorf("a short key: %d keys, problems %q", len(k.people), k.problems)
	}
}
