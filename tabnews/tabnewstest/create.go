package tabnewstest

import (
	"net/http"
	"slices"
	"strings"
)

// create is POST contents. Each check comes in TabNews' order, which decides what a client learns (TabNews API,
// section 1, Order of checks); the body is parsed by then.
func (q *request) create() (*answer, *refusal) {
	q.hold(PauseBegin)
	u, _, ref := q.authenticate()
	if ref != nil {
		return nil, ref
	}
	in, ref := createSchema.validate(q.body)
	if ref != nil {
		return nil, ref
	}
	if ref := u.require("create:content"); ref != nil {
		return nil, ref
	}
	k := kindOfContent(in["parent_id"])
	if ref := q.store.askFirewall(q.ip, k); ref != nil {
		return nil, ref
	}
	if !u.has("create:content:" + string(k)) {
		return nil, cannotCreate(k, "criar", "CONTROLLER:CONTENT:POST_HANDLER:CREATE:CONTENT:")
	}
	c, ref := q.store.create(draftOf(in, u.id, q.ip), q.hold)
	if ref != nil {
		return nil, ref
	}
	a := contentAnswer(http.StatusCreated, c)
	if c.ParentID != nil && strings.Contains(q.Header.Get("Accept"), "application/x-ndjson") {
		a.body = append(a.body, '\n')
		a.header.Set("Content-Type", "application/x-ndjson")
	}
	return a, nil
}

// cannotCreate is the refusal of who may not write roots, or comments.
func cannotCreate(k kind, verb, code string) *refusal {
	where := "na raiz do site."
	if k == childKind {
		where = "dentro de outros conteúdos."
	}
	return forbidden(code+strings.ToUpper(string(k))+":FEATURE_NOT_FOUND",
		"Você não possui permissão para "+verb+" conteúdos "+where,
		`Verifique se você possui a feature "create:content:`+string(k)+`".`)
}

// draftOf makes of validated fields the row to insert.
func draftOf(in values, ownerID, ip string) *row {
	r := &row{Content: Content{
		ID: newID(), OwnerID: ownerID, ParentID: in["parent_id"], Slug: in.text("slug"), Title: in["title"],
		Body: in.text("body"), Status: in.text("status"), Type: in.text("type"), SourceURL: in["source_url"], IP: ip,
	}}
	if r.Slug == "" && r.Title != nil && *r.Title != "" {
		r.Slug = slugFromTitle(*r.Title)
	}
	if r.Slug == "" {
		r.Slug = newID()
	}
	if r.Status == "" {
		r.Status = "draft"
	}
	if r.Type == "" || !r.isRoot() {
		r.Type = "content"
	}
	return r
}

// create is the transaction of a creation: its time is that of its start, and nothing of it is seen before it commits.
func (st *store) create(r *row, hold func(Pause)) (Content, *refusal) {
	begin := st.now()
	r.CreatedAt, r.UpdatedAt = begin, begin
	if ref := checkCreation(r); ref != nil {
		return Content{}, ref
	}
	if r.Status == "published" {
		now := st.now()
		r.PublishedAt = &now
	}
	s := slot{r.OwnerID, r.Slug}
	if !st.hold(s) {
		return Content{}, alreadyExists()
	}
	ref := st.prepare(r)
	if ref == nil {
		hold(PauseCommit)
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	defer st.release(s)
	if ref != nil {
		return Content{}, ref
	}
	r.number = len(st.rows)
	st.rows = append(st.rows, r)
	st.creations = append(st.creations, creation{r, kindOfContent(r.ParentID), r.IP, begin})
	st.changed()
	return st.copyOf(r), nil
}

// checkCreation is what the transaction looks at before it inserts.
func checkCreation(r *row) *refusal {
	switch {
	case r.Status == "deleted" || r.Status == "firewall":
		ref := invalidState("status", "MODEL:CONTENT:VALIDATE_CREATE_SCHEMA:INVALID_STATUS",
			`Não é possível criar um novo conteúdo diretamente com status "`+r.Status+`".`)
		ref.kind = "any.only"
		return ref
	case r.Title != nil && *r.Title == "":
		return blank("title")
	}
	return checkRootTitle(r.Content)
}

func checkRootTitle(c Content) *refusal {
	if c.isRoot() && c.Title == nil {
		return invalidState("title", "MODEL:CONTENT:CHECK_ROOT_CONTENT_TITLE:MISSING_TITLE",
			`"title" é um campo obrigatório.`)
	}
	return nil
}

// prepare does what follows an insertion inside the transaction, which sees its own row beside the committed ones.
func (st *store) prepare(r *row) *refusal {
	st.mu.Lock()
	defer st.mu.Unlock()
	parent := st.parentOf(r)
	if parent != nil {
		r.path = append(slices.Clone(parent.path), parent.ID)
	}
	if !r.isRoot() && parent == nil {
		ref := invalidState("parent_id", "MODEL:CONTENT:CHECK_IF_PARENT_ID_EXISTS:NOT_FOUND",
			"Você está tentando criar um comentário em um conteúdo que não existe.")
		ref.action = `Utilize um "parent_id" que aponte para um conteúdo existente.`
		return ref
	}
	committed := st.rows
	defer func() { st.rows = committed }()
	r.number = len(committed)
	st.rows = append(slices.Clip(committed), r)
	if ref := st.settle(nil, r); ref != nil {
		return ref
	}
	return st.payAd(r)
}

// parentOf gives the content that r answers, in whatever status it is. An id in upper case finds none.
func (st *store) parentOf(r *row) *row {
	if r.isRoot() {
		return nil
	}
	return st.rowByID(*r.ParentID)
}

// payAd takes 100 TabCash for an ad.
func (st *store) payAd(r *row) *refusal {
	const price = 100
	if r.Type != "ad" {
		return nil
	}
	u := st.userByID(r.OwnerID)
	if u.tabcash < price {
		return &refusal{
			name: "UnprocessableEntityError", message: "Não foi possível criar a publicação.",
			action: "Você precisa de pelo menos 100 TabCash para realizar esta ação.",
			status: http.StatusUnprocessableEntity, code: "MODEL:CONTENT:UPDATE_TABCASH:NOT_ENOUGH",
		}
	}
	u.tabcash -= price
	return nil
}
