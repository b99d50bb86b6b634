package devstack

import (
	"fmt"
	"net"
)

const loopback = "127.0.0.1"

// freePorts returns n TCP ports that are free on loopback. All are held until all are found, so they differ; each then
// gets one connection that our side closes, which leaves it in TIME_WAIT: for about a minute the kernel gives it to
// nobody who asks for any port, while a server that names it may still bind it (SO_REUSEADDR).
func freePorts(n int) ([]int, error) {
	ports := make([]int, 0, n)
	for range n {
		l, err := net.Listen("tcp", loopback+":0")
		if err != nil {
			return nil, fmt.Errorf("finding a free port: %w", err)
		}
		defer l.Close()
		if err := reserve(l); err != nil {
			return nil, fmt.Errorf("finding a free port: %w", err)
		}
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

func reserve(l net.Listener) error {
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return err
	}
	defer client.Close()
	server, err := l.Accept()
	if err != nil {
		return err
	}
	return server.Close() // first: the side that closes first keeps the TIME_WAIT
}

// portFree tells whether a server could listen there now.
func portFree(port int) bool {
	l, err := net.Listen("tcp", address(port))
	if err != nil {
		return false
	}
	return l.Close() == nil
}

func address(port int) string { return fmt.Sprintf("%s:%d", loopback, port) }
