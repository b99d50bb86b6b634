package activities

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"

	"postonce/activities/api"
	"postonce/ledger"
	"postonce/publication"
	"postonce/tabnews"
)

// errMoving says that two reads in a row did not agree: one of them may have been a stale copy, which is neither drift
// nor absence.
var errMoving = errors.New("two reads in a row did not agree")

// sight reads a content. What reads as expected is believed at once, and anything else when a second read agrees.
func (l *looking) sight(ctx context.Context, w ledger.Watched) (ledger.Sighting, error) {
	first, err := l.readWatched(ctx, w)
	if err != nil || first.Saw == publication.SeenUnchanged {
		return first, err
	}
	if !l.pause(ctx) {
		return first, errors.New("the worker is stopping")
	}
	second, err := l.readWatched(ctx, w)
	switch {
	case err != nil || second.Saw == publication.SeenUnchanged:
		return second, err
	case second.Saw != first.Saw || second.Digest != first.Digest:
		return second, errMoving
	case second.Saw.Absent():
		return l.disappeared(ctx, w, second)
	}
	return second, nil
}

// missingError says that a content cannot be read, and that what became of it can only be asked later.
type missingError struct {
	by  time.Duration
	why string
}

func (e *missingError) Error() string {
	return "it cannot be read, and whether it is hidden or deleted is not known yet: " + e.why
}

// lastSeen is where the content was found last. Somebody may have renamed it since our newest version.
func lastSeen(w ledger.Watched) publication.Reference {
	return publication.Reference{Owner: w.Identity.OwnerUsername, Slug: cmp.Or(w.Slug, w.Identity.Slug)}
}

// readWatched reads once. An absence is called gone here, unless it is clear already what it is.
func (l *looking) readWatched(ctx context.Context, w ledger.Watched) (ledger.Sighting, error) {
	s := ledger.Sighting{Watched: w}
	content, err := l.TabNews.Content(ctx, lastSeen(w))
	var missing *tabnews.NotFoundError
	switch {
	case errors.As(err, &missing) && missing.API != nil && missing.API.Key == "username":
		s.Saw, s.Because = publication.SeenGone, missing.Error()
	case errors.As(err, &missing):
		s.Saw = publication.SeenGone
	case err != nil:
		return s, err
	case content.ID != w.Content: // a slug has one content that is not deleted
		s.Saw, s.Because = publication.SeenDeleted, fmt.Sprintf("another content (id %s) stands under its slug", content.ID)
	default:
		l.readAs(&s, content)
	}
	return s, nil
}

// readAs notes what was read, and where.
func (l *looking) readAs(s *ledger.Sighting, content tabnews.Content) {
	s.Slug, s.PublishedAt = content.Slug, content.PublishedAt
	if content.Slug != s.Identity.Slug {
		s.Because = "it was renamed to " + content.Reference().String()
	}
	compareWatched(s, l.Account, content)
}

func compareWatched(s *ledger.Sighting, account string, content tabnews.Content) {
	s.Saw = publication.SeenUnchanged
	if equal, diff := compare(s.Payload, account, content); !equal {
		s.Saw, s.Diff = publication.SeenEdited, diff
		s.Digest = publication.Payload{Title: content.Title, Slug: content.Slug, Body: content.Body, SourceURL: content.SourceURL,
			Status: content.Status, ParentID: content.ParentID}.Digest()
	}
}

// disappeared finds the word for a content that two reads did not show: renamed, hidden, deleted, or one of the two.
func (l *looking) disappeared(ctx context.Context, w ledger.Watched, s ledger.Sighting) (ledger.Sighting, error) {
	if s.Because != "" && s.Saw == publication.SeenGone {
		return s, nil // the user is gone: no slug of his can be asked for
	}
	renamed, all, err := l.findRenamed(ctx, w)
	switch {
	case err != nil:
		return s, err
	case renamed != nil:
		return *renamed, nil
	case s.Saw == publication.SeenGone && (w.Seen == publication.SeenHidden || w.Seen == publication.SeenDeleted):
		s.Saw = w.Seen // it was found out before
		return s, nil
	case w.HiddenAt != nil && s.Saw == publication.SeenGone:
		s.Saw, s.Because = publication.SeenHidden, fmt.Sprintf("it could be read before the lane met the firewall at %s, which hides what was created in the ten minutes before", w.HiddenAt.UTC().Format("15:04:05Z"))
		return s, nil
	case !all: // a free slug proves nothing, nor does another content under it
		s.Saw, s.Because = publication.SeenGone, fmt.Sprintf("%s has too many newer contents to tell whether it was renamed", w.Identity.OwnerUsername)
		return s, nil
	case s.Saw == publication.SeenDeleted:
		return s, nil
	case !l.Drift.Probe || w.Probed:
		return s, nil
	}
	return l.probed(ctx, w, s)
}

// Bounds of the search for a content under another slug.
const (
	renamedPages   = 20
	renamedPerPage = 100
)

// findRenamed looks for the content in the account's listing, which shows it under its new slug if somebody changed
// that; the old slug is then as free as after a deletion. The listing has the newest first, so the search ends where it
// is older than the content. All is false when it ended before: the content may be listed further on.
func (l *looking) findRenamed(ctx context.Context, w ledger.Watched) (found *ledger.Sighting, all bool, err error) {
	for page := 1; page <= renamedPages && (page == 1 || !l.over(ctx)); page++ {
		listed, err := l.TabNews.UserContents(ctx, w.Identity.OwnerUsername, page, renamedPerPage)
		if err != nil {
			return nil, false, err
		}
		for _, item := range listed {
			switch {
			case item.ID == w.Content:
				found, err = l.readRenamed(ctx, w, item.Reference())
				return found, false, err
			case w.PublishedAt != nil && item.PublishedAt != nil && item.PublishedAt.Before(*w.PublishedAt):
				return nil, true, nil
			}
		}
		if len(listed) < renamedPerPage {
			return nil, true, nil
		}
		l.pause(ctx)
	}
	return nil, false, nil
}

func (l *looking) readRenamed(ctx context.Context, w ledger.Watched, ref publication.Reference) (*ledger.Sighting, error) {
	content, err := l.TabNews.Content(ctx, ref)
	if err != nil || content.ID != w.Content {
		return nil, errors.Join(err, errMoving)
	}
	s := ledger.Sighting{Watched: w}
	l.readAs(&s, content)
	return &s, nil
}

// Bounds of the wait for a probe's turn in the lane.
const (
	probePatience = 15 * time.Second // within a look
	probeLater    = 2 * time.Minute  // between two looks, at most
	probeDelay    = 5 * time.Minute  // beyond an incident's pause: then it is told as gone
)

// probed asks whether the slug is taken, through the lane like a comment, once for each disappearance. Without an
// answer it stays gone.
func (l *looking) probed(ctx context.Context, w ledger.Watched, s ledger.Sighting) (ledger.Sighting, error) {
	if _, err := l.TabNews.CheckSession(ctx); err != nil {
		s.Because = "its slug could not be asked for: " + publication.Clip(err.Error(), 200)
		return s, nil
	}
	slot, err := l.takeProbeSlot(ctx, w)
	switch {
	case err != nil || slot.Asked:
		return s, err
	case !slot.Taken && w.MissingFor < l.Pause+probeDelay:
		return s, &missingError{min(slot.Wait, probeLater), "the lane has no turn to ask for its slug now"}
	case !slot.Taken:
		s.Because = "the lane had no turn to ask for its slug"
		return s, nil
	}
	probe := l.TabNews.ProbeSlug(context.WithoutCancel(ctx), lastSeen(w).Slug, wallClock().Add(api.SlugProbeTimeout))
	switch {
	case probe.Evidence.APIError.Firewall():
		return s, l.probeRefused(ctx, w, slot)
	case probe.Answered && probe.Taken:
		s.Saw, s.Because = publication.SeenHidden, "TabNews says that its slug is taken, and does not show it: the firewall hides it, or it was deleted and a draft took its slug"
	case probe.Answered:
		s.Saw, s.Because = publication.SeenDeleted, "TabNews says that its slug is free"
	default:
		s.Because = "asking TabNews for its slug gave no answer: " + publication.Clip(probe.Evidence.Summary, 200)
	}
	// What was answered, or never left, is not on its way any more; else the lane waits until it can no longer be.
	if probe.Answered || probe.Evidence.ProvenUnsent {
		if err := l.Drift.Ledger.GiveProbeSlotBack(ctx, slot); err != nil {
			l.Log.WarnContext(ctx, "a probe's turn in the lane was not given back; the lane goes on by itself", "lane", l.Lane, "error", err)
		}
	}
	return s, nil
}

// probeRefused notes that the probe set off the firewall, which now hides comments of ours, and finds those.
func (l *looking) probeRefused(ctx context.Context, w ledger.Watched, slot ledger.ProbeSlot) error {
	ctx = context.WithoutCancel(ctx)
	why := "TabNews' firewall refused to be asked for its slug; the lane pauses"
	l.Log.WarnContext(ctx, "TabNews' firewall refused a slug probe: the lane pauses, and comments of the last ten minutes may be hidden; see `starter lane`",
		"lane", l.Lane, "operation", w.Operation, "pause", l.Pause)
	if err := l.Drift.Ledger.ProbeMetFirewall(ctx, w.Operation, slot, l.Pause); err != nil {
		return err
	}
	found, failures, err := l.findHidden(ctx, api.FindHiddenInput{Operation: w.Operation})
	if err != nil {
		failures = append(failures, err)
	}
	if n := len(found.Hidden) + len(found.Gone); n > 0 {
		why += fmt.Sprintf(", and %d comments of the last ten minutes cannot be read any more (`starter lane` lists them)", n)
	}
	if len(failures) > 0 { // the incident lets the watch read them at once
		why += "; not all of the last ten minutes' comments could be read again: " + publication.Clip(errors.Join(failures...).Error(), 200)
	}
	return &missingError{probeLater, why}
}

// takeProbeSlot waits for the probe's turn. A lane that is busy for longer than patience tells nothing yet.
func (l *looking) takeProbeSlot(ctx context.Context, w ledger.Watched) (ledger.ProbeSlot, error) {
	req := ledger.ProbeSlotRequest{Lane: l.Lane, Content: w.Content, Pace: l.Pace, Timeout: api.SlugProbeTimeout}
	patience := time.Now().Add(min(probePatience, time.Until(activity.GetInfo(ctx).Deadline)/3))
	for {
		slot, err := l.Drift.Ledger.TakeProbeSlot(ctx, req)
		if err != nil || slot.Taken || slot.Asked || time.Now().Add(slot.Wait).After(patience) {
			return slot, err
		}
		if !sleep(ctx, slot.Wait) {
			return slot, errors.New("the worker is stopping")
		}
	}
}
