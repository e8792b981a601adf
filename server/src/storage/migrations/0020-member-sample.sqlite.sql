-- usable from: 0019-text-queue
-- SQLite reads the number of matches from its text index.
SELECT 1;
