import type { DecideJoinRequests, JoinRequest, JoinRequestDecision } from '@gatehouse/client';
import { notifications } from '@mantine/notifications';
import { showFailure } from '../../../components/feedback/error-notification.tsx';
import { useSiteKeys } from '../../../queries/keys.ts';
import { useSiteApi } from '../../../queries/site-api.ts';
import { useDecideJoinRequests } from '../../../queries/ways-in/join-requests.ts';
import { useGatehouse } from '../../../session/site.ts';
import { type Failure, FailuresNote } from './failures-note.tsx';

/** A few are named with who decided them; of many, only the number is said. */
const maxNamed = 3;

/** Sends decisions, reports what could not be decided and why, and loads the true state. Never rejects. */
export function useSendDecisions() {
  const decide = useDecideJoinRequests();
  const { joinRequests } = useGatehouse();
  const keys = useSiteKeys();
  const { client } = useSiteApi();

  /** With what somebody else has decided meanwhile. */
  async function describe(
    requests: readonly JoinRequest[],
    failed: readonly NotDecided[],
  ): Promise<Failure[]> {
    const named = failed.length <= maxNamed;
    return Promise.all(
      failed.map(async ({ joinRequestId, status, error }) => {
        const request = requests.find(({ id }) => id === joinRequestId)!;
        const isConflict = named && status === 'conflict';
        const now = isConflict ? await joinRequests.get(joinRequestId).catch(() => undefined) : undefined;
        return { request, error, now };
      }),
    );
  }

  return async (
    requests: readonly JoinRequest[],
    decisions: readonly DecideJoinRequests[],
  ): Promise<void> => {
    const failed: NotDecided[] = [];
    try {
      for (const decision of decisions) failed.push(...(await decide(decision)).filter(isNotDecided));
    } catch (error) {
      showFailure(error);
    }
    if (failed.length > 0) {
      const failures = await describe(requests, failed);
      notifications.show({ color: 'red', autoClose: false, message: <FailuresNote failures={failures} /> });
    }
    const changed = [keys.joinRequests.all, keys.invitations.all, ...keys.affectedByMembers];
    await Promise.all(changed.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
}

type NotDecided = Extract<JoinRequestDecision, { status: 'conflict' | 'error' }>;

function isNotDecided(result: JoinRequestDecision): result is NotDecided {
  return result.status === 'conflict' || result.status === 'error';
}
