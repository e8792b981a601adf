-- Only SQLite has numbers of members.
SELECT 1;
