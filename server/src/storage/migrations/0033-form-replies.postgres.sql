-- usable from: 0022-setup-tokens
-- What a browser got for a form that works once, such as that of a login link, for the case that it sends the form twice.
CREATE TABLE form_replies (
  site_id uuid NOT NULL,
  form_hash text COLLATE "C" NOT NULL,
  session_id uuid NOT NULL,
  reply text NOT NULL, -- encrypted with a key that only the browser has
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, form_hash),
  FOREIGN KEY (site_id, session_id) REFERENCES sessions (site_id, id) ON DELETE CASCADE
);
CREATE INDEX form_replies_session ON form_replies (site_id, session_id);
CREATE INDEX form_replies_by_age ON form_replies (created_at);
