package maintenance

import (
	"bytes"
	"errors"
	"strings"

	"angler/store"
	"angler/store/attached"
	"angler/store/cookies"
	"angler/store/facts"
	"angler/store/outbox"
	"angler/store/personal"
	"angler/store/proposals"
	"angler/store/requests"
	"angler/store/runs"
	"angler/store/sealed"
	"angler/store/traces"
	"angler/store/unanswered"
	"angler/store/unfollowed"
	"angler/store/versions"
)

// room is a bucket that a room beside the store keeps. Workspaces that never needed it
// have none.
type room struct {
	bucket []byte
	again  string // what the loss of a damaged row means, which is removed; "" = it cannot be made again: it is moved aside
	check  func(k *checker, b sealed.Bucket, key, v []byte) error
}

// rooms are all of them. The files of documents are no rows: a reader of one looks
// whether it is what was kept. Cookies are looked at as far as can be seen without their
// key.
var rooms = []room{
	{personal.Bucket, "a notice counts as unread again, a screen begins anew", alone(personal.Check)},
	{runs.Bucket, "", alone(decodes(runs.Decode))},
	{facts.Bucket, "the notice is read again", ofANotice},
	{unanswered.Bucket, "a question is forgotten", alone(decodes(unanswered.Decode))},
	{unfollowed.Bucket, "what a page lacks is found at its next change", ofAPage(decodes(unfollowed.Decode))},
	{traces.Host.Bucket, "its host is learned from other pages", ofAPage(traces.Host.Check)},
	{traces.Tables.Bucket, "fields of its notice that are asked for from now on are read of the text alone", ofAPage(traces.Tables.Check)},
	{outbox.Bucket, "", alone(outbox.Check)},
	{versions.Bucket, "", alone(versions.Check)},
	{requests.Bucket, "the page is asked for again when its list is read", ofAnAddress},
	{attached.Bucket, "the document counts as never fetched", alone(attached.Check)},
	{attached.Texts, "the file is read again", alone(attached.CheckText)},
	{cookies.Bucket, "a host gives cookies again, or asks for a login", alone(cookies.Check)},
	{store.BucketLater, "the next opening reads every row", alone(store.CheckLater)},
	{proposals.Bucket, "looking for seeds finds it again", alone(proposals.Check)},
}

// checkRooms looks at the rows of all rooms.
func (k *checker) checkRooms() (err error) {
	for _, r := range rooms {
		bad := k.aside(r.bucket)
		if r.again != "" {
			bad = func(key []byte, err error) {
				k.report(r.bucket, "removes it: "+r.again, deleting(r.bucket, key), "%s is damaged: %v", name(r.bucket, key), err)
			}
		}
		err = errors.Join(err, k.scan(r.bucket, bad, func(b sealed.Bucket, key, v []byte) error {
			if wrong := r.check(k, b, key, v); wrong != nil {
				bad(bytes.Clone(key), wrong)
			}
			return nil
		}))
	}
	return err
}

// alone looks at a row that depends on no other.
func alone(check func(key, v []byte) error) func(*checker, sealed.Bucket, []byte, []byte) error {
	return func(_ *checker, _ sealed.Bucket, key, v []byte) error { return check(key, v) }
}

func decodes[T any](decode func(key, v []byte) (T, error)) func(key, v []byte) error {
	return func(key, v []byte) error {
		_, err := decode(key, v)
		return err
	}
}

func ofANotice(_ *checker, b sealed.Bucket, key, v []byte) error {
	_, err := facts.Decode(key, v)
	if err == nil && b.Beside(store.BucketNotices).Bucket.Get(key) == nil {
		err = errors.New("there is no such notice")
	}
	return err
}

// ofAPage looks at a row that belongs to a URL.
func ofAPage(check func(key, v []byte) error) func(*checker, sealed.Bucket, []byte, []byte) error {
	return func(k *checker, b sealed.Bucket, key, v []byte) error {
		err := check(key, v)
		if err == nil && !k.ownedByURL(b, key) {
			err = errors.New("it belongs to no URL")
		}
		return err
	}
}

// ofAnAddress says why no request belongs to a URL. Of a damaged row of a URL nothing
// can be said.
func ofAnAddress(k *checker, b sealed.Bucket, key, v []byte) error {
	if _, err := requests.Decode(v); err != nil {
		return err
	}
	id, err := store.BoundID(key, k.rows.LastID())
	if err != nil {
		return err
	}
	row := b.Beside(store.BucketURLs).Get(store.IDKey(id))
	if row == nil {
		return nil
	}
	if u, err := store.DecodeURL(id, row); err == nil && !strings.Contains(u.URL, "#") {
		return errors.New("its address is that of a plain page")
	}
	return nil
}
