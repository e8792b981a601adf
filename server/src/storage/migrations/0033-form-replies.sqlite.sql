-- usable from: 0022-setup-tokens
-- What a browser got for a form that works once, such as that of a login link, for the case that it sends the form twice.
CREATE TABLE form_replies (
  site_id TEXT NOT NULL,
  form_hash TEXT NOT NULL,
  session_id TEXT NOT NULL,
  reply TEXT NOT NULL, -- encrypted with a key that only the browser has
  created_at TEXT NOT NULL,
  PRIMARY KEY (site_id, form_hash),
  FOREIGN KEY (site_id, session_id) REFERENCES sessions (site_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX form_replies_session ON form_replies (site_id, session_id);
CREATE INDEX form_replies_by_age ON form_replies (created_at);

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('form_replies', 'form_replies', '1000 100 1'),
  ('form_replies', 'form_replies_session', '1000 100 1'),
  ('form_replies', 'form_replies_by_age', '1000 10');
