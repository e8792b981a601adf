-- SQLite reads the number of matches from its text index.
SELECT 1;
