-- usable from: 0022-setup-tokens
-- The request of a program or an operator that created a member. The requests of an import share one id, so that its
-- members can be listed for as long as they exist; events are purged earlier.
ALTER TABLE members ADD COLUMN created_by_request TEXT;
CREATE INDEX members_by_request ON members (site_id, created_by_request, id) WHERE created_by_request IS NOT NULL;
