-- usable from: 0019-text-queue
-- step: concurrently
-- One in 64 members of each site, in the order of the random part of their ids: a sample, by which a search estimates how
-- many members have a text, however they are distributed.
CREATE INDEX CONCURRENTLY members_sample ON members (site_id, right(id::text, 12) COLLATE "C") INCLUDE (id, search_text)
  WHERE right(id::text, 12) COLLATE "C" < '04';

-- step: transaction
-- By its statistics the planner would take a site that has just been filled for an empty one, and read all its members. So
-- it expects the same share of the table for each site.
ALTER TABLE members ALTER COLUMN site_id SET STATISTICS 0;
