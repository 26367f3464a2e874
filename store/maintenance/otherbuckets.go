package maintenance

import (
	"bytes"
	"errors"
	"strings"

	"angler/store"
	"angler/store/records"
	"angler/store/schema"
	"angler/store/sealed"
	"angler/store/secrets"
)

// besides are the buckets outside package store: those of package records, the cookies, whose rows
// are unreadable without their key, and data that later openings need.
var besides = append([]records.Bucket{
	{Name: secrets.CookieBucket, Check: secrets.CheckCookie, Loss: "a host gives cookies again, or asks for a login"},
	{Name: schema.Later, Check: store.CheckLater, Loss: "the next opening reads every row"},
}, records.All...)

// checkBesides checks the rows of besides.
func (k *checker) checkBesides() (err error) {
	for _, r := range besides {
		bad := k.aside(r.Name)
		if r.Loss != "" {
			bad = func(key []byte, err error) {
				k.report(r.Name, "removes it: "+r.Loss, deleting(r.Name, key), "%s is damaged: %v", name(r.Name, key),
					err)
			}
		}
		err = errors.Join(err, k.scan(r.Name, bad, func(b sealed.Bucket, key, v []byte) error {
			wrong := r.Check(key, v)
			if wrong == nil {
				wrong = k.checkOwner(r.Owner, b, key)
			}
			if wrong != nil {
				bad(bytes.Clone(key), wrong)
			}
			return nil
		}))
	}
	return err
}

// checkOwner returns why a sound row has no owner. It accepts a row whose URL is damaged.
func (k *checker) checkOwner(of records.Owner, b sealed.Bucket, key []byte) error {
	switch of {
	case records.OfNotice:
		if b.Beside(schema.Notices).Bucket.Get(key) == nil {
			return errors.New("there is no such notice")
		}
	case records.OfPage:
		if !k.ownedByURL(b, key) {
			return errors.New("it belongs to no URL")
		}
	case records.OfAddress:
		id, err := store.BoundID(key, k.rows.LastID())
		if err != nil {
			return err
		}
		u, err := store.DecodeURL(id, b.Beside(schema.URLs).Get(key))
		if err == nil && !strings.Contains(u.URL, "#") {
			return errors.New("its address is that of a plain page")
		}
	}
	return nil
}
