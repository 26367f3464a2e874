package sshd

import (
	"errors"

	gossh "golang.org/x/crypto/ssh"
)

// The accepted algorithms, best first. None uses SHA-1. Key exchanges over finite fields are
// excluded: for the price of a packet a stranger could make the server compute powers of 4,096 bits
// (CVE-2002-20001). Every client of the last ten years has elliptic curves.
var (
	keyExchanges = []string{gossh.KeyExchangeMLKEM768X25519, gossh.KeyExchangeCurve25519,
		"curve25519-sha256@libssh.org",
		gossh.KeyExchangeECDHP256, gossh.KeyExchangeECDHP384, gossh.KeyExchangeECDHP521}
	ciphers = []string{gossh.CipherChaCha20Poly1305, gossh.CipherAES256GCM, gossh.CipherAES128GCM,
		gossh.CipherAES256CTR, gossh.CipherAES192CTR, gossh.CipherAES128CTR}
	macs     = []string{gossh.HMACSHA256ETM, gossh.HMACSHA512ETM, gossh.HMACSHA256, gossh.HMACSHA512}
	userKeys = []string{gossh.KeyAlgoED25519, gossh.KeyAlgoSKED25519, gossh.KeyAlgoECDSA256, gossh.KeyAlgoECDSA384,
		gossh.KeyAlgoECDSA521,
		gossh.KeyAlgoSKECDSA256, gossh.KeyAlgoRSASHA512, gossh.KeyAlgoRSASHA256}
)

// sshConfig returns the configuration of a new connection.
func sshConfig() *gossh.ServerConfig {
	return &gossh.ServerConfig{
		Config:                  gossh.Config{KeyExchanges: keyExchanges, Ciphers: ciphers, MACs: macs},
		PublicKeyAuthAlgorithms: userKeys,
		MaxAuthTries:            maxKeysTried,
	}
}

// minRSA is the least length of an RSA key in bits: NIST SP 800-57 allows no shorter one since
// 2014.
const minRSA = 2048

var errShort = errors.New("RSA keys of less than 2,048 bits can be forged; make another: ssh-keygen -t ed25519")

// strong returns an error for a key that is too weak.
func strong(key gossh.PublicKey) error {
	c, ok := key.(gossh.CryptoPublicKey)
	if !ok {
		return nil
	}
	if k, ok := c.CryptoPublicKey().(interface{ Size() int }); ok && key.Type() == gossh.KeyAlgoRSA &&
		k.Size()*8 < minRSA {
		return errShort
	}
	return nil
}
