-- Where a login was asked for, which is where its link leads; null for the site's domain.
ALTER TABLE login_links ADD COLUMN origin TEXT;
