-- The search texts that a transaction has added, until its commit: the text index then takes them all at once. Taken one
-- by one by a trigger, each would be written as a piece of the index of its own, which takes four times as long.
CREATE TABLE members_text_queue (
  key INTEGER PRIMARY KEY, -- as in members_text
  search_text TEXT NOT NULL
) STRICT;

DROP TRIGGER members_text_insert;
DROP TRIGGER members_text_delete;
DROP TRIGGER members_text_update;
CREATE TRIGGER members_text_insert AFTER INSERT ON members BEGIN
  INSERT INTO members_text_queue (key, search_text)
  VALUES (((SELECT number FROM sites WHERE id = NEW.site_id) << 40) | NEW.number, NEW.search_text);
END;
CREATE TRIGGER members_text_delete AFTER DELETE ON members BEGIN
  DELETE FROM members_text_queue WHERE key = ((SELECT number FROM sites WHERE id = OLD.site_id) << 40) | OLD.number;
  DELETE FROM members_text WHERE rowid = ((SELECT number FROM sites WHERE id = OLD.site_id) << 40) | OLD.number;
END;
CREATE TRIGGER members_text_update AFTER UPDATE OF search_text ON members WHEN NEW.search_text <> OLD.search_text BEGIN
  DELETE FROM members_text WHERE rowid = ((SELECT number FROM sites WHERE id = NEW.site_id) << 40) | NEW.number;
  INSERT INTO members_text_queue (key, search_text)
  VALUES (((SELECT number FROM sites WHERE id = NEW.site_id) << 40) | NEW.number, NEW.search_text)
  ON CONFLICT (key) DO UPDATE SET search_text = excluded.search_text;
END;
