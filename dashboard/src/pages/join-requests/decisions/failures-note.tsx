import type { JoinRequest } from '@gatehouse/client';
import { List, Text } from '@mantine/core';
import { useErrorText } from '../../../format/error-text.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { nameOf } from './person-name.ts';

/** A request that could not be decided. */
export interface Failure {
  readonly request: JoinRequest;
  readonly error: { readonly code: string; readonly message: string };
  /** As it is now, if somebody else has decided it; undefined if that is not known. */
  readonly now: JoinRequest | undefined;
}

/** The requests that could not be decided, and why. */
export function FailuresNote({ failures }: { failures: readonly Failure[] }) {
  const t = useTexts('joinRequests');
  const errorText = useErrorText();
  const named = failures.filter(({ now }) => now);
  const others = Map.groupBy(
    failures.filter(({ now }) => !now),
    ({ error }) => error.code,
  );
  return (
    <>
      <Text size="sm" fw={500}>
        {t('notDecided', { count: failures.length })}
      </Text>
      <List size="sm">
        {named.map(({ request, now }) => (
          <List.Item key={request.id}>{conflictText(t, now!)}</List.Item>
        ))}
        {[...others].map(([code, some]) => (
          <List.Item key={code}>
            {t('failed', { count: some.length, message: errorText(some[0]!.error) })}
          </List.Item>
        ))}
      </List>
    </>
  );
}

/** Who has decided a request meanwhile. */
function conflictText(t: ReturnType<typeof useTexts<'joinRequests'>>, now: JoinRequest): string {
  const person = nameOf(now);
  const by = now.decidedBy?.name;
  if (now.status === 'expired') return t('conflict.expired', { person });
  if (now.status !== 'approved' && now.status !== 'declined') return t('conflict', { person });
  return by ? t(`conflict.${now.status}`, { person, by }) : t('conflict', { person });
}
