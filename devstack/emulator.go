package main

import (
	"encoding/pem"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"postonce/tabnews/tabnewstest"
)

func emulatorCommand() *cobra.Command {
	var addr, certificate string
	c := &cobra.Command{
		Use:   "emulator",
		Short: "Serve the TabNews emulator alone, until SIGINT or SIGTERM",
		Long: `Serve the TabNews emulator alone and print its URL, once it answers, as the only line on standard output.

It starts with two users, autora and leitor: e-mail NAME@example.com, password senha-NAME-123.`,
		Args: cobra.NoArgs,
		RunE: action(func(c *cobra.Command, _ []string) error { return serveEmulator(c, addr, certificate) }),
	}
	c.Flags().StringVar(&addr, "addr", "127.0.0.1:3900", "where to listen; port 0 takes a free one")
	c.Flags().StringVar(&certificate, "tls", "", "serve HTTPS, with HTTP/2, and write the certificate to trust into this `file` (SSL_CERT_FILE)")
	return c
}

func serveEmulator(c *cobra.Command, addr, certificate string) error {
	server := tabnewstest.New()
	if err := listen(server, addr, certificate); err != nil {
		return fmt.Errorf("the emulator cannot listen on %s: %w", addr, err)
	}
	defer server.Close()
	if _, err := fmt.Fprintln(c.OutOrStdout(), server.URL()); err != nil {
		return err
	}
	<-c.Context().Done()
	return nil
}

// listen starts the server; over TLS, clients find what to trust in the file certificate.
func listen(server *tabnewstest.Server, addr, certificate string) error {
	if certificate == "" {
		return server.Start(addr)
	}
	if err := server.StartTLS(addr); err != nil {
		return err
	}
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return os.WriteFile(certificate, block, 0o644)
}
