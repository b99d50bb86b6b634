// Package tabnewstest is an in-memory TabNews server for tests and demonstrations, as net/http/httptest is for any
// server. It answers as the real one does, warts and all: what a client can see of the TabNews API (sections 1 to 10 of
// the page the project keeps about it) is what it sees here. On top of that it meets named faults on request, counts
// what arrives, and shows every stored row.
//
//	s := tabnewstest.New()
//	err := s.Start("127.0.0.1:0")
//	s.Inject(tabnewstest.Fault{On: "create", Fault: "drop_after_store"})
//
// Two users are there from the start, "autora" and "leitor", with e-mail NAME@example.com and password senha-NAME-123.
// The client's IP, which the firewall counts by, is the last element of X-Forwarded-For, else the peer's address.
//
// # Faults
//
// A fault is named by its moment and met by the next Times requests of the kind On: create, update, read, list, login
// or user. FaultNames lists them all. They are real faults on a real connection: a "drop" is a TCP reset. Over HTTP/2,
// where the connection is shared, a drop resets the stream.
//
// refuse is the odd one, for on accept nothing is known of the request. With On "connect" the next accepted connection
// is reset at once, whoever opened it; a control request over HTTP would fall into it too, so it is meant for tests in
// one process. With any other On the connection is reset once its first request line shows the kind, before the server
// has read a request: nothing is counted and other requests (a poll, a control request) go by untouched. The client may
// have written its request by then and cannot know whether it was read. A connection that already served a request is
// not refused.
//
// keepalive_close waits for a request on a connection that has already served one; requests on fresh connections pass.
//
// edit_between, on an update alone, lets somebody else edit the same content just before the PATCH is handled: after
// whatever its sender read, with an updated_at of its own, and in a field that the PATCH does not send (a line at the
// end of the body, else another title, else another source), so that both changes stand. The PATCH then goes on as
// usual, and its answer shows what it found.
//
// # Control over HTTP
//
// Other processes use the paths below /_emulator/, which are never counted as arrivals: POST faults, reset,
// settings (rating_rule, firewall, cache: true or false), moderate (owner, slug, action: hide, undo or delete), edit
// (owner, slug; title, body: an edit as by the owner in a browser), users (username; rename, features, tabcash,
// expire_sessions); GET arrivals, contents, second_host, healthz.
//
// # Imports
//
// It imports the standard library, publication (for one fact, the set of invisible characters), uniseg, uuid and
// x/net's HTTP/2 frames. It never imports testing, the client that it is meant to test, or the ledger.
package tabnewstest
