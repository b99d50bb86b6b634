package tabnewstest

import "net/http"

// update is PATCH contents/{user}/{slug} (TabNews API, section 7). It reads the row, and later writes all columns of
// it, without a lock between: what another wrote meanwhile is lost (section 9).
func (q *request) update() (*answer, *refusal) {
	u, _, ref := q.authenticate()
	if ref != nil {
		return nil, ref
	}
	path, ref := pathSchema.validate(q.pathValues())
	if ref != nil {
		return nil, ref
	}
	in, ref := updateSchema.validate(q.body)
	if ref != nil {
		return nil, ref
	}
	if ref := u.require("update:content"); ref != nil {
		return nil, ref
	}
	read, ref := q.store.readForUpdate(path.text("username"), path.text("slug"))
	if ref != nil {
		return nil, ref
	}
	if ref := mayUpdate(u, read); ref != nil {
		return nil, ref
	}
	q.hold(PauseWrite)
	if !isAddress(q.ip) {
		return nil, databaseFailed() // TabNews writes the IP into its table of events
	}
	c, ref := q.store.update(read, in)
	if ref != nil {
		return nil, ref
	}
	return contentAnswer(http.StatusOK, c), nil
}

// readForUpdate finds drafts and published ones only.
func (st *store) readForUpdate(username, slug string) (Content, *refusal) {
	st.mu.Lock()
	defer st.mu.Unlock()
	owner := st.userByName(username)
	if owner == nil {
		return Content{}, usernameNotFound()
	}
	r := st.find(owner.id, slug, "draft", "published")
	if r == nil {
		return Content{}, slugNotFound("PATCH_HANDLER")
	}
	return st.copyOf(r), nil
}

// mayUpdate refuses another's content, and who lost the right to write this kind.
func mayUpdate(u *user, c Content) *refusal {
	if c.OwnerID != u.id && !u.has("update:content:others") {
		return forbidden("CONTROLLER:CONTENTS:PATCH:USER_CANT_UPDATE_CONTENT_FROM_OTHER_USER",
			"Você não possui permissão para atualizar o conteúdo de outro usuário.",
			`Verifique se você possui a feature "update:content:others".`)
	}
	if k := kindOfContent(c.ParentID); !u.has("create:content:" + string(k)) {
		return cannotCreate(k, "editar", "CONTROLLER:CONTENT:PATCH_HANDLER:CREATE:CONTENT:")
	}
	return nil
}

// update writes every column from what was read, changed by what was sent.
func (st *store) update(read Content, in values) (Content, *refusal) {
	begin := st.now()
	next := changed(read, in)
	if ref := checkUpdate(read, next); ref != nil {
		return Content{}, ref
	}
	if next.PublishedAt == nil && next.Status == "published" {
		now := st.now()
		next.PublishedAt = &now
	}
	if next.DeletedAt == nil && next.Status == "deleted" {
		now := st.now()
		next.DeletedAt = &now
	}
	next.UpdatedAt = begin
	for {
		c, ref, busy := st.tryWrite(read, next)
		if busy == nil {
			return c, ref
		}
		select {
		case <-busy:
		case <-st.closed:
			return Content{}, databaseFailed()
		}
	}
}

func changed(c Content, in values) Content {
	if _, sent := in["slug"]; sent {
		c.Slug = in.text("slug")
	}
	if title, sent := in["title"]; sent {
		c.Title = title
	}
	if _, sent := in["body"]; sent {
		c.Body = in.text("body")
	}
	if _, sent := in["status"]; sent {
		c.Status = in.text("status")
	}
	if url, sent := in["source_url"]; sent {
		c.SourceURL = url
	}
	return c
}

func checkUpdate(old, next Content) *refusal {
	switch {
	case next.Status == "firewall":
		ref := invalidState("status", "MODEL:CONTENT:VALIDATE_UPDATE_SCHEMA:INVALID_STATUS",
			`Não é possível atualizar um conteúdo para o status "firewall".`)
		ref.kind = "any.only"
		return ref
	case next.Title != nil && *next.Title == "":
		return blank("title")
	case old.Status == "published" && next.Status == "draft":
		return invalidState("status", "MODEL:CONTENT:CHECK_STATUS_CHANGE:STATUS_ALREADY_PUBLISHED",
			"Não é possível alterar para rascunho um conteúdo já publicado.")
	}
	return checkRootTitle(next)
}

// tryWrite commits the update, or gives the transaction in flight that it has to wait for.
func (st *store) tryWrite(read, next Content) (Content, *refusal, <-chan struct{}) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if next.DeletedAt == nil {
		s := slot{next.OwnerID, next.Slug}
		if busy, taken := st.held[s]; taken {
			return Content{}, nil, busy
		}
		if st.occupied(s, next.ID) {
			return Content{}, alreadyExists(), nil
		}
	}
	r := st.rowByID(read.ID)
	if r == nil {
		return Content{}, databaseFailed(), nil // the emulator was emptied meanwhile
	}
	before := *r
	r.Slug, r.Title, r.Body, r.Status, r.SourceURL = next.Slug, next.Title, next.Body, next.Status, next.SourceURL
	r.PublishedAt, r.DeletedAt, r.UpdatedAt = next.PublishedAt, next.DeletedAt, next.UpdatedAt
	if ref := st.settle(&read, r); ref != nil {
		*r = before // roll back
		return Content{}, ref, nil
	}
	st.changed()
	return st.copyOf(r), nil, nil
}
