package tabnews

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// decodeObject reads one JSON object (RFC 8259) and nothing after it. It is stricter than encoding/json's structs, which
// take "ID" for "id" and the last of two equal keys: a proof must not have two readings.
func decodeObject(body []byte) (map[string]json.RawMessage, error) {
	if !utf8.Valid(body) {
		return nil, errors.New("it is not UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("it is no JSON object")
	}
	object := map[string]json.RawMessage{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, cutJSON(dec)
		}
		name, _ := key.(string) // within an object the decoder gives only strings here
		if _, twice := object[name]; twice {
			return nil, fmt.Errorf("its JSON has the key %s twice", quote(name))
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, cutJSON(dec)
		}
		object[name] = value
	}
	if _, err := dec.Token(); err != nil {
		return nil, cutJSON(dec)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("something stands after its JSON")
	}
	return object, nil
}

func cutJSON(dec *json.Decoder) error {
	return fmt.Errorf("its JSON breaks off or is damaged after %d bytes", dec.InputOffset())
}
