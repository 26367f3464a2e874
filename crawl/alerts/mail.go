package alerts

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/wneessen/go-mail"

	"angler/store/config"
)

// mailer sends a digest as one mail with text and HTML to all addresses.
type mailer struct{ base }

// send implements way. The Message-ID comes from the reference, so a mailbox can detect a
// duplicate.
func (m mailer) send(ctx context.Context, msg *outgoing) error {
	wait := m.set.Wait()
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	password, err := m.secret("password", m.set.PasswordFile, m.set.PasswordEnv)
	if err != nil {
		return err
	}
	letter, err := m.letter(msg)
	if err != nil {
		return err
	}
	client, err := m.client(password)
	if err != nil {
		return fmt.Errorf("mail: %s", cleanReply(err.Error(), password))
	}
	// The library checks the context only while it connects. Afterwards its own timeout ends the
	// goroutine of an abandoned attempt.
	done := make(chan error, 1)
	go func() { done <- client.DialAndSendWithContext(ctx, letter) }()
	select {
	case err = <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		return bounded(ctx, wait, err, fmt.Errorf("mail: %s", cleanReply(err.Error(), password)))
	}
	return nil
}

func (m mailer) letter(msg *outgoing) (*mail.Msg, error) {
	letter := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := letter.From(m.set.From); err != nil {
		return nil, fmt.Errorf("from: %w", err)
	}
	if err := letter.To(m.set.To...); err != nil {
		return nil, fmt.Errorf("to: %w", err)
	}
	_, domain, _ := strings.Cut(strings.Trim(m.set.From, "<> "), "@")
	letter.SetMessageIDWithValue(msg.Ref + "@" + strings.Trim(domain, "<> "))
	letter.SetDateWithValue(msg.Digest.At)
	letter.Subject(msg.Digest.title())
	letter.SetGenHeader("Auto-Submitted", "auto-generated")
	letter.SetBodyString(mail.TypeTextPlain, msg.Digest.Text())
	letter.AddAlternativeString(mail.TypeTextHTML, msg.Digest.html())
	return letter, nil
}

func (m mailer) client(password string) (*mail.Client, error) {
	host, port, err := net.SplitHostPort(m.set.Server)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	options := []mail.Option{mail.WithPort(number), mail.WithTimeout(m.set.Wait()),
		mail.WithTLSConfig(&tls.Config{ServerName: host, MinVersion: tls.VersionTLS12, RootCAs: m.env.Roots})}
	auth := mail.SMTPAuthAutoDiscover
	switch m.set.Protection() {
	case config.TLSWhole:
		options = append(options, mail.WithSSL())
	case config.TLSNone:
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
		auth = mail.SMTPAuthPlainNoEnc // only to this machine; the settings check ensures it
	default:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if m.set.User != "" {
		options = append(options, mail.WithSMTPAuth(auth), mail.WithUsername(m.set.User), mail.WithPassword(password))
	}
	return mail.NewClient(host, options...)
}
