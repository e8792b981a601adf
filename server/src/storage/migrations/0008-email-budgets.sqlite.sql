-- How many emails were sent in an hour, and how many were withheld because there had been enough. No address stands here.
CREATE TABLE email_budgets (
  site_id TEXT NOT NULL REFERENCES sites (id),
  starts_at TEXT NOT NULL, -- the beginning of the hour
  budget TEXT NOT NULL CHECK (budget IN ('mailbox', 'sender', 'sign_up', 'known_browser')),
  subject_hash TEXT NOT NULL,
  sent INTEGER NOT NULL,
  withheld INTEGER NOT NULL,
  withheld_at TEXT, -- the last time
  PRIMARY KEY (site_id, starts_at, budget, subject_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX email_budgets_withheld ON email_budgets (site_id, starts_at) WHERE withheld > 0;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('email_budgets', 'email_budgets', '10000 1000 500 200 1'),
  ('email_budgets', 'email_budgets_withheld', '100 20 10');
