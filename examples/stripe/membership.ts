import { type FoundMember, GatehouseError } from '@gatehouse/client';
import {
  type Customer,
  clearGiven,
  customersOf,
  findCustomer,
  type Grant,
  givenOf,
  grantsOf,
  linkOf,
  newMember,
  remember,
} from './purchases.ts';
import type { Settings } from './settings.ts';

/** A customer of Stripe by id, or one that Stripe has deleted, as it was then. */
export type Buyer = string | { readonly deleted: Customer };

/** What the customers' records say, or have said, that each member was given: by the id of the member. */
type Known = Map<string, Set<Grant>>;

/** Far more than events that arrive at the same time need. */
const maxRounds = 10;

/**
 * Brings the member of a customer to the present state at Stripe: what the member has and what was paid is read and
 * compared until nothing is left to change. So it does not matter how often it is called, in which order, or what else
 * changes the same member at the same time: whoever changes something last reads both again.
 * @returns what it came to, for the log
 */
export async function updateMember(settings: Settings, buyer: Buyer): Promise<string> {
  const known: Known = new Map();
  for (let round = 1; round <= maxRounds; round += 1) {
    const result = await changeOnce(settings, buyer, known);
    if (result !== 'changed') return round === 1 ? result : 'updated';
  }
  throw new Error(`The member has not settled after ${maxRounds} rounds.`);
}

/** @param known also what another process may have cleared the record of meanwhile */
async function changeOnce(settings: Settings, buyer: Buyer, known: Known): Promise<string> {
  const customer = typeof buyer === 'string' ? await findCustomer(settings, buyer) : buyer.deleted;
  if (!customer) return 'deleted at Stripe';
  const member = await memberOf(settings, customer);
  const customers = await customersOf(settings, customer, member);
  const deleted = typeof buyer === 'string' ? undefined : customer;
  const entitled = new Map<Customer, ReadonlySet<Grant>>();
  for (const each of customers) {
    entitled.set(each, each === deleted ? new Set() : await grantsOf(settings, each.id));
    for (const [grant, memberId] of givenOf(each)) addKnown(known, memberId, [grant]);
  }
  const wanted = union(entitled.values());
  if (wanted.size === 0 && known.size === 0) return 'nothing to give';
  // Before their records are overwritten.
  const moved = await removeFromOthers(settings, member?.id, known);
  if (!member && wanted.size > 0) return createMember(settings, customer, entitled);
  const present = member ? grantsIn(member) : { lasting: new Set<Grant>(), all: new Set<Grant>() };
  const missing = without(wanted, present.lasting);
  addKnown(known, member?.id ?? newMember, missing);
  const given = union([known.get(member?.id ?? newMember) ?? [], known.get(newMember) ?? []]);
  const ended = without(given, wanted).filter((grant) => present.all.has(grant));

  // Stored first, so that nothing is given that this program does not know of if it is killed here.
  const stored = await rememberGiven(settings, member?.id, entitled, given);
  if (member) {
    for (const grant of missing) await give(settings, member, grant);
    for (const grant of ended) await removeGrant(settings, member, grant);
  }
  const cleared = await clearEnded(settings, entitled, given, deleted);
  return moved || stored || cleared || missing.length > 0 || ended.length > 0 ? 'changed' : 'up to date';
}

function addKnown(known: Known, memberId: string, grants: Iterable<Grant>): void {
  known.set(memberId, union([known.get(memberId) ?? [], grants]));
}

/** From members to whom the customers were linked before, unless another customer still pays for it. */
async function removeFromOthers(
  settings: Settings,
  memberId: string | undefined,
  known: Known,
): Promise<boolean> {
  let changed = false;
  for (const [id, grants] of known) {
    if (id === memberId || id === newMember) continue;
    const email = await addressOf(settings, id);
    if (email === undefined) continue;
    const [other] = await settings.gatehouse.members.lookUp({ emails: [email] });
    if (other?.id !== id) throw new Error(`The email address of the member ${id} has changed meanwhile.`);
    const wanted = new Set<Grant>();
    for (const each of await customersOf(settings, undefined, other)) {
      for (const grant of await grantsOf(settings, each.id)) wanted.add(grant);
    }
    const present = grantsIn(other).all;
    for (const grant of without(grants, wanted).filter((each) => present.has(each))) {
      await removeGrant(settings, other, grant);
      changed = true;
    }
  }
  return changed;
}

function union(sets: Iterable<Iterable<Grant>>): Set<Grant> {
  return new Set([...sets].flatMap((set) => [...set]));
}

function without(set: Iterable<Grant>, other: ReadonlySet<Grant>): Grant[] {
  return [...set].filter((grant) => !other.has(grant));
}

/** The member to whom the customer is linked, or else the one with the address. */
async function memberOf(settings: Settings, customer: Customer): Promise<FoundMember | undefined> {
  const { gatehouse } = settings;
  const linked = linkOf(customer);
  const email = linked === undefined ? undefined : await addressOf(settings, linked);
  const address = email ?? customer.email;
  if (!address) return undefined;
  return (await gatehouse.members.lookUp({ emails: [address] }))[0];
}

/** The present address of a member; undefined if the member was deleted. */
async function addressOf({ gatehouse }: Settings, memberId: string): Promise<string | undefined> {
  try {
    return (await gatehouse.members.get(memberId)).email;
  } catch (error) {
    if (error instanceof GatehouseError && error.code === 'member_not_found') return undefined;
    throw error;
  }
}

/** What a member has, and what of it does not end by itself. */
function grantsIn({ paid, accessGroups }: FoundMember): { lasting: Set<Grant>; all: Set<Grant> } {
  const base = paid ? ['paid'] : [];
  const lasting = accessGroups.filter(({ expiresAt }) => expiresAt === null);
  return {
    lasting: new Set([...base, ...lasting.map(({ id }) => id)]),
    all: new Set([...base, ...accessGroups.map(({ id }) => id)]),
  };
}

async function createMember(
  settings: Settings,
  customer: Customer,
  entitled: ReadonlyMap<Customer, ReadonlySet<Grant>>,
): Promise<string> {
  const { gatehouse } = settings;
  const { email, name } = customer;
  if (!email) return 'paid without an email address: add it to the customer at Stripe';
  const wanted = union(entitled.values());
  await rememberGiven(settings, undefined, entitled, wanted);
  const accessGroupIds = [...wanted].filter((grant) => grant !== 'paid');
  const create = (displayName: string | null) =>
    gatehouse.members.create({ email, displayName, paid: true, accessGroupIds });
  await unlessOutrun(async () => {
    try {
      await create(name ?? null);
    } catch (error) {
      // A name that Gatehouse does not accept must not prevent what was paid for.
      const details = error instanceof GatehouseError ? error.details : [];
      if (!details.some(({ path }) => path === '/displayName')) throw error;
      await create(null);
    }
  });
  return 'changed';
}

/** Stores with each customer what it gives, and the member. */
async function rememberGiven(
  settings: Settings,
  memberId: string | undefined,
  entitled: ReadonlyMap<Customer, ReadonlySet<Grant>>,
  given: ReadonlySet<Grant>,
): Promise<boolean> {
  let changed = false;
  for (const [customer, grants] of entitled) {
    const stored = new Map(givenOf(customer));
    const missing = [...grants].filter(
      (grant) => given.has(grant) && stored.get(grant) !== (memberId ?? newMember),
    );
    const isLinked = grants.size === 0 || memberId === undefined || linkOf(customer) === memberId;
    if (missing.length === 0 && isLinked) continue;
    await remember(settings, customer, memberId, missing);
    changed = true;
  }
  return changed;
}

async function clearEnded(
  settings: Settings,
  entitled: ReadonlyMap<Customer, ReadonlySet<Grant>>,
  given: ReadonlySet<Grant>,
  deleted: Customer | undefined,
): Promise<boolean> {
  let changed = false;
  for (const [customer, grants] of entitled) {
    const stored = givenOf(customer).map(([grant]) => grant);
    const ended = stored.filter((grant) => !(grants.has(grant) && given.has(grant)));
    if (ended.length === 0 || customer === deleted) continue;
    await clearGiven(settings, customer, ended);
    changed = true;
  }
  return changed;
}

async function give({ gatehouse }: Settings, member: FoundMember, grant: Grant): Promise<void> {
  await unlessOutrun(async () => {
    if (grant === 'paid') await gatehouse.members.update(member.id, { paid: true });
    else if (member.accessGroups.some(({ id }) => id === grant)) {
      await gatehouse.accessGroups.memberships.update(grant, member.id, { expiresAt: null });
    } else await gatehouse.accessGroups.members.add(grant, { memberId: member.id });
  });
}

async function removeGrant({ gatehouse }: Settings, member: FoundMember, grant: Grant): Promise<void> {
  await unlessOutrun(async () => {
    if (grant === 'paid') await gatehouse.members.update(member.id, { paid: false });
    else await gatehouse.accessGroups.members.remove(grant, member.id);
  });
}

/** Someone else was faster: the next round reads what is there now. */
const outrun: ReadonlySet<string> = new Set([
  'email_taken',
  'member_not_found',
  'already_in_group',
  'membership_not_found',
]);

async function unlessOutrun(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!(error instanceof GatehouseError && outrun.has(error.code))) throw error;
  }
}
