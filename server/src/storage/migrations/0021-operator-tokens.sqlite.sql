-- usable from: 0019-text-queue
-- A token of the dashboard is a row of the operator tenant, like the session that it depends on. Empty in tokens from
-- before, which no longer work and end within 15 minutes.
ALTER TABLE operator_tokens ADD COLUMN operated_site_id TEXT;
