//go:build !unix

package store

import (
	"io/fs"
	"os"
)

func keepOwner(*os.File, fs.FileInfo) {}
