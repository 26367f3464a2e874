package workers

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Names at the server.
const (
	jobStream   = "ANGLER_JOBS"
	ownerTable  = "ANGLER_SAID"    // what the owner says: workerSettings, sharedWords, Orders
	workerTable = "ANGLER_WORKERS" // a workerHello of each worker, renewed every workerBeat

	settingsKey = "settings"
	wordsKey    = "words"  // sharedWords
	deltaKey    = "delta"  // a wordsDelta of them
	orderPrefix = "order." // a workerOrder to a worker

	jobPrefix    = "angler.jobs."
	resultPrefix = "angler.results."
	oldResults   = "ANGLER_RESULTS" // of programs with protocol 1
)

// Times of both sides.
const (
	workerBeat = 2 * time.Second  // a worker says that it is there
	Gone       = 5 * workerBeat   // it is silent: its jobs go to others
	Lease      = 30 * time.Second // an unanswered job is delivered again; work in progress renews it
)

// Bounds of the streams. When one is full the publisher gets an error.
const (
	maxPayload = 8 << 20 // bytes of a message; an embedded server takes no longer one
	maxJobs    = 20_000
	maxSaid    = 8 << 20
	maxHello   = 16 << 10
	maxLate    = 256 << 20 // bytes of results that wait for the owner; what comes beyond that is sent again
	maxAge     = time.Hour // of what was not taken up
)

// workerSettings is what a worker fetches and reads by.
type workerSettings struct {
	Protocol     int
	Version      string // of angler at the owner, for people
	Epoch        string // another one after each start of the owner
	UserAgent    string
	Timeout      time.Duration
	MaxBody      int // bytes
	AllowPrivate bool
	IgnoreRobots bool
	SeedHosts    []string
}

// workerHello is how a worker is.
type workerHello struct {
	Name     string
	Protocol int
	Version  string
	Epoch    string // of the owner that it works for
	Slots    int    // jobs at once
	Tags     []string
	Since    time.Time
	CPU      float64 // cores that it has used since it last said so
	Memory   int64   // bytes, resident
	Error    string  // what went wrong last, at Erred; "" = nothing
	Erred    time.Time
}

// workerOrder is what the owner wants of one worker.
type workerOrder struct {
	Kind  string    // orderEnd, orderBan
	Since time.Time // with orderEnd: of the process that is meant, see workerHello
}

// The kinds of orders.
const (
	orderEnd = "end" // it has no jobs any more, and its process is to end
	orderBan = "ban" // it is not let in: its process ends
)

// orderKey is the key of a worker's order, allOrders those of all.
func orderKey(worker string) string { return orderPrefix + worker }

const allOrders = orderPrefix + "*"

var name = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,62}$`)

// ValidName reports whether a worker may be called so: it is part of subjects.
func ValidName(s string) bool { return name.MatchString(s) }

// jobSubject carries the jobs of a worker, resultSubject its results.
func jobSubject(worker string) string    { return jobPrefix + worker }
func resultSubject(worker string) string { return resultPrefix + worker }

// allResults are the results of all workers.
const allResults = resultPrefix + "*"

// workerOf is the worker that a result came from, by its subject.
func workerOf(subject string) string { return strings.TrimPrefix(subject, resultPrefix) }

// consumerConfig is a worker's queue. More jobs than there are slots may wait for being
// acknowledged: that comes when what became of them is stored. Which jobs were delivered is
// in the memory of the server: after its restart the worker makes its queue anew and gets
// all that are not acknowledged.
func consumerConfig(worker string, slots int) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{Durable: worker, FilterSubject: jobSubject(worker), AckPolicy: jetstream.AckExplicitPolicy, AckWait: Lease,
		MaxAckPending: 4*slots + 64, MaxDeliver: maxDeliver, InactiveThreshold: 10 * Lease, MemoryStorage: true}
}

// maxDeliver bounds how often a job is delivered to the worker that has it.
const maxDeliver = 20

// isReceipt reports whether a subject is one by which a job of a worker is acknowledged: the
// worker has named it.
func isReceipt(subject, worker string) bool {
	return len(subject) < 400 && strings.HasPrefix(subject, "$JS.ACK.") && strings.Contains(subject, "."+jobStream+"."+worker+".") &&
		strings.Trim(subject, receiptLetters) == ""
}

const receiptLetters = "$._-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// acknowledge is what is published for a job that is done.
var acknowledge = []byte("+ACK")

// prepareStreams makes the queue and the tables anew: what an earlier owner has left in them is
// void. replicas is 0 where the server ends with the owner, so that nothing of a queue need
// outlive it in memory; else 1, or 3 in a cluster.
func prepareStreams(ctx context.Context, js jetstream.JetStream, replicas int) error {
	for _, old := range []string{jobStream, oldResults, "KV_" + workerTable} {
		if err := js.DeleteStream(ctx, old); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return fmt.Errorf("cannot empty the queue %s: %w", old, err)
		}
	}
	storage := jetstream.FileStorage
	if replicas == 0 {
		storage, replicas = jetstream.MemoryStorage, 1
	}
	if _, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: jobStream, Subjects: []string{jobPrefix + "*"}, MaxMsgs: maxJobs, Retention: jetstream.WorkQueuePolicy,
		Storage: storage, Discard: jetstream.DiscardNew, Replicas: replicas, Duplicates: Lease, MaxAge: maxAge}); err != nil {
		return fmt.Errorf("cannot make the queue %s: %w", jobStream, err)
	}
	for _, t := range []jetstream.KeyValueConfig{
		{Bucket: ownerTable, MaxValueSize: maxSaid, Storage: jetstream.FileStorage},
		{Bucket: workerTable, MaxValueSize: maxHello, TTL: Gone, Storage: storage},
	} {
		t.Replicas, t.History = replicas, 1
		if _, err := js.CreateOrUpdateKeyValue(ctx, t); err != nil {
			return fmt.Errorf("cannot make the table %s: %w", t.Bucket, err)
		}
	}
	return nil
}

// putJSON writes a value of a table as JSON.
func putJSON(ctx context.Context, t jetstream.KeyValue, key string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = t.Put(ctx, key, b)
	return err
}

// workerUser is the user as whom workers log in at an embedded server with the invitation
// for all; the token is their password.
const workerUser = "worker"

// workerPermissions are the subjects that a worker at an embedded server may publish to, and those
// that it may listen to: its queue, its results, the tables. It can make, change and
// empty nothing else. name is that of the only worker that the invitation is for; "" = it
// is for all.
func workerPermissions(name string) (publish, subscribe []string) {
	inbox := inboxOf(name)
	if name == "" {
		name = "*"
	}
	return []string{
		resultSubject(name), "$KV." + workerTable + "." + name, "$JS.ACK." + jobStream + "." + name + ".>", "$JS.FC.>",
		"$JS.API.INFO", "$JS.API.STREAM.INFO." + jobStream, "$JS.API.STREAM.INFO.KV_" + ownerTable, "$JS.API.STREAM.INFO.KV_" + workerTable,
		"$JS.API.CONSUMER.CREATE." + jobStream + "." + name + "." + jobSubject(name), "$JS.API.CONSUMER.INFO." + jobStream + "." + name, "$JS.API.CONSUMER.MSG.NEXT." + jobStream + "." + name,
		"$JS.API.CONSUMER.CREATE.KV_" + ownerTable + ".>", "$JS.API.CONSUMER.INFO.KV_" + ownerTable + ".>", "$JS.API.CONSUMER.DELETE.KV_" + ownerTable + ".>",
		"$JS.API.DIRECT.GET.KV_" + ownerTable + ".>",
	}, []string{inbox + ".>"}
}

// inboxOf is where a worker hears answers: one with an invitation of its own hears no one
// else's.
func inboxOf(name string) string {
	if name == "" {
		return nats.InboxPrefix[:len(nats.InboxPrefix)-1]
	}
	return "_INBOX_" + name
}

// WorkerAccess is what an invitation holds: whom it is for, the token, and the certificate by
// which the server is known.
type WorkerAccess struct {
	Worker      string // its name; "" = it is for all
	Token       string
	Fingerprint [sha256.Size]byte // of the certificate
}

// The beginnings of invitations: for all, and for one.
const (
	invitation = "angler-worker-1"
	personal   = "angler-worker-2"
)

// String is the invitation, one line.
func (a WorkerAccess) String() string {
	parts := []string{invitation, a.Token, hex.EncodeToString(a.Fingerprint[:])}
	if a.Worker != "" {
		parts = slices.Insert(parts, 1, a.Worker)
		parts[0] = personal
	}
	return strings.Join(parts, ":")
}

// ParseWorkerAccess reads an invitation.
func ParseWorkerAccess(s string) (a WorkerAccess, err error) {
	p := strings.Split(strings.TrimSpace(s), ":")
	if len(p) == 4 && p[0] == personal && ValidName(p[1]) {
		a.Worker = p[1]
		p = []string{invitation, p[2], p[3]}
	}
	if len(p) != 3 || p[0] != invitation || p[1] == "" || len(p[2]) != 2*sha256.Size {
		return a, errors.New("this is no invitation; make one where the workspace is: angler workers invite DIR > FILE")
	}
	if _, err := hex.Decode(a.Fingerprint[:], []byte(p[2])); err != nil {
		return a, errors.New("the invitation is damaged; make another: angler workers invite DIR > FILE")
	}
	a.Token = p[1]
	return a, nil
}

// For is the invitation for one worker, made of the one for all. Its holder cannot
// make others of it.
func (a WorkerAccess) For(worker string) WorkerAccess {
	m := hmac.New(sha256.New, []byte(a.Token))
	m.Write([]byte(worker))
	a.Worker, a.Token = worker, hex.EncodeToString(m.Sum(nil))
	return a
}

// opens reports whether a person who logs in with a user and a password was invited, by
// the invitation for all that this is, or by one made of it; worker is whom the latter is
// for.
func (a WorkerAccess) opens(user, password string) (worker string, ok bool) {
	token := a.Token
	if user != workerUser {
		if worker = strings.TrimPrefix(user, personalUser); worker == user || !ValidName(worker) {
			return "", false
		}
		token = a.For(worker).Token
	}
	return worker, subtle.ConstantTimeCompare([]byte(token), []byte(password)) == 1
}

// personalUser is before the name of a worker with an invitation of its own in the user as
// whom it logs in.
const personalUser = "worker."

// Options connect with an invitation, and to no server but the one that gave it.
func (a WorkerAccess) Options() []nats.Option {
	user := workerUser
	if a.Worker != "" {
		user = personalUser + a.Worker
	}
	return []nats.Option{nats.UserInfo(user, a.Token), nats.CustomInboxPrefix(inboxOf(a.Worker)), nats.Secure(&tls.Config{
		MinVersion:         tls.VersionTLS13,
		InsecureSkipVerify: true, // the certificate is known itself, not who has signed it
		VerifyPeerCertificate: func(raw [][]byte, _ [][]*x509.Certificate) error {
			if len(raw) > 0 {
				if sum := sha256.Sum256(raw[0]); subtle.ConstantTimeCompare(sum[:], a.Fingerprint[:]) == 1 {
					return nil
				}
			}
			return ErrCertificate
		},
	})}
}

// ErrCertificate means that another server answers than the one that gave the invitation.
var ErrCertificate = errors.New("the server shows another certificate than the invitation names; make a new invitation where the workspace is, or another server is in between")
