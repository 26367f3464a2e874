package linkorder

// ShapeHash returns a hash of a URL's shape: host, first directory, number of segments, and file name with masked
// digits. The notices of a site mostly share one shape, and so do the pages of a list. Names of over 24 characters
// count as equal. It takes about .2 µs.
func ShapeHash(url string) uint64 {
	p := locate(url)
	return mix(p.host + mix(p.masked[0]+mix(p.file+uint64(p.segments))))
}
