package remote
import (
 _ "github.com/charmbracelet/wish"
 _ "github.com/charmbracelet/ssh"
 _ "golang.org/x/crypto/ssh"
)
