import { systemContext } from '../../src/base/change-context.ts';
import { countsOfChange } from '../../src/domain/members/member.ts';
import { markLoggedIn } from '../../src/domain/members/member-lookup.ts';
import { findMember } from '../../src/domain/members/members.ts';
import { openSession } from '../../src/domain/sessions/sessions.ts';
import { changing } from '../change.ts';
import { everyItem } from '../contract/given.ts';
import { endOfCourse, type Filling, founding } from './filling.ts';
import { draw } from './people.ts';
import { setTime, storyDays } from './time.ts';

/** Lets people join and log in, day by day: more at weekends, and more as the season comes closer. */
export async function simulateDays(filling: Filling): Promise<void> {
  const { people, random, as } = filling;
  const ids: string[] = (await everyItem(filling.site, '/members')).map(({ id }) => id);
  let next = founding;
  const last = people.length - 1;
  for (let daysBefore = storyDays - 1; daysBefore > 0; daysBefore -= 1) {
    // The course begins six weeks before the pictures.
    const joining = daysBefore === 42 ? 9 : Number(random() < (daysBefore < 40 ? 0.5 : 0.14));
    for (let joined = 0; joined < joining && next < last; joined += 1, next += 1) {
      setTime(daysBefore, 6 - joined * 0.2);
      ids.push(await join(filling, next, daysBefore <= 42));
    }
    const season = 1 - daysBefore / (storyDays * 1.6);
    const weekday = new Date().getUTCDay();
    const logins = Math.round((weekday === 0 || weekday === 6 ? 15 : 9) * season * (0.7 + 0.6 * random()));
    for (let login = 0; login < logins; login += 1) {
      setTime(daysBefore, 4 - login * 0.2);
      await logInMember(filling, draw(ids, random));
    }
  }
  setTime(0, 12);
  await as('Tomás Herrera', 'DELETE', `/members/${ids[77]!}`);
}

async function join({ people, groups, as }: Filling, index: number, isCourse: boolean): Promise<string> {
  const group = isCourse ? groups['Learn to row 2026'] : groups.Masters;
  const body = { ...people[index]!, paid: index % 5 !== 0, accessGroupIds: isCourse ? [] : [group] };
  const { id } = await as(index % 3 === 0 ? 'Sofia Lindqvist' : 'Tomás Herrera', 'POST', '/members', body);
  if (isCourse)
    await as('Tomás Herrera', 'POST', `/access-groups/${group}/members`, {
      memberId: id,
      expiresAt: endOfCourse,
    });
  return id;
}

/** What a login with a link from an email changes, without the email. */
async function logInMember({ server, site, random }: Filling, memberId: string): Promise<void> {
  const ipAddress = `203.0.113.${10 + Math.floor(random() * 200)}`;
  const work = systemContext(new Date().toISOString());
  await changing(
    server.database,
    site.siteId,
    async (change) => {
      const member = await findMember(change, memberId);
      const own = change.as({ type: 'member', id: member.id, name: member.displayName });
      await markLoggedIn(change, member.id);
      const { session } = await openSession(own, member.id, { userAgent: null, ipAddress }, 'link');
      own.record({
        type: 'member.login',
        memberId: member.id,
        data: { memberId: member.id, sessionId: session.id, method: 'link', passkey: null, provider: null },
        counts: countsOfChange(member, { ...member, verified: true }),
      });
    },
    work,
  );
}
