import { openSession } from '../../src/domain/sessions/sessions.ts';
import { changing } from '../change.ts';
import type { TestOperator } from '../operator.ts';
import { storeJoinRequest } from '../stored-rows.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { everyLoginRequestProcessed } from '../visitor.ts';
import type { WebhookReceiver } from '../webhook-receiver.ts';
import { createClubSite } from './club-site.ts';
import { simulateDays } from './days.ts';
import { endOfCourse, type Filling, founding, type GroupName, groupTexts } from './filling.ts';
import { inventPeople, type Person, sameNumbers } from './people.ts';
import { setTime, storyDays } from './time.ts';

/** An invented rowing club as it is in the middle of its season. */
export interface Club {
  readonly site: TestSite;
  readonly slug: string;
  readonly owner: TestOperator;
  /** The member whose page is shown. */
  readonly memberId: string;
}

const random = sameNumbers(2026);
/** Everybody who is in the club at some time. */
const people = inventPeople(190, random);
/** Whose mailbox no longer exists. */
export const withoutMailbox = people[33]!;

/** Fills a site with the club, from the first day of the story to the moment of the pictures. */
export async function fillClub(
  server: TestServer,
  receivers: { working: WebhookReceiver; failing: WebhookReceiver },
): Promise<Club> {
  setTime(storyDays);
  const { site, slug, as, logIn } = await createClubSite(server);
  const groups = {} as Record<GroupName, string>;
  for (const [name, description] of Object.entries(groupTexts))
    groups[name as GroupName] = (
      await as('Sofia Lindqvist', 'POST', '/access-groups', { name, description })
    ).id;
  const filling = { server, site, random, people, groups, as };
  await addFounders(filling);
  await as('Sofia Lindqvist', 'PUT', '/access-rules', { rules: rulesOf(groups) });
  await simulateDays(filling);
  const memberId = await fillLastHours(filling, receivers);
  setTime(0);
  return { site, slug, owner: await logIn('Sofia Lindqvist'), memberId };
}

/** Adds those who were members before the club had Gatehouse, with the day on which they joined. */
async function addFounders({ people, groups, random, as }: Filling): Promise<void> {
  const groupsOf = (index: number): GroupName[] => {
    if (index < 6) return ['Masters', 'Board'];
    if (index < 20) return ['Masters', 'Regatta crew'];
    if (index < 28) return ['Masters', 'Coaches'];
    return index < 90 ? ['Masters'] : ['Juniors'];
  };
  const byGroups = Map.groupBy(people.slice(0, founding).entries(), ([index]) => groupsOf(index).join());
  for (const [names, entries] of byGroups) {
    const members = entries.map(([, person]) => {
      const registered = Date.UTC(2016, 2, 1) + random() * 3_550 * 86_400_000;
      return { ...person, paid: random() < 0.9, registeredAt: new Date(registered).toISOString() };
    });
    const accessGroupIds = names.split(',').map((name) => groups[name as GroupName]);
    await as('Tomás Herrera', 'POST', '/members/bulk', { members, accessGroupIds });
  }
}

function rulesOf(groups: Filling['groups']): object[] {
  const only = (...names: GroupName[]) => ({
    access: 'groups',
    groupIds: names.map((name) => groups[name]),
    match: 'any',
  });
  return [
    { path: '/', access: 'public' },
    { path: '/members', access: 'members' },
    { path: '/members/boats', ...only('Masters', 'Coaches') },
    { path: '/members/boats/booking', access: 'paying_members' },
    { path: '/juniors', ...only('Juniors', 'Coaches') },
    { path: '/course', ...only('Learn to row 2026', 'Coaches') },
    { path: '/board', ...only('Board') },
    {
      path: '/regatta/start-list',
      access: 'conditional',
      anyOf: [
        { access: 'members', groupIds: [groups.Coaches] },
        { access: 'public', from: '2026-06-12T06:00:00.000Z' },
      ],
    },
  ];
}

/** What needs attention when the pictures are taken, and what has just happened. */
async function fillLastHours(
  { server, site, people, groups, as }: Filling,
  receivers: { working: WebhookReceiver; failing: WebhookReceiver },
): Promise<string> {
  const idOf = async ({ email }: Person): Promise<string> =>
    (await as('Tomás Herrera', 'GET', `/members?q=${encodeURIComponent(email)}`))[0].id;
  setTime(0, 10);
  for (const [description, { url }, eventTypes] of [
    ['Accounting', receivers.working, ['member.created', 'member.updated', 'member.deleted']],
    ['Newsletter', receivers.failing, ['member.created', 'member.blocked', 'member.deleted']],
  ] as const)
    await as('Sofia Lindqvist', 'POST', '/webhooks', { url, description, eventTypes });

  setTime(0, 5);
  const joining = (displayName: string, email: string, message: string) =>
    changing(server.database, site.siteId, (change) =>
      storeJoinRequest(change, { displayName, email, message, path: '/course' }),
    );
  await joining(
    'Nils Berglund',
    'nils.berglund@post.example.net',
    'I rowed at university and live near the lake.',
  );
  setTime(0, 3);
  await joining(
    'Meera Iyer',
    'meera.iyer@mail.example.org',
    'My daughter is a junior, now I want to learn it too.',
  );

  const memberId = await idOf(people[6]!);
  await as('Tomás Herrera', 'PATCH', `/members/${memberId}`, { paid: true });
  setTime(0, 2.6);
  await as('Tomás Herrera', 'POST', `/access-groups/${groups['Learn to row 2026']}/members`, {
    memberId,
    expiresAt: endOfCourse,
  });
  setTime(0, 2);
  await as('Aiko Mori', 'POST', `/members/${await idOf(people[20]!)}/login-links`, { send: true });
  setTime(0, 1.4);
  await as('Aiko Mori', 'POST', `/members/${await idOf(withoutMailbox)}/login-links`, { send: true });
  await everyLoginRequestProcessed(server);
  setTime(0, 0.9);
  await as('Tomás Herrera', 'POST', '/members', {
    ...people.at(-1)!,
    paid: true,
    accessGroupIds: [groups.Masters],
  });
  setTime(0, 0.6);
  await as('Sofia Lindqvist', 'POST', `/members/${await idOf(people[101]!)}/block`, {});
  await receivers.failing.waitFor(1);
  await addSessions(server, site, memberId);
  return memberId;
}

/** The browsers in which the shown member is logged in. */
async function addSessions({ database }: TestServer, { siteId }: TestSite, memberId: string): Promise<void> {
  const browsers = [
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1',
      '198.51.100.23',
    ],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', '203.0.113.80'],
  ] as const;
  for (const [userAgent, ipAddress] of browsers)
    await changing(database, siteId, (change) =>
      openSession(change, memberId, { userAgent, ipAddress }, 'link'),
    );
}
