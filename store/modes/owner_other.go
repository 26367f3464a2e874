//go:build !unix

package modes

import (
	"io/fs"
	"os"
)

func keepOwner(*os.File, fs.FileInfo) {}

// LetsOthers reports whether others have a right. Here access lists decide, which modes do not
// show, so it returns false.
func LetsOthers(fs.FileInfo, fs.FileMode) bool { return false }
