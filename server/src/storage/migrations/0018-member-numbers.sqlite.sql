-- Whether the numbers of a site's members are in the order of their ids, so that a search can read the text index in the
-- order of creation. They are not if the clock was set back between two starts.
ALTER TABLE sites ADD COLUMN member_numbers_in_order INTEGER NOT NULL DEFAULT 1 CHECK (member_numbers_in_order IN (0, 1));

UPDATE sites SET member_numbers_in_order = 0 WHERE id IN (
  SELECT site_id FROM (
    SELECT site_id, number, lag(number) OVER (PARTITION BY site_id ORDER BY id) AS previous FROM members
  ) WHERE previous > number
);

CREATE TRIGGER members_number AFTER INSERT ON members
  WHEN EXISTS (SELECT 1 FROM members WHERE site_id = NEW.site_id AND id > NEW.id)
BEGIN
  UPDATE sites SET member_numbers_in_order = 0 WHERE id = NEW.site_id;
END;
