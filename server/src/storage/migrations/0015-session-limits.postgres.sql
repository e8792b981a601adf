-- How many sessions a member may have at the same time. A group may have a limit of its own.
ALTER TABLE sites ADD COLUMN max_sessions integer NOT NULL DEFAULT 50;
ALTER TABLE access_groups ADD COLUMN max_sessions integer;

ALTER TABLE emails DROP CONSTRAINT emails_kind_check;
ALTER TABLE emails ADD CONSTRAINT emails_kind_check CHECK (kind IN ('login_link', 'invitation', 'session_limit'));
