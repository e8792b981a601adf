-- How many emails were sent in an hour, and how many were withheld because there had been enough. No address stands here.
CREATE TABLE email_budgets (
  site_id uuid NOT NULL REFERENCES sites (id),
  starts_at timestamptz(3) NOT NULL, -- the beginning of the hour
  budget text COLLATE "C" NOT NULL CHECK (budget IN ('mailbox', 'sender', 'sign_up', 'known_browser')),
  subject_hash text COLLATE "C" NOT NULL,
  sent integer NOT NULL,
  withheld integer NOT NULL,
  withheld_at timestamptz(3), -- the last time
  PRIMARY KEY (site_id, starts_at, budget, subject_hash)
);
CREATE INDEX email_budgets_withheld ON email_budgets (site_id, starts_at) WHERE withheld > 0;
