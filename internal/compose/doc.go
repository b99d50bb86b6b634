// Package compose holds the tests of docker-compose.yml: where there is no Docker engine, the compose-spec library
// shows that the file loads, and the rules that it must keep are checked on what it says.
package compose
