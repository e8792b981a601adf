import { expect, test } from 'vitest';
import { formatPostgresUrl, parsePostgresUrl, sslModeAt } from './postgres-url.ts';

const hosts = (text: string) =>
  parsePostgresUrl(`postgres://${text}/db`)?.hosts.map(({ name, port }) => `${name} ${port}`);

test('a URL has several hosts, each with its own port or the default one', () => {
  expect(hosts('db')).toEqual(['db 5432']);
  expect(hosts('u@db1:1,db2,10.0.0.3:65535')).toEqual(['db1 1', 'db2 5432', '10.0.0.3 65535']);
  expect(hosts('u:p@[::1]:5433,[2001:db8::2]')).toEqual(['::1 5433', '2001:db8::2 5432']);
  expect(hosts('')).toEqual(['localhost 5432']);
});

test('all other parts are decoded', () => {
  expect(
    parsePostgresUrl('postgresql://u%40x:p%40%2F%3a@db/my%20db?sslmode=require&options=-c%20a%3Db'),
  ).toEqual({
    user: 'u@x',
    password: 'p@/:',
    hosts: [{ name: 'db', port: 5432 }],
    database: 'my db',
    sslMode: 'require',
    prepares: true,
    parameters: { options: '-c a=b' },
  });
  expect(parsePostgresUrl('postgres://db')).toMatchObject({ user: undefined, database: undefined });
  expect(parsePostgresUrl('postgres://db/x?prepare=false')).toMatchObject({ prepares: false });
  expect(parsePostgresUrl('postgres://db/x?ssl=true')).toMatchObject({ sslMode: 'verify-full' });
  expect(parsePostgresUrl('postgres://db/x?target_session_attrs=read-write')).toMatchObject({
    parameters: {},
  });
});

test('a password with special characters never becomes a host', () => {
  // The last @ ends the password, as elsewhere.
  expect(parsePostgresUrl('postgres://u:p@ss,word@db/x')).toMatchObject({
    password: 'p@ss,word',
    hosts: [{ name: 'db' }],
  });
  for (const password of ['1/2', '1?2', '1#2', '1/2?3', 'a%b', '1 2'])
    expect(parsePostgresUrl(`postgres://u:${password}@db/x`), password).toBeUndefined();
});

test.each([
  'mysql://db/x',
  'postgres:/db/x',
  'postgres://db:0/x',
  'postgres://db:65536/x',
  'postgres://db:/x',
  'postgres://db1,/x',
  'postgres://,db1/x',
  'postgres://db1,,db2/x',
  'postgres://db_1 ,db2/x',
  'postgres://%2Frun%2Fpostgresql/x',
  'postgres://::1/x',
  'postgres://db/x/y',
  'postgres://db/x#y',
  'postgres://u%00@db/x',
  'postgres://db/x%00user%00root',
  'postgres://db/x?prepare=maybe',
  'postgres://db/x?sslmode=no-verify',
  'postgres://db/x?sslrootcert=/ca.pem',
  'postgres://db/x?target_session_attrs=standby',
  'postgres://db/x?password=secret',
  'postgres://db/x?host=other',
  'postgres://db/x?a=1&a=2',
])('%s is not a URL of a database', (text) => {
  expect(parsePostgresUrl(text)).toBeUndefined();
});

test('connections to other machines are encrypted unless the URL says otherwise', () => {
  const modes = (text: string) => {
    const url = parsePostgresUrl(text)!;
    return url.hosts.map((host) => sslModeAt(url, host));
  };
  expect(modes('postgres:///x')).toEqual(['disable']);
  expect(modes('postgres://localhost,127.0.0.1:5433,[::1],db.localhost,LOCALHOST/x')).toEqual(
    Array(5).fill('disable'),
  );
  const others = 'localhost.example.org,127.example.org,10.0.0.1,[::2],[2001:db8::1],127.1,localhostx';
  expect(modes(`postgres://${others}/x`)).toEqual(Array(7).fill('require'));
  // Of several hosts, each is decided on its own.
  expect(modes('postgres://localhost,db2/x?prepare=false')).toEqual(['disable', 'require']);
  for (const mode of ['disable', 'prefer', 'require', 'verify-full'])
    expect(modes(`postgres://localhost,db2/x?sslmode=${mode}`)).toEqual([mode, mode]);
  const url = parsePostgresUrl('postgres://db/x?sslmode=disable')!;
  expect(formatPostgresUrl(url)).toBe('postgres://db/x?sslmode=disable');
});

test('a URL can be shown without its password', () => {
  const text =
    'postgres://u%40x:secret@db1:5433,[::1]/my%20db?sslmode=require&prepare=false&options=-c%20a%3Db';
  const url = parsePostgresUrl(text)!;
  expect(formatPostgresUrl(url, '***')).toBe(text.replace('secret', '***'));
  expect(formatPostgresUrl(url)).toBe(text.replace(':secret', ''));
  expect(parsePostgresUrl(formatPostgresUrl(url))).toEqual({ ...url, password: undefined });
});
