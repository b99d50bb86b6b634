package tabnewstest

import (
	"encoding/binary"

	"golang.org/x/net/http2"
)

// frames follows the HTTP/2 frames that a client sends, to know the stream of its newest request: net/http does not
// tell. With several requests in flight on one connection it may name another's stream; the tests' clients have one.
type frames struct {
	skip   int    // bytes of the preface or of a payload still to pass
	header []byte // of the frame that begins, as far as it was read
	stream uint32 // of the newest HEADERS
}

const frameHeaderLength = 9

// see takes the next bytes of the connection.
func (f *frames) see(b []byte) {
	for len(b) > 0 {
		if f.skip > 0 {
			n := min(f.skip, len(b))
			f.skip, b = f.skip-n, b[n:]
			continue
		}
		n := min(frameHeaderLength-len(f.header), len(b))
		f.header, b = append(f.header, b[:n]...), b[n:]
		if len(f.header) < frameHeaderLength {
			return
		}
		f.skip = int(f.header[0])<<16 | int(f.header[1])<<8 | int(f.header[2])
		if http2.FrameType(f.header[3]) == http2.FrameHeaders {
			f.stream = binary.BigEndian.Uint32(f.header[5:]) & (1<<31 - 1)
		}
		f.header = f.header[:0]
	}
}

// h2Faults are met over HTTP/2 without TLS; other requests meet a reset at the same moment instead.
var h2Faults = map[string]behaviour{
	"h2_refused_stream":             {nil, func(x *exchange) { x.resetStream(http2.ErrCodeRefusedStream) }},
	"h2_refused_stream_after_store": {nil, func(x *exchange) { x.store(); x.resetStream(http2.ErrCodeRefusedStream) }},
	"h2_rst_stream_after_store":     {nil, func(x *exchange) { x.store(); x.resetStream(http2.ErrCodeInternal) }},
	"h2_goaway":                     {nil, func(x *exchange) { x.goAway() }},
	"h2_goaway_after_store":         {nil, func(x *exchange) { x.store(); x.goAway() }},
}

func init() {
	for name, b := range h2Faults {
		behaviours[name] = b
	}
}

// store lets TabNews act and drops its answer.
func (x *exchange) store() {
	x.read()
	x.answer()
}

// resetStream sends RST_STREAM with a code of our choice; net/http would only ever send its own.
func (x *exchange) resetStream(code http2.ErrCode) {
	c, stream := x.h2()
	c.sendFrame(http2.FrameRSTStream, stream, binary.BigEndian.AppendUint32(nil, uint32(code)))
	x.abort()
}

// goAway tells the client that its newest request was not processed, whether or not that is so, and closes.
func (x *exchange) goAway() {
	c, stream := x.h2()
	payload := binary.BigEndian.AppendUint32(nil, max(stream, 2)-2) // the last one processed
	c.sendFrame(http2.FrameGoAway, 0, binary.BigEndian.AppendUint32(payload, uint32(http2.ErrCodeNo)))
	c.Conn.Close()
	x.abort()
}

// h2 gives the connection and the request's stream; where frames cannot be slipped in (HTTP/1, TLS), the request ends
// here with a reset.
func (x *exchange) h2() (*faultyConn, uint32) {
	c := anyConnOf(x.q.Request)
	if c == nil {
		x.abort()
	}
	c.mu.Lock()
	f := c.frames
	c.mu.Unlock()
	if f == nil {
		x.reset()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c, f.stream
}

// sendFrame writes a frame between those of net/http, which writes whole frames while it has little to say.
func (c *faultyConn) sendFrame(kind http2.FrameType, stream uint32, payload []byte) {
	frame := []byte{0, 0, byte(len(payload)), byte(kind), 0}
	frame = append(binary.BigEndian.AppendUint32(frame, stream), payload...)
	c.Conn.Write(frame)
}
