-- Only SQLite has a text index of its own.
SELECT 1;
