"""One file a revision, numbered from 1; a revision that has been released is never changed, only followed."""
