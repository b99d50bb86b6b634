package activities

import (
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

// readWatched reads once. An absence is called gone here, unless it is clear already what it is.
func (l *looking) readWatched(ctx context.Context, w ledger.Watched) (ledger.Sighting, error) {
	s := ledger.Sighting{Watched: w}
	content, err := l.TabNews.Content(ctx, w.Identity.Reference())
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
		compareWatched(&s, l.Account, content)
	}
	return s, nil
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
	known := w.Seen == publication.SeenHidden || w.Seen == publication.SeenDeleted
	switch {
	case known && s.Saw == publication.SeenGone:
		s.Saw = w.Seen
		return s, nil
	case s.Because != "" && s.Saw == publication.SeenGone:
		return s, nil // the user is gone: no slug of his can be asked for
	}
	if renamed, err := l.findRenamed(ctx, w); err != nil || renamed != nil {
		if renamed != nil {
			s = *renamed
		}
		return s, err
	}
	switch {
	case s.Saw == publication.SeenDeleted:
		return s, nil
	case w.HiddenAt != nil:
		s.Saw, s.Because = publication.SeenHidden, fmt.Sprintf("the lane met the firewall at %s, which hides what was created in the ten minutes before", w.HiddenAt.UTC().Format("15:04:05Z"))
		return s, nil
	case !l.Drift.Probe || w.Probed:
		return s, nil
	}
	return l.probed(ctx, w, s)
}

// Bounds of the search for a content under another slug.
const (
	renamedPages   = 3
	renamedPerPage = 100
)

// findRenamed looks for the content in the account's listing, which shows it under its new slug if somebody changed
// that; the old slug is then as free as after a deletion.
func (l *looking) findRenamed(ctx context.Context, w ledger.Watched) (*ledger.Sighting, error) {
	for page := 1; page <= renamedPages; page++ {
		listed, err := l.TabNews.UserContents(ctx, w.Identity.OwnerUsername, page, renamedPerPage)
		if err != nil {
			return nil, err
		}
		for _, item := range listed {
			if item.ID != w.Content {
				continue
			}
			content, err := l.TabNews.Content(ctx, item.Reference())
			if err != nil || content.ID != w.Content {
				return nil, errors.Join(err, errMoving)
			}
			s := ledger.Sighting{Watched: w, Because: "it was renamed to " + item.Reference().String()}
			compareWatched(&s, l.Account, content)
			return &s, nil
		}
		if len(listed) < renamedPerPage {
			break
		}
		l.pause(ctx)
	}
	return nil, nil
}

// probePatience is how long a look waits for the probe's turn in the lane.
const probePatience = 15 * time.Second

// probed asks whether the slug is taken, through the lane like a comment, once for each disappearance. Without an
// answer it stays gone.
func (l *looking) probed(ctx context.Context, w ledger.Watched, s ledger.Sighting) (ledger.Sighting, error) {
	if _, err := l.TabNews.CheckSession(ctx); err != nil {
		s.Because = "its slug could not be asked for: " + publication.Clip(err.Error(), 200)
		return s, nil
	}
	slot, err := l.takeProbeSlot(ctx, w)
	if err != nil || !slot.Taken {
		return s, err
	}
	probe := l.TabNews.ProbeSlug(context.WithoutCancel(ctx), w.Identity.Slug, wallClock().Add(api.SlugProbeTimeout))
	switch {
	case probe.Answered && probe.Taken:
		s.Saw, s.Because = publication.SeenHidden, "TabNews says that its slug is taken, and does not show it"
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

// takeProbeSlot waits for the probe's turn. A lane that is busy for longer than patience tells nothing yet: the content
// is gone for now, and asked for at a later look.
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
