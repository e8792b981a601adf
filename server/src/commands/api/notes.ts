import type { OperationId } from '@gatehouse/contract';
import { untilText } from '../shared/expiry.ts';
import { type AnyShape, everyItem, type Parts, type SiteApi } from './calls/site-api.ts';

type Note = (resource: AnyShape, parts: Parts, api: SiteApi) => Promise<string> | string | undefined;

/** What a person needs to know after some commands, beside the resource. */
const notes: Partial<Record<OperationId, Note>> = {
  rotateApiKey: async (_, { params }, api) => {
    const { last4, expiresAt } = await findApiKey(api, params!.keyId!);
    return expiresAt > new Date().toISOString()
      ? `The old key …${last4} is valid until ${untilText(expiresAt, await api.findTimeZone())}.`
      : 'The old key is revoked.';
  },
  rotateSigningKeys: ({ signsFrom }) =>
    `It signs ${signsFrom > new Date().toISOString() ? `from ${signsFrom} on` : 'now'}.`,
  createInvitation: invitationNote,
  updateInvitation: invitationNote,
  sendInvitation: invitationNote,
  createPageCode: () => 'It gives access where an access rule accepts it (docs/guides/inviting-people.md).',
  inviteOperator: () => 'The invitation is sent as soon as Gatehouse is running.',
  createMemberLoginLink: ({ sent }) => (sent ? 'The link is sent to the member.' : 'The link works once.'),
  createSource: ({ type }) =>
    type === 'program'
      ? 'A program can now upload lists to it (docs/guides/own-program.md).'
      : 'Nothing is synchronized until collections are chosen (./gatehouse sources collections choose) and it is enabled.',
  deleteSource: (_, { query }) =>
    query?.groups === 'delete' ? 'Its groups are deleted too.' : 'Its groups are custom groups now.',
  syncSource: (_, { params }) =>
    `See ./gatehouse sources runs list ${params!.sourceId} for its result, or wait for it with --wait.`,
  replayWebhook: deliveriesNote,
  testWebhook: deliveriesNote,
};

function invitationNote({ url, email, sentAt }: AnyShape): string | undefined {
  if (sentAt !== null) return 'It is sent as soon as Gatehouse is running.';
  if (url === null) return undefined;
  return email === null ? 'Anyone who has the link can try to join.' : `The link works for ${email} only.`;
}

function deliveriesNote(_: AnyShape, { params }: Parts): string {
  return `See ./gatehouse webhooks deliveries list ${params!.webhookId} for the result.`;
}

export async function noteOn(id: OperationId, resource: AnyShape, parts: Parts, api: SiteApi) {
  return notes[id]?.(resource, parts, api);
}

/** @throws if the key has been deleted meanwhile, which keys are not */
export async function findApiKey(api: SiteApi, keyId: string): Promise<AnyShape> {
  for await (const key of everyItem(api, 'listApiKeys', {})) if ((key as AnyShape).id === keyId) return key;
  throw new Error(`The key ${keyId} is gone.`);
}
