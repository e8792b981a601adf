import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gatehouse, temporaryFile, temporaryFolder } from '../../test/command-line.ts';
import { startProcess } from '../../test/faults/gatehouse-process.ts';
import { startListServer } from '../../test/list-server.ts';

// The other tests run commands in their own process. Here each command runs as a separate program, as users start it.

test('each command works as a separate program', { timeout: 180_000 }, async () => {
  const list = await startListServer('Email\ngrace@example.com\n');
  onTestFinished(() => list.stop());
  const folder = temporaryFolder();
  const databaseUrl = `sqlite:${path.join(folder, 'gatehouse.db')}`;
  const run = async (command: string, env: Record<string, string> = {}, ownProcess = true) => {
    const settings = { GATEHOUSE_DATABASE_URL: databaseUrl, ...env };
    const args = [...command.split(' '), '--json'];
    const result = await gatehouse(args, { ownProcess, cwd: folder, env: settings });
    expect(result, command).toMatchObject({ exitCode: 0, stderr: '' });
    return result;
  };

  expect((await run('secret-key')).json.secretKey).toMatch(/^[\w-]{43}$/);
  expect((await run('completions zsh')).json.script).toContain('#compdef gatehouse');
  expect((await run('migrate')).json.applied).toContain('0001-schema');
  expect((await run('site create --slug club')).json).toMatchObject({ slug: 'club' });
  const { key, id } = (await run('key create --name Shop')).json;
  expect((await run('key list')).json).toMatchObject([{ id }]);
  expect((await run('setup-link')).json.setupUrl).toContain('/dashboard/setup/');
  const signingKey = (await run('signing-key rotate')).json.id;
  expect((await run('signing-key list')).json).toMatchObject([{ id: signingKey }]);
  expect((await run('operator invite olga@example.com --role owner')).json).toMatchObject({ role: 'owner' });
  expect((await run('operator remove-passkeys olga@example.com')).json).toMatchObject({ removed: 0 });

  const { address, child, exited } = await startProcess(databaseUrl, {
    GATEHOUSE_ALLOWED_NETWORKS: '127.0.0.0/8',
  });
  const service = { GATEHOUSE_URL: address, GATEHOUSE_KEY: key };
  const people = temporaryFile('people.csv', 'email\nada@example.com\n');
  await run(`member import ${people}`, service);
  expect((await run('member list', service)).json).toMatchObject({ email: 'ada@example.com' });
  expect((await run('member export --file out.csv', service)).json).toMatchObject({ members: 1 });
  const keyFor = async (name: string, permissions: string) =>
    (await run(`key create --name ${name} --permissions ${permissions}`, {}, false)).json.key;
  const issuing = await keyFor('Tokens', 'members:read,members:block,login-links:write');
  const withTokens = { ...service, GATEHOUSE_KEY: issuing };
  const token = await run('member token create ada@example.com --name Reader', withTokens);
  expect(token.json.secret).toMatch(/^gmt_[\w-]{43}$/);
  expect((await run('member token list ada@example.com', withTokens)).json).toMatchObject([
    { name: 'Reader' },
  ]);
  expect((await run('member token delete ada@example.com Reader', withTokens)).json).toMatchObject({
    id: token.json.id,
  });
  const sourceKey = await keyFor('Sources', 'sources:read,sources:write');
  const withSources = { ...service, GATEHOUSE_KEY: sourceKey };
  const secretFile = temporaryFile('address.txt', `${list.address}\n`);
  const create = `source create Club --type list --secret-file ${secretFile}`;
  expect((await run(create, withSources)).json).toMatchObject({ type: 'list' });
  expect((await run('source collections Club', withSources)).json).toMatchObject({ complete: true });
  expect((await run('source preview Club', withSources)).json).toMatchObject({ guess: { email: 'Email' } });
  await run('source choose Club', withSources);
  expect((await run('source update Club --grace-days 0', withSources)).json).toMatchObject({ graceDays: 0 });
  expect((await run('source sync Club', withSources)).json).toMatchObject({ counts: { added: 1 } });
  await run('source remove Club list', withSources);
  expect((await run('source runs Club', withSources)).json).toHaveLength(1);
  expect((await run('source list', withSources)).json).toMatchObject([{ name: 'Club' }]);
  await run('source delete Club', withSources);
  expect((await run(`scope sync --collection Team ${people}`)).json).toMatchObject({
    counts: { added: 1 },
  });
  expect((await run('doctor', { GATEHOUSE_PUBLIC_URL: address })).json).toMatchObject({ ok: true });
  expect((await run('backup copy.db')).json).toMatchObject({ file: path.join(folder, 'copy.db') });

  child.kill('SIGTERM');
  expect(await exited).toBe(0);
  const file = databaseUrl.slice('sqlite:'.length);
  expect((await run('restore copy.db')).json).toMatchObject({ file });
  const keyOfFile = { GATEHOUSE_SECRET_KEY_FILE: `${file}.key` };
  expect((await run('copy --to sqlite:moved.db', keyOfFile)).json).toMatchObject({
    rows: expect.any(Number),
  });
  expect((await run('copy --reopen --force')).json).toMatchObject({ reopened: databaseUrl });
});

test('a program that fails sets its exit code and writes only to the standard error', async () => {
  const ownProcess = { ownProcess: true };
  const usage = await gatehouse(['key', 'create', '--json'], ownProcess);
  expect(usage).toMatchObject({ exitCode: 2, stdout: '', json: { error: { code: 'wrong_usage' } } });
  const failed = await gatehouse(['backup', 'copy.db'], ownProcess);
  expect(failed).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringMatching(/^gatehouse: .+\n$/),
  });
  const unhealthy = await gatehouse(['doctor', '--json'], {
    ...ownProcess,
    env: { GATEHOUSE_DATABASE_URL: `sqlite:${temporaryFile('junk.db', 'junk'.repeat(2_000))}` },
  });
  expect(unhealthy).toMatchObject({ exitCode: 1, stderr: '', json: { ok: false } });
});
