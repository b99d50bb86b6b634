package main

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// version is set by the build: go build -ldflags "-X main.version=v1.2.3".
var version = ""

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return json.NewEncoder(a.stdout).Encode(map[string]string{"version": versionName()})
			}
			fmt.Fprintln(a.stdout, "starter", versionName())
			return nil
		},
	}
}

// versionName falls back to what the Go tool stamped into the binary.
func versionName() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return strings.Trim(info.Main.Version, "()") // "(devel)" is no word for a user agent
	}
	return "unversioned"
}
