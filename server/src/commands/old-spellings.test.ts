import { afterAll, beforeAll, expect, test } from 'vitest';
import { gatehouse, temporaryFile } from '../../test/command-line.ts';
import { type ListServer, startListServer } from '../../test/list-server.ts';
import { forOneStore } from '../../test/stores.ts';
import { useNotion } from '../../test/use-notion.ts';
import { createProgram } from './main.ts';

/** A command as it was spelled; the keys of its JSON, or the exit code and the error; and what else its JSON says. */
type Row = readonly [command: string, result: string, json?: object];

const site =
  'allowsAccessRequests allowsPasskeys color createdAt domain hosts id identityHeaders languages links logoUrl maxSessions membersCreateTokens scheme ' +
  'showsSetUpSteps signUp slug status timeZone title';
const newKey = 'createdAt expiresAt id key last4 name permissions rateLimit site';
const rotatedKey = 'createdAt expiresAt id key last4 name permissions rateLimit replaces site';
const signingKey = 'createdAt id publishedUntil signsFrom';
const operator = 'createdAt displayName email id lastLoginAt passkeys role status';
const member =
  'createdAt displayName email id lastLoginAt lastSeenAt paid registeredAt status updatedAt verified';
const token = 'createdAt expiresAt id lastUsedAt memberId name pathPrefix';
const imported =
  'changes conflicts created createdGroups dryRun encoding failed failedFile failures groupsChanged invalid leftOut ' +
  'merged reading requestId resultFile rows unchanged updated warnings';
const source =
  'collections createdAt enabled graceDays host id intervalMinutes maxRemovedPeople maxRemovedPercent name onLeave type ' +
  'updatedAt';
const run =
  'collections counts createdAt dryRun dueAt endedAt error groupsToDelete id sourceId startedAt status trigger';
const someId = '00000000-0000-4000-8000-000000000000';

/** On the database. Words that begin with $ are those of the test. Each changes what the later ones find. */
const onDatabase: readonly Row[] = [
  ['site create --slug choir --title Choir --domain choir.example --time-zone Europe/Rome', site],
  ['site list', site, { slug: 'choir', title: 'Choir', domain: 'choir.example', timeZone: 'Europe/Rome' }],
  ['site update $site --title Club --domain club.example --scheme http', site, { scheme: 'http' }],
  ['site update $site --host a.example b.example', site, { hosts: [{}, {}, {}] }],
  ['site update $site --redirect c.example', site, { hosts: [{}, {}, {}, { redirect: true }] }],
  ['site update $site --no-host --max-sessions 3', site, { hosts: [{}], maxSessions: 3 }],
  ['site update $site --languages de,en --time-zone Europe/Rome', site, { languages: ['de', 'en'] }],
  [
    'site update $site --sign-up allowed_domains --sign-up-domain a.example b.example',
    site,
    { signUp: { policy: 'allowed_domains', domains: [{ domain: 'a.example' }, { domain: 'b.example' }] } },
  ],
  [
    'site update $site --header user=X-User email= --header-encoding utf8',
    site,
    { identityHeaders: { user: 'x-user', email: null, encoding: 'utf8' } },
  ],
  [
    'site update $site --logo $logo.png --members-create-tokens',
    site,
    { logoUrl: expect.any(String), membersCreateTokens: true },
  ],
  [
    'site update $site --no-logo --no-members-create-tokens --color #0f766e',
    site,
    { logoUrl: null, membersCreateTokens: false, color: '#0f766e' },
  ],
  ['site update $site --no-color --no-domain', site, { color: null, domain: null }],
  ['site update $site --colour=#ff0000', site, { color: '#ff0000' }],
  ['site update $site --no-colour', site, { color: null }],

  [
    'key create --site $site --name Shop --permissions site:read,members:read --rate-limit 7 --expires-in 90d',
    newKey,
    { permissions: ['site:read', 'members:read'], rateLimit: 7, expiresAt: expect.any(String) },
  ],
  [
    'key create --site $site --name Shop --expires-at 2090-01-31',
    newKey,
    { expiresAt: '2090-01-31T23:00:00.000Z' },
  ],
  ['key create --site $site --name Shop --expires-in 1d --expires-at 2090-01-31', '2 wrong_usage'],
  [
    'key list --site $site',
    'createdAt expiresAt id last4 lastUsedAt name permissions rateLimit replacedBy revokedAt siteId status',
    { name: 'Shop', status: 'active' },
  ],
  ['key rotate $first --site $site', rotatedKey, { replaces: { expiresAt: expect.any(String) } }],
  ['key rotate $second --site $site --overlap 2d', rotatedKey],
  ['key rotate $third --site $site --overlap=0', rotatedKey],
  ['key rotate $fourth --site $site --overlap 30m', '2 wrong_usage'],
  ['key rotate $fourth --site $site --overlap 24', '2 wrong_usage'],
  ['key rotate $fourth --site $site --overlap 120m', rotatedKey],
  ['key revoke $fourth --site $site', 'id last4 revokedAt', { revokedAt: expect.any(String) }],
  ['key rotate none --site $site', '1 key_not_found'],

  ['signing-key rotate --site $site', signingKey],
  ['signing-key rotate --site $site --revoke-old', signingKey],
  ['signing-key list --site $site', signingKey],

  [
    'operator invite ada@example.com --site $site --role owner --name Ada',
    'createdAt displayName email endedSetupLink id lastLoginAt passkeys role status',
    { displayName: 'Ada', role: 'owner', endedSetupLink: expect.any(Boolean) },
  ],
  [
    'operator invite --role=admin --site $site -- bob@example.com',
    'createdAt displayName email endedSetupLink id lastLoginAt passkeys role status',
    { email: 'bob@example.com', role: 'admin' },
  ],
  ['operator list --site $site', operator],
  ['operator remove-passkeys bob@example.com --site $site', 'email removed', { removed: 0 }],
  ['operator remove bob@example.com --site $site', operator, { email: 'bob@example.com' }],
  ['operator remove bob@example.com --site $site', '1 operator_not_found'],

  ['scope sync $people.csv --site $site', '2 wrong_usage'],
  [
    'scope sync $people.csv --site $site --collection Team --map email=Contact --dry-run',
    run,
    { dryRun: true, counts: { added: 3 } },
  ],
  ['scope sync --collection=Team --map=email=Contact --site $site $people.csv', run, { dryRun: false }],
  ['scope sync $nobody.csv --site $site --collection Team --map email=Contact', '1 too_many_removals'],
  [
    'scope sync $nobody.csv --site $site --collection Team --map email=Contact --confirm',
    run,
    { counts: { removed: 3 } },
  ],
];

/** With a service. */
const withService: readonly Row[] = [
  [
    'member import $list.csv --dry-run --yes --update --groups Rowing --create-groups --failed failed.csv --result result.csv ' +
      '--map displayName=Who --map paid=Pays --map status=State --group-column Choir --group-separator ; ' +
      '--date-order day-first --status gone=left-out --status here=active --export-of none --paid-value x ' +
      '--encoding utf-8 --raw',
    imported,
    { dryRun: true, rows: 2, created: 1, updated: 1 },
  ],
  ['member import $list.csv --yes --map displayName=Who --map paid= --map status=', imported, { created: 1 }],
  [
    'member export --q ada --email ada@example.com --status active --paid false --verified false ' +
      `--created-by-request ${someId} --file members.csv --force --raw`,
    'file members',
    { members: 0 },
  ],
  [
    'member list --q b --email bob@example.com --status active --paid false --verified false --sort email --order asc --limit 1',
    member,
    { email: 'bob@example.com' },
  ],
  [`member list --created-by-request ${someId}`, ''],
  [
    'member token create ada@example.com --name App --path-prefix /podcast --expires-in 90d',
    `${token} secret`,
    { name: 'App', pathPrefix: '/podcast' },
  ],
  [
    'member token create ada@example.com --name Old --path /old --expires-at 2090-01-31',
    `${token} secret`,
    { pathPrefix: '/old', expiresAt: '2090-01-31T23:00:00.000Z' },
  ],
  ['member token list ada@example.com', token],
  ['member token delete ada@example.com App', 'id memberId name', { name: 'App' }],
  ['member token delete ada@example.com App', '1 access_token_not_found'],

  ['source create Uploads --kind program', source, { name: 'Uploads', type: 'program' }],
  ['source create --type=list --address $listUrl Members', source, { name: 'Members', type: 'list' }],
  ['source create Team --type notion --secret-file $token.txt', source, { type: 'notion' }],
  ['source list', source],
  ['source collections Members', 'collections complete'],
  ['source preview Members', 'columns export guess questions rows'],
  ['source preview Members list', 'columns export guess questions rows'],
  [
    'source choose Members --email E-Mail --name Who --first-name First --last-name Last --paid Pays --paid-value x ' +
      '--paid-value yes --groups Groups --groups-end-at End --status-column State --further-groups Tier ' +
      '--group-column Choir --group-separator , --date-order day-first --status gone=left-out --status here=active ' +
      '--export-of none',
    source,
    { collections: [{ columns: { paidValues: ['x', 'yes'], groupsEndAt: 'End', groupSeparator: ',' } }] },
  ],
  [
    'source choose Members list --no-name --no-first-name --no-last-name --no-paid --no-groups --no-groups-end-at --no-status-column',
    source,
    { collections: [{ columns: { displayName: null, lastName: null, paid: null, groups: null } }] },
  ],
  ['source choose Members --ends End', source, { collections: [{ columns: { groupsEndAt: 'End' } }] }],
  [
    'source choose Members --no-ends',
    source,
    { collections: [{ columns: expect.not.objectContaining({ groupsEndAt: 'End' }) }] },
  ],
  ['source sync Members --dry-run', run, { status: 'succeeded', dryRun: true }],
  ['source sync Members', run, { status: 'succeeded', dryRun: false }],
  ['source sync Members --confirm', run, { status: 'succeeded' }],
  ['source runs Members', run],
  ['source runs Members --limit 1', run, { dryRun: false }],
  [
    'source update Members --name People --address $listUrl --interval-minutes 30 --max-removed-people 5 ' +
      '--max-removed-percent 10 --grace-days 3 --on-leave block',
    source,
    {
      name: 'People',
      intervalMinutes: 30,
      maxRemovedPeople: 5,
      maxRemovedPercent: 10,
      graceDays: 3,
      onLeave: 'block',
    },
  ],
  [
    'source update People --secret-file $listUrl.txt --interval 60 --leavers keep',
    source,
    { intervalMinutes: 60, onLeave: 'keep' },
  ],
  ['source update People --enable', source, { enabled: true }],
  ['source update People --disable', source, { enabled: false }],
  ['source update People --enable --disable', '2 wrong_usage'],
  ['source update People', '2 wrong_usage'],
  ['source remove People Members', source, { collections: [{ chosen: false }] }],
  [
    'source webhook Team',
    'address awaitedUntil status verificationToken',
    { awaitedUntil: expect.any(String) },
  ],
  ['source webhook Team --reset', 'address awaitedUntil status verificationToken', { status: 'none' }],
  ['source delete People --groups delete', '1 confirmation_required'],
  ['source delete People --groups delete --confirm', 'groups id name', { name: 'People', groups: 'delete' }],
  ['source delete Uploads', 'groups id name', { groups: 'keep' }],
];

/** Every command of that time with its options, apart from --json, --site, and --url and --key. */
const oldOptions: Readonly<Record<string, string>> = {
  serve: '--host --port --folder --upstream --site-host --site-port --workers --sample',
  'site create': '--slug --title --domain --time-zone',
  'site list': '',
  'site update':
    '--title --domain --no-domain --scheme --host --redirect --no-host --languages --time-zone --max-sessions --sign-up ' +
    '--sign-up-domain --color --no-color --header-encoding --header --logo --no-logo --members-create-tokens ' +
    '--no-members-create-tokens --colour --no-colour',
  'key create': '--name --permissions --expires-in --expires-at --rate-limit',
  'key list': '',
  'key rotate': '--overlap',
  'key revoke': '',
  'signing-key list': '',
  'signing-key rotate': '--revoke-old',
  'events tail': '--type --after',
  'operator invite': '--role --name',
  'operator list': '',
  'operator remove': '',
  'operator remove-passkeys': '',
  'member import':
    '--dry-run --yes --update --groups --create-groups --failed --result --map --group-column --group-separator ' +
    '--date-order --status --export-of --paid-value --encoding --raw',
  'member export': '--q --email --status --paid --verified --created-by-request --file --force --raw',
  'member list': '--q --email --status --paid --verified --created-by-request --sort --order --limit',
  'member token create': '--name --path-prefix --path --expires-in --expires-at',
  'member token list': '',
  'member token delete': '',
  'source list': '',
  'source create': '--type --kind --address --secret-file',
  'source collections': '',
  'source preview': '',
  'source choose':
    '--email --name --no-name --first-name --no-first-name --last-name --no-last-name --paid --no-paid --paid-value ' +
    '--groups --no-groups --groups-end-at --no-groups-end-at --status-column --no-status-column --ends --no-ends ' +
    '--further-groups --group-column --group-separator --date-order --status --export-of',
  'source remove': '',
  'source update':
    '--address --secret-file --name --enable --disable --interval-minutes --max-removed-people --max-removed-percent ' +
    '--grace-days --on-leave --interval --leavers',
  'source sync': '--dry-run --confirm',
  'source runs': '--limit',
  'source webhook': '--reset',
  'source delete': '--groups --confirm',
  'scope sync': '--collection --map --dry-run --confirm',
  'setup-link': '',
  'secret-key': '',
  migrate: '--plan --citus',
  doctor: '--test-email --site',
  backup: '--force --schedule --keep',
  restore: '--force',
};

/** Commands that are spelled as before, and that other tests run. */
const unchanged = [
  'serve',
  'events tail',
  'setup-link',
  'secret-key',
  'migrate',
  'doctor',
  'backup',
  'restore',
];

test.each(Object.entries(oldOptions))('every option of %s is still there', async (command, options) => {
  const known = unchanged.includes(command) ? await optionsNow(command) : optionsOfRows(command);
  expect(options.split(' ').filter((option) => option !== '' && !known.includes(option))).toEqual([]);
});

async function optionsNow(name: string): Promise<string[]> {
  const [noun = '', verb] = name.split(' ');
  const found = (await createProgram(name.split(' '))).commands.find((each) => each.name() === noun)!;
  const command = verb === undefined ? found : found.commands.find((each) => each.name() === verb)!;
  return command.options.map(({ long }) => long!);
}

function optionsOfRows(command: string): string[] {
  const rows = [...onDatabase, ...withService].filter(([row]) => `${row} `.startsWith(`${command} `));
  expect(rows).not.toEqual([]);
  return rows.flatMap(([row]) => row.match(/--[\w-]+/g) ?? []);
}

forOneStore((store) => {
  const { server, notion } = useNotion(store);
  const words = new Map<string, string>();
  const connection: string[] = [];
  let list: ListServer;

  beforeAll(async () => {
    const made = await server.createSite();
    list = await startListServer(
      'E-Mail;Who;First;Last;Pays;Groups;End;State;Tier;Choir\nada@example.com;Ada;A;L;x;Rowing;31.12.2090;here;Gold;x\n',
    );
    connection.push('--url', server.address, '--key', made.key);
    words.set('site', (await made.get('/site')).body.data.slug).set('listUrl', list.address);
    for (const name of ['first', 'second', 'third', 'fourth'])
      words.set(name, (await made.post('/api-keys', { name })).body.data.last4);
    await made.post('/members', { email: 'ada@example.com', displayName: 'Ada' });
  });
  afterAll(() => list.stop());

  const contents = (): Readonly<Record<string, string | Buffer>> => ({
    'logo.png': Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1'),
    'people.csv': 'Contact\na@example.com\nb@example.com\nc@example.com\n',
    'nobody.csv': 'Contact\n',
    'list.csv': 'E-Mail;Who;Pays;State;Choir\nada@example.com;Ada;x;here;x\nbob@example.com;Bob;;here;\n',
    'token.txt': notion.token,
    'listUrl.txt': list.address,
  });

  const argumentOf = (word: string): string => {
    const name = word.slice(1);
    if (!word.startsWith('$')) return word;
    return words.get(name) ?? temporaryFile(name, contents()[name]!);
  };

  const outcomeOf = async (command: string, more: readonly string[]) => {
    const result = await gatehouse([...command.split(' ').map(argumentOf), ...more, '--json'], {
      env: { GATEHOUSE_DATABASE_URL: server.databaseUrl },
    });
    const { exitCode, stdout, json } = result;
    if (exitCode !== 0) return { result: `${exitCode} ${json.error.code}`, json };
    const first = Array.isArray(json) ? (json.find(({ slug }) => slug === 'choir') ?? json[0]) : json;
    return {
      result: Object.keys(first ?? {})
        .sort()
        .join(' '),
      json: first,
      stdout,
    };
  };

  for (const [command, result, json = {}] of onDatabase)
    test(command, async () => {
      const outcome = await outcomeOf(command, []);
      expect(outcome, outcome.stdout).toMatchObject({ result, json });
    });

  for (const [command, result, json = {}] of withService)
    test(command, async () => {
      const outcome = await outcomeOf(command, connection);
      expect(outcome).toMatchObject({ result, json });
    });
});
