import { describe, expect, test } from 'vitest';
import { readOnShards } from './shard-rule.ts';

const setFunctions = new Set(['unnest', 'generate_series', 'json_each']);

describe('a statement stays on the shard of one site', () => {
  test.each<[string, number[]]>([
    ['SELECT id FROM members WHERE site_id = $1 AND id = $2', [1]],
    ['SELECT id FROM members WHERE site_id = $1::uuid', [1]],
    ['SELECT count(*) FROM members m WHERE m.paid AND (m.site_id = $2 AND m.verified)', [2]],
    [
      'SELECT 1 FROM sessions s JOIN members m ON m.site_id = $1 AND m.id = s.member_id WHERE s.site_id = $2',
      [2, 1],
    ],
    [
      'SELECT 1 FROM members m LEFT JOIN memberships s ON s.site_id = $2 AND s.member_id = m.id WHERE m.site_id = $1',
      [1, 2],
    ],
    ['SELECT (SELECT count(*) FROM events WHERE site_id = $2) FROM members WHERE site_id = $1', [1, 2]],
    ['WITH due AS (SELECT id FROM emails WHERE site_id = $1) SELECT id FROM due', [1]],
    [
      'UPDATE emails SET attempts = 1 WHERE site_id = $1 AND id IN (WITH due AS (SELECT id FROM emails WHERE site_id = $2) SELECT id FROM due)',
      [1, 2],
    ],
    ['UPDATE emails e SET attempts = 1 FROM members m WHERE e.site_id = $1 AND m.site_id = $2', [1, 2]],
    [
      'DELETE FROM emails e USING members m WHERE e.site_id = $1 AND m.site_id = $2 AND m.id = e.member_id',
      [1, 2],
    ],
    ['SELECT 1 FROM operator_roles r JOIN members m ON m.site_id = $1 AND m.id = r.operator_id', [1]],
    ['SELECT 1 FROM members WHERE site_id = $1 UNION ALL SELECT 1 FROM members WHERE site_id = $2', [1, 2]],
    [
      'INSERT INTO members (site_id, id) VALUES ($1, $2), ($3, $4) ON CONFLICT (site_id, id) DO NOTHING',
      [1, 3],
    ],
    ['SELECT site_id FROM api_keys WHERE hash = $1', []],
    ['SELECT expires_at FROM job_leases WHERE job = $1', []],
  ])('%s', (text, siteParameters) => {
    expect(readOnShards(text, setFunctions)).toMatchObject({ problems: [], siteParameters });
  });
});

describe('a statement that can run on several shards, or on none, is detected', () => {
  test.each([
    'SELECT id FROM members WHERE id = $1',
    'SELECT id FROM members WHERE site_id = $1 OR id = $2',
    'SELECT id FROM members WHERE NOT site_id = $1',
    'SELECT id FROM members WHERE site_id <> $1',
    'SELECT id FROM members WHERE site_id IN ($1, $2)',
    "SELECT id FROM members WHERE site_id = 'a'",
    'SELECT 1 FROM memberships m JOIN members p ON p.site_id = m.site_id AND p.id = m.member_id WHERE m.site_id = $1',
    'SELECT 1 FROM memberships m CROSS JOIN members p WHERE p.id = m.member_id AND site_id = $1',
    'SELECT 1 FROM members m LEFT JOIN memberships s ON m.site_id = $1 AND s.site_id = $1',
    'SELECT 1 FROM members m FULL JOIN memberships s ON s.site_id = $1 WHERE m.site_id = $1',
    'SELECT (SELECT count(*) FROM memberships m WHERE m.site_id = g.site_id) FROM access_groups g WHERE g.site_id = $1',
    'SELECT 1 FROM members WHERE site_id = $1 AND EXISTS (SELECT 1 FROM emails e WHERE e.member_id = members.id)',
    'SELECT 1 FROM members WHERE site_id = $1 ORDER BY (SELECT count(*) FROM events)',
    'SELECT 1 FROM members WHERE site_id = $1 UNION ALL SELECT 1 FROM members WHERE id = $2',
    'SELECT 1 FROM (SELECT id FROM members) m',
    'WITH found AS (SELECT id FROM members) SELECT id FROM found',
    'SELECT id FROM sites WHERE id = $1 FOR NO KEY UPDATE',
    'SELECT m.id FROM members m JOIN api_keys k ON k.site_id = $1 WHERE m.site_id = $1 FOR UPDATE OF m',
    'WITH members AS (SELECT id FROM emails WHERE site_id = $1) SELECT id FROM members m JOIN emails e ON e.id = m.id',
    'WITH gone AS (DELETE FROM emails RETURNING id) SELECT id FROM gone',
    'UPDATE members SET paid = true WHERE id = $1',
    'UPDATE members SET site_id = $1 WHERE site_id = $2',
    'UPDATE emails e SET attempts = 1 FROM members m WHERE e.site_id = $1 AND m.id = e.member_id',
    'UPDATE members SET paid = (SELECT true FROM events LIMIT 1) WHERE site_id = $1',
    'DELETE FROM emails e USING members m WHERE e.site_id = $1 AND m.site_id = e.site_id',
    'DELETE FROM members WHERE site_id = $1 AND id IN (SELECT id FROM members LIMIT 1)',
    'INSERT INTO members (id, site_id) VALUES ($1, $2)',
    'INSERT INTO members (site_id, id) VALUES ($1, $2), (gen_random_uuid(), $3)',
    'INSERT INTO members (site_id, id) SELECT $1, id FROM emails WHERE site_id = $1',
    'INSERT INTO members (site_id, id) SELECT $1, unnest($2::uuid[])',
    'INSERT INTO members (site_id, id) VALUES ($1, $2) ON CONFLICT (site_id, id) DO UPDATE SET site_id = excluded.site_id',
    'INSERT INTO events (site_id, data) VALUES ($1, (SELECT data FROM emails LIMIT 1))',
    'INSERT INTO events (site_id, position) VALUES ($1, generate_series(1, 2))',
    'SELECT unnest($1::text[])',
    'SELECT 1 FROM members WHERE site_id = $1 AND id IN (SELECT unnest($2::uuid[]))',
    'SELECT 1 FROM members m JOIN unnest($2::uuid[]) AS id ON m.id = id WHERE m.site_id = $1',
    'SELECT 1 FROM members m JOIN job_leases l ON true WHERE m.site_id = $1',
    'UPDATE members SET paid = CASE id WHEN $1 THEN true END WHERE site_id = $2',
    'TRUNCATE members',
    'LOCK TABLE members',
  ])('%s', (text) => {
    expect(readOnShards(text, setFunctions).problems).not.toEqual([]);
  });
});

test('the tables that a statement writes are found, also in a CTE', () => {
  const written = (text: string) => readOnShards(text, setFunctions).written;
  expect(written('SELECT id FROM sites')).toEqual([]);
  expect(written('UPDATE sites SET title = $1 WHERE id = $2')).toEqual(['sites']);
  expect(written('WITH gone AS (DELETE FROM api_keys RETURNING id) SELECT id FROM gone')).toEqual([
    'api_keys',
  ]);
});
