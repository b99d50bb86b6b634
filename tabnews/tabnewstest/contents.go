package tabnewstest

import "time"

// Content is one stored row, with the fields of TabNews' own JSON (TabNews API, section 3) and the IP it was created
// from.
type Content struct {
	ID             string     `json:"id"`
	OwnerID        string     `json:"owner_id"`
	ParentID       *string    `json:"parent_id"`
	Slug           string     `json:"slug"`
	Title          *string    `json:"title"`
	Body           string     `json:"body"`
	Status         string     `json:"status"` // draft, published, deleted or firewall
	Type           string     `json:"type"`
	SourceURL      *string    `json:"source_url"`
	CreatedAt      time.Time  `json:"created_at"`
	UpdatedAt      time.Time  `json:"updated_at"`
	PublishedAt    *time.Time `json:"published_at"`
	DeletedAt      *time.Time `json:"deleted_at"`
	OwnerUsername  string     `json:"owner_username"`
	Tabcoins       int        `json:"tabcoins"`
	TabcoinsCredit int        `json:"tabcoins_credit"`
	TabcoinsDebit  int        `json:"tabcoins_debit"`
	IP             string     `json:"ip"`
}

// MarshalJSON writes times as TabNews does.
func (c Content) MarshalJSON() ([]byte, error) {
	return append(c.fields(), field{"ip", c.IP}).MarshalJSON()
}

// fields are the 17 of a 201, in order.
func (c Content) fields() object {
	return object{
		{"id", c.ID}, {"owner_id", c.OwnerID}, {"parent_id", c.ParentID}, {"slug", c.Slug}, {"title", c.Title},
		{"body", c.Body}, {"status", c.Status}, {"type", c.Type}, {"source_url", c.SourceURL},
		{"created_at", c.CreatedAt}, {"updated_at", c.UpdatedAt}, {"published_at", c.PublishedAt},
		{"deleted_at", c.DeletedAt}, {"owner_username", c.OwnerUsername}, {"tabcoins", c.Tabcoins},
		{"tabcoins_credit", c.TabcoinsCredit}, {"tabcoins_debit", c.TabcoinsDebit},
	}
}

func (c Content) isRoot() bool { return c.ParentID == nil }

// row is a content as the store keeps it.
type row struct {
	Content
	path    []string // ids of the ancestors, the root first
	number  int      // order of insertion, which breaks ties of equal times
	initial int      // TabCoins the author got for the first publication
	earned  int      // TabCoins the author got in all, votes included
	taken   int      // TabCoins taken back by the firewall
}

// kind is what the firewall counts apart.
type kind string

const (
	rootKind  kind = "text_root"
	childKind kind = "text_child"
)

func kindOfContent(parentID *string) kind {
	if parentID == nil {
		return rootKind
	}
	return childKind
}

// creation is a committed row of TabNews' table of events: what the firewall counts.
type creation struct {
	row  *row
	kind kind
	ip   string
	at   time.Time // the start of the transaction
}
