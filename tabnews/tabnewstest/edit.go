package tabnewstest

import (
	"encoding/json"
	"fmt"
)

// byAnother is what somebody else writes when nobody says what.
const byAnother = "Editado por outra pessoa."

// Edit changes the title or the body of one content, or both, past the program under test, as its owner would in a
// browser: under TabNews' own rules for a PATCH, and updated_at moves. What is nil stays. The error tells why TabNews
// refuses.
func (s *Server) Edit(owner, slug string, title, body *string) error {
	sent := map[string]any{}
	for key, value := range map[string]*string{"title": title, "body": body} {
		if value != nil {
			sent[key] = *value
		}
	}
	in, ref := updateSchema.validate(sent)
	if ref == nil {
		ref = s.current().store.edit(owner, slug, func(Content) values { return in })
	}
	if ref != nil {
		return fmt.Errorf("%s: %s/%s: %s", ref.key, owner, slug, ref.message)
	}
	return nil
}

// controlEdit makes an edit by hand.
func controlEdit(s *Server, d *json.Decoder) (any, error) {
	var in struct {
		Owner, Slug string
		Title, Body *string
	}
	if err := d.Decode(&in); err != nil {
		return nil, err
	}
	return object{}, s.Edit(in.Owner, in.Slug, in.Title, in.Body)
}

// edit is one update that nothing holds between its read and its write.
func (st *store) edit(owner, slug string, change func(Content) values) *refusal {
	read, ref := st.readForUpdate(owner, slug)
	if ref == nil {
		_, ref = st.update(read, change(read))
	}
	return ref
}

// editBetween lets somebody else edit the content after its sender read it and before the PATCH is handled. Where the
// content cannot be edited the PATCH goes on alone, and meets what stands in its way.
func editBetween(x *exchange) {
	x.read()
	sent, _ := x.q.body.(map[string]any)
	_, names, _ := route(x.q.URL.Path) // of an update it has both
	x.state.store.edit(names[0], names[1], func(c Content) values { return besides(c, sent) })
	x.send(x.answer())
}

// besides changes a field that was not sent, so that both changes stand afterwards: a line at the end of the body, else
// another title, else another source.
func besides(c Content, sent map[string]any) values {
	key, text := "source_url", "https://example.com/editado"
	if _, taken := sent["title"]; !taken {
		key, text = "title", byAnother
	}
	if _, taken := sent["body"]; !taken {
		key, text = "body", c.Body+"\n\n"+byAnother
	}
	return values{key: &text}
}
