//go:build !unix

package modes

import (
	"io/fs"
	"os"
)

func keepOwner(*os.File, fs.FileInfo) {}

// LetsOthers tells whether others have one of the rights of what. Here it is the
// access lists of files that say so, which their modes do not show: they are taken for
// as they were made.
func LetsOthers(fs.FileInfo, fs.FileMode) bool { return false }
