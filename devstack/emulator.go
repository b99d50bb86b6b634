package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"postonce/tabnews/tabnewstest"
)

func emulatorCommand() *cobra.Command {
	var addr string
	c := &cobra.Command{
		Use:   "emulator",
		Short: "Serve the TabNews emulator alone, until SIGINT or SIGTERM",
		Long: `Serve the TabNews emulator alone and print its URL, once it answers, as the only line on standard output.

It starts with two users, autora and leitor: e-mail NAME@example.com, password senha-NAME-123.`,
		Args: cobra.NoArgs,
		RunE: action(func(c *cobra.Command, _ []string) error { return serveEmulator(c, addr) }),
	}
	c.Flags().StringVar(&addr, "addr", "127.0.0.1:3900", "where to listen; port 0 takes a free one")
	return c
}

func serveEmulator(c *cobra.Command, addr string) error {
	server := tabnewstest.New()
	if err := server.Start(addr); err != nil {
		return fmt.Errorf("the emulator cannot listen on %s: %w", addr, err)
	}
	defer server.Close()
	if _, err := fmt.Fprintln(c.OutOrStdout(), server.URL()); err != nil {
		return err
	}
	<-c.Context().Done()
	return nil
}
